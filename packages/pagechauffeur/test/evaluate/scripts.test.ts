import { beforeAll, describe, expect, it } from 'vitest';
import {
  DriverAbortError,
  DriverClosedError,
  DriverEvalError,
  DriverInvalidArgumentError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({
  routes: {
    '/': '<!doctype html><title>Start</title><script>function fails() { throw new TypeError("out of milk"); }</script>',
    '/strict': (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'",
        })
        .end('<title>Strict</title>'),
  },
});
let page: Page;

beforeAll(async () => {
  ({ page } = test);
  await page.goto(test.server.origin);
});

describe('errors that a script throws', () => {
  it.each([
    ['throw "a string"', 'The page threw: a string'],
    ['throw ""', 'The page threw: '],
    ['throw undefined', 'The page threw: undefined'],
    ['throw null', 'The page threw: null'],
    ['throw 5', 'The page threw: 5'],
    ['throw -0', 'The page threw: -0'],
    ['throw 5n', 'The page threw: 5n'],
    ['throw { code: 7, why: "full" }', 'The page threw: Object { code: 7, why: full }'],
    ['throw [1, 2]', 'The page threw: Array(2) { 0: 1, 1: 2 }'],
    ['Promise.reject({ code: 7 })', 'The page threw: Object { code: 7 }'],
    ['Promise.reject()', 'The page threw: undefined'],
    ['fails()', 'The page threw: TypeError: out of milk\n    at fails (http'],
    ['(async () => { await null; fails(); })()', 'The page threw: TypeError: out of milk\n    at fails (http'],
    [
      'new (class Broken extends Error { name = "Broken" })("x") && absent',
      'The page threw: ReferenceError: absent is not defined',
    ],
    ['throw new (class Broken extends Error {})("own kind")', 'The page threw: Broken: own kind'],
    ['1 +', 'The page threw: SyntaxError: Unexpected end of input'],
  ])('rejects %s with a readable message', async (script, words) => {
    const failure = await failureOf(page.evaluate(script));
    expect(failure).toBeInstanceOf(DriverEvalError);
    expect(failure).toMatchObject({ code: 'EVAL', message: expect.stringContaining(words) });
  });

  it('rejects with the error that a function throws', async () => {
    await expect(
      page.evaluate((text: string) => {
        throw new RangeError(text);
      }, 'too far'),
    ).rejects.toThrow(/The page threw: RangeError: too far\n/);
  });
});

describe('page.evaluate()', () => {
  it('awaits promises and thenables', async () => {
    expect(await page.evaluate("new Promise((resolve) => setTimeout(resolve, 1, 'late'))")).toBe('late');
    expect(await page.evaluate('(async () => ({ deep: await Promise.resolve(5) }))()')).toEqual({ deep: 5 });
    expect(await page.evaluate('({ then(done) { done(3); } })')).toBe(3);
  });

  it('calls functions of every form with one argument', async () => {
    const named = function named(n: number): number {
      return n + 1;
    };
    const holder = {
      add(n: number): number {
        return n + 2;
      },
    };
    expect(await page.evaluate(named, 1)).toBe(2);
    expect(await page.evaluate(holder.add, 1)).toBe(3);
    expect(await page.evaluate((n: number) => n + 3, 1)).toBe(4);
    expect(await page.evaluate(async (n: number) => n + 4, 1)).toBe(5);
    expect(await page.evaluate(({ a, b: [c] }: { a: number; b: number[] }) => a + (c ?? 0), { a: 1, b: [5] })).toBe(6);
    expect(await page.evaluate((given?: unknown) => given === undefined)).toBe(true);
    expect(await page.evaluate((n: bigint) => n * 2n, 4n)).toBe(8n);
  });

  it('runs in a page whose CSP forbids scripts', async () => {
    await page.goto(`${test.server.origin}/strict`);
    expect(await page.evaluate('1 + 1')).toBe(2);
    expect(await page.evaluate((at: Date) => at.getTime(), new Date(9))).toBe(9);
    await page.goto(test.server.origin);
  });

  it('returns the right value for each of 50 concurrent calls', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    expect(await Promise.all(numbers.map((n) => page.evaluate((given: number) => [given], n)))).toEqual(
      numbers.map((n) => [n]),
    );
  });

  it('rejects when the page navigates and works in the next document', async () => {
    const failure = await failureOf(page.evaluate("new Promise(() => { location.href = '/?next'; })"));
    expect(failure).toBeInstanceOf(DriverEvalError);
    expect(String(failure)).toContain('The page navigated while the script ran in it');
    expect(await page.evaluate('location.search')).toBe('?next');
  });

  it('rejects with DriverClosedError when the page closes', async () => {
    const tab = await test.driver.context.newPage(test.server.origin);
    const failure = failureOf(tab.evaluate('new Promise(() => undefined)'));
    await tab.close();
    expect(await failure).toBeInstanceOf(DriverClosedError);
    await expect(tab.evaluate('1')).rejects.toThrow(DriverClosedError);
  });

  it('rejects on timeout and works again afterwards', async () => {
    const limits = { timeout: 100 };
    const late = await failureOf(page.evaluate('new Promise(() => undefined)', undefined, limits));
    expect(late).toBeInstanceOf(DriverTimeoutError);
    expect(late).toMatchObject({ operation: 'page.evaluate', timeout: 100 });
    expect(await page.evaluate('2')).toBe(2);
  });

  it('does not run a script whose signal has aborted', async () => {
    const aborted = await failureOf(
      page.evaluate('window.hasRun = true', undefined, { signal: AbortSignal.abort('enough') }),
    );
    expect(aborted).toBeInstanceOf(DriverAbortError);
    expect(aborted).toMatchObject({ cause: 'enough' });
    expect(await page.evaluate('window.hasRun')).toBeUndefined();
  });

  it('rejects with the reason when the signal aborts a running script, and works again afterwards', async () => {
    const controller = new AbortController();
    const running = page.waitForEvent('console');
    const aborted = failureOf(
      page.evaluate('console.log("running"); new Promise(() => undefined)', undefined, { signal: controller.signal }),
    );
    await running;
    controller.abort('enough');
    expect(await aborted).toBeInstanceOf(DriverAbortError);
    expect(await aborted).toMatchObject({ cause: 'enough' });
    expect(await page.evaluate('2')).toBe(2);
  });

  it.each([[5], [''], [null], [undefined], [{}], [['1']]])('rejects the script %o', async (script) => {
    const failure = await failureOf(page.evaluate(script as never));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'script' });
  });

  it('releases all page objects of results and errors', async () => {
    const instances = async (): Promise<unknown> => {
      const { result } = (await page.sendCDP('Runtime.evaluate', { expression: 'Kept.prototype' })) as {
        result: { objectId: string };
      };
      const { objects } = (await page.sendCDP('Runtime.queryObjects', { prototypeObjectId: result.objectId })) as {
        objects: { description: string };
      };
      return objects.description;
    };
    await page.evaluate('window.Kept = class Kept {}; undefined');
    for (let count = 0; count < 5; count += 1) await page.evaluate('new Kept()');
    await failureOf(page.evaluate('throw new Kept()'));
    expect(await instances()).toBe('Array(0)');
  });
});
