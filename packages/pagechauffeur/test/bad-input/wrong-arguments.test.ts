import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/cdp/session.ts';
import {
  DriverCookieError,
  DriverDomainPolicyError,
  DriverError,
  DriverHTTPHeadersError,
  DriverInvalidArgumentError,
} from '../../src/index.ts';
import { publicClasses } from '../../src/page/public-classes.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import type { TestServer } from '../support/serve.ts';
import { type ArgumentTable, type MethodArguments } from './argument-kinds.ts';
import { argumentsByClass } from './arguments.ts';
import { callMethod, goodArguments, methodsOf, turns } from './public-methods.ts';
import { makeSubjects, serveSubjects, type Subjects } from './subjects.ts';
import { itself, type Kind } from './wrong-values.ts';

let server: TestServer;
let started: TestDriver;
let subjects: Subjects;
beforeAll(async () => {
  server = await serveSubjects();
  started = await startDriver();
  subjects = await makeSubjects(started, server.origin);
});
afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

/** Shorter names are near to many others. */
const MIN_LETTERS = 5;

const sent = vi.spyOn(Session.prototype, 'sendRaw');
beforeEach(() => {
  sent.mockClear();
});

it('covers every public class', () => {
  expect(Object.keys(argumentsByClass)).toEqual(
    ['Agent', 'Driver', ...publicClasses.map(({ name }) => name)].toSorted(),
  );
});

describe.each(Object.entries(argumentsByClass))('%s', (className, table) => {
  it('covers the arguments of every method', () => {
    expect(methodsOf(subjects[className] ?? {})).toEqual(Object.keys(table).toSorted());
  });

  it.each(casesOf(table))(
    '$method() rejects an invalid $argument without a browser command',
    async ({ method, argument, calls }) => {
      const subject = subjects[className] ?? {};
      for (const args of calls) {
        const reason = await failureOfCall(subject, method, args);
        const call = `${className}.${method}(${args.map(describeArgument).join(', ')})`;
        expect(sent.mock.calls, call).toEqual([]);
        if (OWN_ERRORS.some((kind) => reason instanceof kind)) continue;
        expect(reason, call).toBeInstanceOf(DriverInvalidArgumentError);
        // What is wrong inside an argument is named by its place: `argument.list[0]`.
        expect((reason as DriverInvalidArgumentError).argument, call).toMatch(new RegExp(`^${argument}($|[.[])`));
        expect((reason as Error).message, call).toMatch(
          new RegExp(`${argument}.* (must|takes|needs|applies|is for|cannot|expected) .|Cannot pass ${argument}\\b`),
        );
      }
    },
  );
});

