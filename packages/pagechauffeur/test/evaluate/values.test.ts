import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverEvalError, DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';

let test: TestDriver;
let page: Page;

beforeAll(async () => {
  test = await startDriver();
  ({ page } = test);
  await page.goto('data:text/html,<p id="p">text</p>');
});

afterAll(() => test?.driver.close());

const bytes = [1, 0, 255, 128];

describe('values returned from the page', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['"a 🚕 and \\ud800"', 'a 🚕 and \ud800'],
    ['NaN', Number.NaN],
    ['-0', -0],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['123456789012345678901234567890n', 123456789012345678901234567890n],
    ['new Date(0)', new Date(0)],
    ['new Date(NaN)', new Date(Number.NaN)],
    ['/a[/]b/gi', /a[/]b/gi],
    ['new URL("http://a/b?c")', new URL('http://a/b?c')],
    [
      'new Map([["a", 1], [{ b: 2 }, new Set([3])]])',
      new Map<unknown, unknown>([
        ['a', 1],
        [{ b: 2 }, new Set([3])],
      ]),
    ],
    ['new Set(["x", undefined])', new Set(['x', undefined])],
    ['new Uint8Array([1, 0, 255, 128])', new Uint8Array(bytes)],
    ['new Int16Array([-1, 300])', new Int16Array([-1, 300])],
    ['new Float64Array([0.5, -0])', new Float64Array([0.5, -0])],
    ['new BigInt64Array([-5n])', new BigInt64Array([-5n])],
    ['new Uint8Array([1, 0, 255, 128]).buffer', new Uint8Array(bytes).buffer],
    ['new Uint8Array([9, 1, 0, 255, 128]).subarray(1)', new Uint8Array(bytes)],
    ['[1, , 3]', [1, undefined, 3]],
    ['({ a: undefined, b: [NaN, -0, 3n, null] })', { a: undefined, b: [Number.NaN, -0, 3n, null] }],
    ['({ ["__proto__"]: 1 })', JSON.parse('{"__proto__":1}')],
    ['({ when: [{ is: new Date(5) }] })', { when: [{ is: new Date(5) }] }],
    [
      '({ map: new Map([["bytes", new Uint8Array([1, 0, 255, 128])]]) })',
      { map: new Map([['bytes', new Uint8Array(bytes)]]) },
    ],
    ['[new Set([new Uint8Array([1, 0, 255, 128])])]', [new Set([new Uint8Array(bytes)])]],
    ['new (class Point { x = 1; get y() { return 2; } })', { x: 1 }],
    ['Object.create(null)', {}],
    ['Promise.resolve({ later: new Date(7) })', { later: new Date(7) }],
    ['new DOMRect(1, 2, 3, 4)', { x: 1, y: 2, width: 3, height: 4, top: 2, right: 4, bottom: 6, left: 1 }],
  ])('returns the value of %s', async (expression, value) => {
    expect(await page.evaluate(`(${expression})`)).toEqual(value);
  });

  it.each([
    '() => 1',
    'Symbol("s")',
    'document.body',
    'window',
    'new WeakMap()',
    'new Proxy({}, {})',
    '(function* () {})()',
  ])('returns undefined for %s, alone and nested', async (expression) => {
    expect(await page.evaluate(`(${expression})`)).toBeUndefined();
    expect(await page.evaluate(`[{ it: ${expression}, other: 1 }]`)).toEqual([{ it: undefined, other: 1 }]);
  });

  it('returns an error with its name, message and stack', async () => {
    const error = (await page.evaluate('function make() { return new RangeError("too far"); } make()')) as Error;
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message]).toEqual(['RangeError', 'too far']);
    expect(error.stack).toMatch(/^RangeError: too far\n\s+at make/);
    expect(await page.evaluate('({ failures: [new TypeError("one")] })')).toMatchObject({
      failures: [{ name: 'TypeError', message: 'one' }],
    });
  });

  it('preserves circular and shared references', async () => {
    const ring = (await page.evaluate('const ring = { n: 1 }; ring.ring = ring; ring.list = [ring]; ring')) as {
      ring: unknown;
      list: unknown[];
    };
    expect(ring.ring).toBe(ring);
    expect(ring.list[0]).toBe(ring);
    const [first, second] = (await page.evaluate('const both = { a: [] }; [both, both]')) as unknown[];
    expect(first).toEqual({ a: [] });
    expect(second).toBe(first);
  });

  it.each([
    ['({ get a() { throw new Error("no"); } })', /Cannot return the result from the page: .*Return plain data/],
    [
      '(() => { const top = {}; let at = top; for (let i = 0; i < 3000; i += 1) at = at.next = {}; return top; })()',
      /Cannot return the result from the page/,
    ],
  ])('rejects %s with a readable error', async (expression, sentence) => {
    const failure = await failureOf(page.evaluate(expression));
    expect(failure).toBeInstanceOf(DriverEvalError);
    expect(String(failure)).toMatch(sentence);
  });

  it('returns a list of 100,000 items and a text of 10 million characters', async () => {
    expect(await page.evaluate('Array.from({ length: 100_000 }, (_, i) => i)')).toHaveLength(100_000);
    expect(await page.evaluate('"x".repeat(10_000_000)')).toHaveLength(10_000_000);
    expect(await page.evaluate('new Uint8Array(1_000_000)')).toHaveLength(1_000_000);
  });

  it('returns data from a page that replaced built-in prototypes', async () => {
    const tab = await test.driver.context.newPage('data:text/html,<p>hostile');
    await tab.evaluate(`
      for (const type of [Array, Map, Set, Date, RegExp, Object, Promise]) {
        for (const name of Object.getOwnPropertyNames(type.prototype)) {
          try { if (name !== 'constructor') type.prototype[name] = () => { throw new Error('trap'); }; } catch {}
        }
      }
      JSON.stringify = JSON.parse = () => { throw new Error('trap'); };
      undefined`);
    expect(await tab.evaluate('({ a: [1, { b: null }], d: new Date(5), r: /x/g })')).toEqual({
      a: [1, { b: null }],
      d: new Date(5),
      r: /x/g,
    });
    expect(await tab.evaluate((value: unknown) => value, { a: [1, 'two'] })).toEqual({ a: [1, 'two'] });
    await tab.close();
  });
});

