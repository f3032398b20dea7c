import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverEvalError, DriverInvalidArgumentError, DriverTimeoutError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

beforeAll(async () => {
  server = await serve({
    '/': '<!doctype html><title>Évaluer</title><p id="p">text</p><script>function fails() { throw new TypeError("out of milk"); }</script>',
  });
  test = await startDriver({ defaultTimeout: 15_000 });
  ({ page } = test);
  await page.goto(server.origin);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

describe('page.evaluate()', () => {
  // [spec: page.evaluate]
  it.each([
    ['1 + 1', 2],
    ["document.querySelector('#p').textContent", 'text'],
    ['[1, { two: [3] }]', [1, { two: [3] }]],
    ['undefined', undefined],
    ['null', null],
    ['NaN', Number.NaN],
    ['-0', -0],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['2n ** 70n', 2n ** 70n],
    ['Promise.resolve("later")', 'later'],
    ['{ let a = 5; a * 2 }', 10],
  ])('returns the value of the expression %s', async (expression, value) => {
    expect(await page.evaluate(expression)).toEqual(value);
  });

  it.each([
    [5],
    ['x'],
    [null],
    [undefined],
    [Number.NaN],
    [-0],
    [Number.POSITIVE_INFINITY],
    [12n],
    [{ a: [1, { b: null }] }],
    [{ objectId: 'not a handle' }],
  ])('passes the argument %o to a function and returns it', async (value) => {
    expect(await page.evaluate((argument: unknown) => argument, value)).toEqual(value);
  });

  it('calls functions of every form', async () => {
    const forms = {
      method(n: number): number {
        return n + 1;
      },
      async later(n: number): Promise<number> {
        return Promise.resolve(n + 2);
      },
    };
    expect(await page.evaluate(forms.method, 1)).toBe(2);
    expect(await page.evaluate(forms.later, 1)).toBe(3);
    expect(await page.evaluate(async (n: number) => n + 3, 1)).toBe(4);
    expect(
      await page.evaluate(function named(n: number) {
        return n + 4;
      }, 1),
    ).toBe(5);
  });

  it('runs in the main world of the page', async () => {
    await page.evaluate('window.ours = 1');
    expect(await page.evaluate('typeof fails + window.ours')).toBe('function1');
    expect(await page.evaluate('typeof chauffeur')).toBe('undefined');
  });

  it('rejects with the message and stack of an error that the page threw', async () => {
    const failure = page.evaluate('fails()');
    await expect(failure).rejects.toThrow(DriverEvalError);
    await expect(failure).rejects.toThrow(/The page threw: TypeError: out of milk\n\s+at fails \(http/);
    await expect(page.evaluate('Promise.reject(new RangeError("too far"))')).rejects.toThrow(/RangeError: too far/);
    await expect(page.evaluate('throw "a string"')).rejects.toThrow('The page threw: a string');
    await expect(page.evaluate('throw undefined')).rejects.toThrow('The page threw: undefined');
    await expect(page.evaluate('1 +')).rejects.toThrow(/SyntaxError/);
  });

  it('rejects arguments and scripts that cannot be sent to the page', async () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    for (const argument of [ring, () => 1, Symbol('s')]) {
      await expect(page.evaluate((value: unknown) => value, argument)).rejects.toThrow(DriverInvalidArgumentError);
    }
    await expect(page.evaluate(5 as never)).rejects.toThrow(/script must be a non-empty string. Received the number 5/);
    await expect(page.evaluate('')).rejects.toThrow(DriverInvalidArgumentError);
  });

  it('rejects with the reason when the page navigates', async () => {
    await expect(page.evaluate("new Promise(() => { location.href = '/?next'; })")).rejects.toThrow(
      /The page navigated while the script ran in it/,
    );
    await page.goto(server.origin);
  });

  it('times out on a promise that never resolves and works again afterwards', async () => {
    const quick = await startDriver({ defaultTimeout: 300 });
    await expect(quick.page.evaluate('new Promise(() => undefined)')).rejects.toThrow(DriverTimeoutError);
    // The machine may be as busy as the page; then the limit of the call is too short once more.
    await expect.poll(() => quick.page.evaluate('1')).toBe(1);
    await quick.driver.close();
  });
});

describe('page.title(), page.content() and page.targetId()', () => {
  // [spec: page.title]
  it('returns title and content of the current document after a navigation', async () => {
    expect(await page.title()).toBe('Évaluer');
    expect(await page.content()).toMatch(/^<!DOCTYPE html><html><head><title>Évaluer<\/title>/);
    server.page('/next', '<title>Next</title>');
    await page.evaluate("void (location.href = '/next')");
    await expect.poll(() => page.title()).toBe('Next');
    await page.evaluate('void document.documentElement.remove()');
    expect([await page.title(), await page.content()]).toEqual(['', '']);
  });

  it('returns the target id that `sendCDP()` reports and rejects unknown CDP methods', async () => {
    expect(page.targetId()).toBe(page.mainFrameId());
    const { targetInfo } = (await page.sendCDP('Target.getTargetInfo')) as { targetInfo: { targetId: string } };
    expect(targetInfo.targetId).toBe(page.targetId());
    await expect(page.sendCDP('No.suchMethod')).rejects.toThrow(/The browser rejected No\.suchMethod: .*wasn't found/);
    await expect(page.sendCDP('')).rejects.toThrow(DriverInvalidArgumentError);
  });
});
