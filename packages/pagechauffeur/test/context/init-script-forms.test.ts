import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DriverContext, DriverInvalidArgumentError, type InitScript, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

let context: DriverContext;
/** Scripts of earlier tests stay with it and run first; the last one to set something wins. */
let page: Page;
let folder: string;

const test = useBrowser({ routes: { '/': '<title>Plain</title>' } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'init-scripts-'));
  ({ page } = test);
  ({ context } = test.driver);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('addInitScript() arguments', () => {
  const named = {
    method(value: unknown): void {
      (globalThis as Record<string, unknown>)['got'] = value;
    },
  };

  it.each<[string, InitScript<never>]>([
    ['a text', 'window.got = "a text"'],
    ['a text that ends in a comment', 'window.got = "a text that ends in a comment" // the end'],
    ['an arrow function', (value: unknown) => void ((globalThis as Record<string, unknown>)['got'] = value)],
    ['a method', named.method],
    ['{ content }', { content: 'window.got = "{ content }"' }],
  ])('accepts %s as a script', async (title, script) => {
    await page.addInitScript(script as InitScript, typeof script === 'function' ? title : undefined);
    await page.goto(test.server.origin);
    expect(await page.evaluate('got')).toBe(title);
  });

  it('accepts a path and reads the file as UTF-8', async () => {
    const path = join(folder, 'script.js');
    await writeFile(path, 'window.got = "ü from a file" // the end');
    await page.addInitScript({ path });
    await page.goto(test.server.origin);
    expect(await page.evaluate('got')).toBe('ü from a file');
  });

  it.each([
    [5],
    ['text with "quotes", \u2028 and </script>'],
    [null],
    [Number.NaN],
    [-0],
    [12n],
    [new Date(0)],
    [['a', { deep: [1, null] }]],
    [{ __proto__x: 1, 'a b': { c: true } }],
  ])('passes the argument %o to a function', async (value) => {
    await page.addInitScript((given) => void ((globalThis as Record<string, unknown>)['got'] = given), value);
    await page.goto(test.server.origin);
    expect(await page.evaluate('got')).toEqual(value);
  });

  it.each<[string, unknown, unknown, string]>([
    [
      'undefined',
      undefined,
      undefined,
      'script must be a string, a function, { path } or { content }. Received undefined.',
    ],
    ['a number', 5, undefined, 'Received the number 5'],
    ['null', null, undefined, 'Received null'],
    ['an object without path and content', {}, undefined, 'script must be'],
    ['an object with path and content', { path: 'a', content: 'b' }, undefined, 'script must be'],
    [
      'a path to a missing file',
      { path: '/no/such/script.js' },
      undefined,
      'Cannot read the script /no/such/script.js: ENOENT',
    ],
    ['a string with an argument', 'window.x = 1', 5, 'argument needs a function'],
    ['a string that does not compile', 'window.x = ;', undefined, 'script does not compile: SyntaxError'],
    ['a bound function', named.method.bind(null), undefined, 'script is a function without source text'],
    ['an argument that is not serializable', (): void => undefined, Symbol('s'), 'argument'],
  ])('rejects %s', async (_title, script, argument, message) => {
    for (const owner of [page, context]) {
      const failure = await failureOf(owner.addInitScript(script as InitScript, argument));
      expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
      expect(failure).toMatchObject({ message: expect.stringContaining(message) });
    }
  });
});