describe('arguments passed to the page', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text with quotes and line breaks', '"\'`\\ \u2028 \n 🚕 </script>'],
    ['NaN', Number.NaN],
    ['-0', -0],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['a bigint', -12n],
    ['a date', new Date(1234)],
    ['a regular expression', /a\/"b/giu],
    ['a URL', new URL('http://a/b')],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', { b: new Set([1]) }],
        [2, undefined],
      ]),
    ],
    ['a Uint8Array', new Uint8Array(bytes)],
    ['a copy of a Node.js Buffer', new Uint8Array(Buffer.from('abc'))],
    ['a Float32Array', new Float32Array([0.5])],
    ['a BigUint64Array', new BigUint64Array([5n])],
    ['an array buffer', new Uint8Array(bytes).buffer],
    ['nested undefined', { a: undefined, b: [undefined, 1n, Number.NaN] }],
    ['a __proto__ key', JSON.parse('{"__proto__":{"x":1}}')],
    ['an object that looks like a handle', { objectId: '1.2.3' }],
    ['a key with special characters', { 'a b-"c"': new Date(1) }],
  ])('passes and returns %s', async (_name, value) => {
    expect(await page.evaluate((argument: unknown) => argument, value)).toEqual(value);
  });

  it('preserves the type of built-in objects', async () => {
    const kinds = await page.evaluate(
      (values: unknown[]) => values.map((value) => Object.prototype.toString.call(value)),
      [new Date(), /x/, new Map(), new Set(), new Error('e'), new Uint8Array(1), new DataView(new ArrayBuffer(2))],
    );
    expect(kinds).toEqual(
      ['Date', 'RegExp', 'Map', 'Set', 'Error', 'Uint8Array', 'DataView'].map((kind) => `[object ${kind}]`),
    );
  });

  it('passes an error with its name and message', async () => {
    const facts = await page.evaluate((error: Error) => `${error.name}: ${error.message}`, new TypeError('of ours'));
    expect(facts).toBe('TypeError: of ours');
  });

  it('passes own properties or the toJSON() result of a class instance', async () => {
    class Money {
      readonly amount = 5n;
    }
    class Named {
      readonly hidden = 1n;
      toJSON(): unknown {
        return { name: 'n' };
      }
    }
    expect(await page.evaluate((value: unknown) => value, new Money())).toEqual({ amount: 5n });
    expect(await page.evaluate((value: unknown) => value, [new Named()])).toEqual([{ name: 'n' }]);
  });

  const ring: Record<string, unknown> = { list: [] };
  ring['list'] = [ring];
  it.each<[unknown, RegExp]>([
    [() => 1, /^Cannot pass argument to the page: it is a value of type function, which cannot be sent/],
    [Symbol('s'), /Cannot pass argument to the page: .* the symbol Symbol\(s\)/],
    [{ a: [{ go: () => 1 }] }, /Cannot pass argument\.a\[0\]\.go to the page/],
    [ring, /Cannot pass argument\.list\[0\] to the page: it contains a circular reference/],
    [{ soon: Promise.resolve(1) }, /Cannot pass argument\.soon to the page/],
    [new Map([['a', Symbol('in')]]), /Cannot pass argument\[0\]\[1\] to the page/],
  ])('rejects %o and names its path', async (value, sentence) => {
    const failure = await failureOf(page.evaluate((argument: unknown) => argument, value));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect((failure as Error).message).toMatch(sentence);
  });
});
