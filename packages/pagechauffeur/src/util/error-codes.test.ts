import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as errors from '../errors.ts';
import { adviceFor, ERROR_CODES, isHealable, isStale, markAfterInput } from './error-codes.ts';

type ErrorClass = new (message: string, facts: object) => errors.DriverError;

const ALL_FACTS = { issues: [], value: null, selector: 's', selectors: [], xpath: 'x', parts: [], origins: [] };
const CLASSES = Object.values(errors) as ErrorClass[];
const made = CLASSES.map((Class) => new Class('what happened', ALL_FACTS));

describe('ERROR_CODES', () => {
  it('has a row for the code of each error class, and no other row', () => {
    expect(Object.keys(ERROR_CODES).toSorted()).toEqual([...new Set(made.map(({ code }) => code))].toSorted());
  });

  it('matches docs/errors.md, class by class', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
    const rows = page.matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm);
    const documented = [...rows].flatMap(([, code = '', names = '']) =>
      names.split(', ').map((name) => `${code} ${name.replaceAll('`', '')}`),
    );
    expect(documented.toSorted()).toEqual(made.map(({ code, name }) => `${code} ${name}`).toSorted());
  });

  it.each([
    [new errors.DriverElementNotFoundError('', { selectors: [] }), { stale: true, healable: true }],
    [new errors.XPathResolutionError('', { xpath: 'x' }), { stale: true, healable: true }],
    [new errors.DriverIframeError(''), { stale: true, healable: true }],
    [new errors.DriverClickError('', { selector: 's' }), { stale: false, healable: true }],
    [new errors.DriverElementNotVisibleError('', { selector: 's' }), { stale: false, healable: true }],
    [new errors.DriverLocatorError('', { selector: 's' }), { stale: false, healable: true }],
    [new errors.DriverLocatorError('', { selector: 's', hasActed: true }), { stale: false, healable: false }],
    [new errors.DriverClosedError(''), { stale: false, healable: false }],
    [new errors.ActTimeoutError('', { operation: 'act', timeout: 1 }), { stale: false, healable: false }],
    [new RangeError(''), { stale: false, healable: false }],
  ])('decides by code whether an element is stale and a step healable: %o', (error, { stale, healable }) => {
    expect([isStale(error), isHealable(error)]).toEqual([stale, healable]);
  });

  it('treats an error as not healable after `markAfterInput()`', () => {
    const error = new errors.DriverElementNotFoundError('', { selectors: [] });
    markAfterInput(error);
    expect(isHealable(error)).toBe(false);
  });

  it('gives `ObserveTimeoutError` the advice of its code `TIMEOUT`', () => {
    const timeout = new errors.ObserveTimeoutError('', { operation: 'observe', timeout: 1 });
    expect(adviceFor(timeout, () => true)).toBe(ERROR_CODES.TIMEOUT.advice);
  });
});
