import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/cdp/session.ts';
import {
  DriverCookieError,
  DriverDomainPolicyError,
  DriverHTTPHeadersError,
  DriverInvalidArgumentError,
} from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import {
  type ArgumentTable,
  contextArguments,
  driverArguments,
  locatorArguments,
  type MethodArguments,
  pageArguments,
} from './arguments.ts';
import type { Kind } from './wrong-values.ts';

let started: TestDriver;
beforeAll(async () => {
  started = await startDriver();
});
afterAll(async () => {
  await started?.driver.close();
});

const sent = vi.spyOn(Session.prototype, 'sendRaw');
beforeEach(() => {
  sent.mockClear();
});

const classes: readonly (readonly [name: string, table: ArgumentTable, subject: () => object])[] = [
  ['Page', pageArguments, () => started.page],
  ['Locator', locatorArguments, () => started.page.locator('#absent')],
  ['DriverContext', contextArguments, () => started.driver.context],
  ['Driver', driverArguments, () => started.driver],
];

describe.each(classes)('%s', (className, table, subject) => {
  it('has no method whose arguments are not tried here', () => {
    expect(methodsOf(subject())).toEqual(Object.keys(table).toSorted());
  });

  it.each(casesOf(table))(
    '$method: a wrong $argument is refused before anything is done',
    async ({ method, argument, calls }) => {
      for (const args of calls) {
        const reason = await failureOfCall(subject(), method, args);
        const call = `${className}.${method}(${args.map(describeArgument).join(', ')})`;
        expect(sent.mock.calls, call).toEqual([]);
        if (OWN_ERRORS.some((kind) => reason instanceof kind)) continue;
        expect(reason, call).toBeInstanceOf(DriverInvalidArgumentError);
        // What is wrong inside an argument is named by its place: `argument.list[0]`.
        expect((reason as DriverInvalidArgumentError).argument, call).toMatch(new RegExp(`^${argument}($|[.[])`));
        expect((reason as Error).message, call).toMatch(
          new RegExp(`${argument}.* (must|takes|is for|cannot|expected) .`),
        );
      }
    },
  );
});

const actions: readonly (readonly [argument: string, action: object])[] = [
  ['action.selector', {}],
  ['action.selector', { selector: '' }],
  ['action.selector', { selector: 5, method: 'click' }],
  ['action.selector', []],
  ['action.method', { selector: 'p', method: 5 }],
  ['method', { selector: 'p', method: 'explode' }],
  ['method', { selector: 'p', method: 'constructor' }],
  ['method', { selector: 'p', method: '__proto__' }],
  ['action.arguments', { selector: 'p', method: 'fill', arguments: 'Ada' }],
  ['action.arguments', { selector: 'p', method: 'fill', arguments: [5] }],
  ['action.arguments', { selector: 'p', method: 'fill', arguments: null }],
];

it.each(actions)('act: a wrong %s of an action %j is refused before anything is done', async (argument, action) => {
  const reason = await failureOfCall(started.driver, 'act', [action]);
  expect(reason).toBeInstanceOf(DriverInvalidArgumentError);
  expect(reason).toMatchObject({ argument, message: expect.stringContaining(argument) });
  expect(sent.mock.calls).toEqual([]);
});

/** What is wrong with these has an error of its own by the interface. */
const OWN_ERRORS = [DriverHTTPHeadersError, DriverDomainPolicyError, DriverCookieError];

/** Methods for other parts of the library, which users do not see. */
const INTERNAL = new Set(['constructor', 'begin', 'box', 'keepFromPictures']);

/** The public methods that an object has by its class and by those above it. */
function methodsOf(subject: object): string[] {
  const names = new Set<string>();
  for (
    let at = Object.getPrototypeOf(subject) as object;
    at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && !INTERNAL.has(name)) names.add(name);
  }
  return [...names].toSorted();
}

interface Case {
  readonly method: string;
  readonly argument: string;
  readonly calls: readonly (readonly unknown[])[];
}

/** One case for each argument and for each option of each method. */
function casesOf(table: ArgumentTable): Case[] {
  return Object.entries(table).flatMap(([method, args]) => (args === null ? [] : casesOfMethod(method, args)));
}

function casesOfMethod(method: string, args: NonNullable<MethodArguments>): Case[] {
  return args.flatMap(([argument, kind], index) => {
    const before = args.slice(0, index).map(([, { good }]) => good);
    const whole = { method, argument, calls: kind.wrong.map((value) => [...before, value]) };
    const fields = Object.entries(kind.fields ?? {}).map(([field, { wrong }]: [string, Kind]) => ({
      method,
      argument: field,
      calls: wrong.map((value) => [...before, { [field]: value }]),
    }));
    return [whole, ...fields];
  });
}

/** What a call is refused with; one that was not refused at once has gone to the browser, and is not waited for. */
async function failureOfCall(subject: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const call = (subject as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>)[method];
  const done = (async (): Promise<unknown> => call?.apply(subject, [...args]))();
  const accepted = new TypeError('the call was to be refused at once and was not');
  return Promise.race([failureOf(done), turns(MOST_TURNS).then(() => accepted)]);
}

/** A refusal may have to load a module first. */
const MOST_TURNS = 200;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

function describeArgument(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${key}: ${typeof entry} ${String(entry)}`)
    .join()}}`;
}