it.each(
  Object.entries(argumentsByClass).flatMap(([className, table]) =>
    Object.entries(table).flatMap(([method, args]) => (args ? misspellingsOf(className, method, args) : [])),
  ),
)('$method() of $className rejects a misspelt option and suggests the right one', async (one) => {
  const { className, method, before, names } = one;
  for (const name of names) {
    const misspelt = `${name.slice(0, -1)}q`;
    const reason = await failureOfCall(subjects[className] ?? {}, method, [...before, { [misspelt]: undefined }]);
    expect(reason).toBeInstanceOf(DriverInvalidArgumentError);
    expect(reason).toMatchObject({ argument: misspelt, message: expect.stringContaining('Did you mean') });
  }
  expect(sent.mock.calls).toEqual([]);
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
  ['action.arguments', { selector: 'p', method: 'fill', arguments: Array.from({ length: 1 }) }],
  ['action.argument', { selector: 'p', description: '', method: 'fill', argument: ['Ada'] }],
  ['arguments', { selector: 'p', description: '', method: 'fill', arguments: [] }],
  ['action.method', { selector: 'p', description: '', method: null }],
  ['action.description', { selector: 'p', method: 'click' }],
  ['action.description', { selector: 'p', description: null, method: 'click' }],
  ['action.description', { selector: 'p', description: 5, method: 'click', arguments: [] }],
  ['action.description', { selector: 'p', description: Symbol('wrong') }],
];

it.each(actions)('act() rejects an invalid %s of the action %j without a browser command', async (argument, action) => {
  const reason = await failureOfCall(started.driver, 'act', [action]);
  expect(reason).toBeInstanceOf(DriverInvalidArgumentError);
  expect(reason).toMatchObject({ argument, message: expect.stringContaining(argument) });
  expect(sent.mock.calls).toEqual([]);
});

it('act() rejects invalid actions in the same way after a call with variables', async () => {
  await failureOf(started.driver.act('press %key%', { variables: { key: 'hunter22' }, signal: AbortSignal.abort() }));
  sent.mockClear();
  for (const [argument, action] of actions) {
    const reason = await failureOfCall(started.driver, 'act', [action]);
    expect(reason).toBeInstanceOf(DriverInvalidArgumentError);
    expect(reason).toMatchObject({ argument });
  }
  expect(sent.mock.calls).toEqual([]);
});

it.each<[method: string, args: readonly string[], argument: string]>([
  ['press', ['NoSuchKey'], 'keys'],
  ['scrollTo', ['150'], 'arguments'],
  ['scrollBy', ['far'], 'arguments'],
])('act() rejects %s with %j before it touches the element', async (method, args, argument) => {
  const page = await started.driver.context.newPage();
  await page.setContent('<input onfocus="window.touched = true">');
  const action = { selector: 'input', description: '', method, arguments: [...args] };
  const reason = await failureOf(started.driver.act(action, { page }));
  expect(reason).toBeInstanceOf(DriverInvalidArgumentError);
  expect(reason).toMatchObject({ argument });
  expect(await page.evaluate('window.touched')).toBeUndefined();
  await page.close();
});

/** What methods answer when there is no such element: an error that names it, unless this. */
const ANSWERS_WITHOUT_ELEMENT: Readonly<Record<string, unknown>> = {
  'Locator.all': [],
  'Locator.count': 0,
  'Locator.isVisible': false,
};

it.each(['Locator', 'FrameLocator'])(
  'every method of %s reports a missing element at its timeout',
  async (className) => {
    const subject = subjects[className] ?? {};
    const faults = await Promise.all(
      methodsOf(subject).map(async (method) => {
        const call = callMethod(subject, method, goodArguments({ className, method, subject }, { timeout: 300 }));
        if (!(call instanceof Promise)) return [];
        const answer = ANSWERS_WITHOUT_ELEMENT[`${className}.${method}`];
        if (answer !== undefined) return isDeepStrictEqual(await call, answer) ? [] : [[method, await call]];
        const failure = await failureOf(call);
        const isRight = failure instanceof DriverError && /NotFound|Timeout/.test(failure.name);
        return isRight && failure.message.includes('#absent') ? [] : [[method, String(failure)]];
      }),
    );
    expect(faults.flat()).toEqual([]);
  },
);

/** What is wrong with these has an error of its own by the interface. */
const OWN_ERRORS = [DriverHTTPHeadersError, DriverDomainPolicyError, DriverCookieError];

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

function misspellingsOf(className: string, method: string, args: NonNullable<MethodArguments>) {
  const place = args.findIndex(([argument]) => argument === 'options');
  const names = Object.keys(args[place]?.[1].fields ?? {}).filter(({ length }) => length >= MIN_LETTERS);
  const before = args.slice(0, place).map(([, { good }]) => good);
  return names.length === 0 ? [] : [{ className, method, before, names }];
}

/** What a call is refused with; one that was not refused at once has gone to the browser, and is not waited for. */
async function failureOfCall(subject: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const given = args.map((value) => (value === itself ? subject : value));
  const accepted = new TypeError('the call was to be refused at once and was not');
  const called = (async (): Promise<unknown> => callMethod(subject, method, given))();
  return Promise.race([failureOf(called), turns(MAX_TURNS).then(() => accepted)]);
}

/** A refusal may have to load a module first. */
const MAX_TURNS = 200;

function describeArgument(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${key}: ${typeof entry} ${String(entry)}`)
    .join()}}`;
}
