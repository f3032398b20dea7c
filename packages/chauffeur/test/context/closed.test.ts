import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DriverClosedError,
  DriverDomainPolicyError,
  DriverHTTPHeadersError,
  DriverInvalidArgumentError,
} from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';

let closedPage: TestDriver;
let closedDriver: TestDriver;

beforeAll(async () => {
  closedPage = await startDriver();
  closedDriver = await startDriver();
  subjects = {
    'of a closed page': partsOf(closedPage, ['page', 'locator', 'frameLocator', 'frame', 'keyboard', 'mouse']),
    'after the driver was closed': partsOf(closedDriver, [
      'page',
      'locator',
      'frameLocator',
      'frame',
      'keyboard',
      'mouse',
      'context',
      'clipboard',
    ]),
  };
  await closedPage.page.close();
  await closedDriver.driver.close();
});

afterAll(async () => {
  await closedPage?.driver.close();
  await closedDriver?.driver.close();
});

type Part = 'page' | 'locator' | 'frameLocator' | 'frame' | 'keyboard' | 'mouse' | 'context' | 'clipboard';
type State = 'of a closed page' | 'after the driver was closed';

let subjects: Readonly<Record<State, Readonly<Partial<Record<Part, object>>>>>;

function partsOf({ driver: { context }, page }: TestDriver, names: readonly Part[]): Partial<Record<Part, object>> {
  const parts = {
    page,
    context,
    locator: page.locator('p'),
    frameLocator: page.frameLocator('iframe'),
    frame: page.mainFrame(),
    keyboard: page.keyboard,
    mouse: page.mouse,
    clipboard: context.clipboard,
  };
  return Object.fromEntries(names.map((name) => [name, parts[name]]));
}

/** What ends what has ended has nothing left to do; a page that has closed is a wrong argument by itself. */
const EXCEPTIONS = new Set(['close', 'setActivePage']);
/** Methods that other parts of the library call; users do not see them. */
const INTERNALS = new Set(['box', 'keepFromPictures']);
const REFUSALS = [DriverInvalidArgumentError, DriverHTTPHeadersError, DriverDomainPolicyError];
/** Lists of arguments; each method is called with the first that it does not refuse. */
const doNothing = (): void => undefined;
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [],
  [1],
  ['about:blank'],
  ['Enter'],
  [doNothing],
  [[]],
  [null],
  [{}],
  [true],
  [1, 1],
  ['a', 'a'],
  ['a', doNothing],
  ['a', {}],
  ['console'],
  ['close', doNothing],
  [1, 1, 1, 1],
  ['a', 'a', 'a'],
];

describe.each<State>(['of a closed page', 'after the driver was closed'])('%s', (state) => {
  const parts: readonly Part[] = ['page', 'locator', 'frameLocator', 'frame', 'keyboard', 'mouse'];
  const all = state === 'of a closed page' ? parts : [...parts, 'context' as const, 'clipboard' as const];

  it.each(all)('every method of the %s fails at once with a DriverClosedError', async (part) => {
    const subject = subjects[state][part] ?? {};
    const methods = methodsOf(subject);
    expect(methods.length).toBeGreaterThan(0);
    const outcomes: Record<string, string> = {};
    for (const method of methods) outcomes[method] = await outcomeOf(subject, method);
    const wrong = Object.entries(outcomes).filter(
      ([, outcome]) => outcome !== 'closed' && outcome !== 'told without a page',
    );
    expect(Object.fromEntries(wrong)).toEqual({});
  });

  it('closing again is no fault', async () => {
    const { page, context } = subjects[state] as Record<string, { close(): Promise<void> } | undefined>;
    expect(await Promise.all([page?.close(), context?.close()])).toEqual([undefined, undefined]);
  });
});

/** The public methods of an object and of the classes that its class extends. */
function methodsOf(subject: object): string[] {
  const names = new Set<string>();
  for (
    let owner: unknown = Object.getPrototypeOf(subject);
    owner && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && name !== 'constructor' && !EXCEPTIONS.has(name) && !INTERNALS.has(name))
        names.add(name);
  }
  return [...names].toSorted();
}

/** What comes of a method: `closed`, or what else, in words. */
async function outcomeOf(subject: object, method: string): Promise<string> {
  for (const args of [...ARGUMENTS, [subject]]) {
    const outcome = await outcomeOfCall(subject, method, args);
    if (outcome !== 'wrong arguments') return outcome;
  }
  return 'refused all arguments that were tried';
}

async function outcomeOfCall(subject: object, method: string, args: readonly unknown[]): Promise<string> {
  const methods = subject as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  try {
    const result = methods[method]?.apply(subject, [...args]);
    if (!(result instanceof Promise)) return 'told without a page';
    return await Promise.race([result.then(() => 'succeeded'), turns(MOST_TURNS).then(() => 'nothing yet')]);
  } catch (error) {
    if (REFUSALS.some((kind) => error instanceof kind)) return 'wrong arguments';
    return error instanceof DriverClosedError ? 'closed' : String(error);
  }
}

/** Reading a file or loading a module may come first; a wait for a browser would take longer. */
const MOST_TURNS = 500;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
