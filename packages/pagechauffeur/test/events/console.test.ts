import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleMessage, DriverEvalError, type Page } from '../../src/index.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({
  routes: {
    '/': '<title>Quiet</title><button>b</button>',
    '/talks': `<title>Talks</title><script>
console.warn('from line 2');
</script>`,
    '/missing-picture': '<img src="/no-such-picture">',
    '/throws': `<title>Throws</title><script>
      function broken() { throw new TypeError('out of order'); }
      broken();
    </script>`,
    '/frame': `<script>console.log('from the frame'); throw new RangeError('frame broke')</script>`,
  },
});
const openPage = reusedPage(test);
let page: Page;

beforeAll(() => {
  test.server.page('/framed', `<iframe src="${test.server.otherOrigin}/frame"></iframe>`);
});

beforeEach(async () => {
  page = await openPage();
});

async function messageOf(script: string): Promise<ConsoleMessage> {
  const [message] = await Promise.all([page.waitForEvent('console'), page.evaluate(`void (${script})`)]);
  return message;
}

describe('console messages', () => {
  it.each([
    ['console.log("a")', 'log'],
    ['console.info("a")', 'info'],
    ['console.debug("a")', 'debug'],
    ['console.warn("a")', 'warning'],
    ['console.error("a")', 'error'],
    ['console.trace("a")', 'trace'],
    ['console.dir("a")', 'dir'],
    ['console.table("a")', 'table'],
    ['console.assert(false, "a")', 'assert'],
    ['console.group("a")', 'startGroup'],
    ['console.count("a")', 'count'],
  ])('maps %s to the type %s', async (script, type) => {
    expect((await messageOf(script)).type()).toBe(type);
  });

  it.each([
    ['"a", "b"', ['a', 'b'], 'a b'],
    ['1, -0.5, true, null', [1, -0.5, true, null], '1 -0.5 true null'],
    ['undefined', [undefined], 'undefined'],
    ['NaN, Infinity', [Number.NaN, Number.POSITIVE_INFINITY], 'NaN Infinity'],
    ['10n', ['10n'], '10n'],
    ['{ a: 1, b: "x" }', [{ a: 1, b: 'x' }], '{"a":1,"b":"x"}'],
    ['[1, [2, "three"], { four: 4 }]', [[1, [2, 'three'], { four: 4 }]], '[1,[2,"three"],{"four":4}]'],
    [
      '{ deep: { er: { still: [null, true] } } }',
      [{ deep: { er: { still: [null, true] } } }],
      '{"deep":{"er":{"still":[null,true]}}}',
    ],
    ['new Uint8Array([1, 2])', [[1, 2]], '[1,2]'],
    ['/a+b/g', ['/a+b/g'], '/a+b/g'],
    ['document.body', ['body'], 'body'],
    ['Symbol("s")', ['Symbol(s)'], 'Symbol(s)'],
    ['"%s is %d", "x", 5', ['%s is %d', 'x', 5], '%s is %d x 5'],
  ])('returns the arguments of console.log(%s) as plain data and as text', async (args, values, text) => {
    const message = await messageOf(`console.log(${args})`);
    expect(message.args()).toEqual(values);
    expect(message.text()).toBe(text);
    expect(() => JSON.stringify(message.args())).not.toThrow();
  });

  it('uses the stack as the text of an error', async () => {
    const message = await messageOf('console.error(new TypeError("bad"))');
    expect(message.text()).toMatch(/^TypeError: bad\n\s+at /);
  });

  it('runs no getter, proxy trap or toJSON of the page', async () => {
    const message = await messageOf(`console.log((() => {
      window.runs = 0;
      return {
        get seen() { window.runs += 1; return 1; },
        toJSON() { window.runs += 1; return 2; },
        inner: new Proxy({}, { get: () => { window.runs += 1; }, ownKeys: () => { window.runs += 1; return []; } }),
      };
    })())`);
    expect(await page.evaluate('window.runs')).toBe(0);
    expect(message.args()).toEqual([{ seen: '[getter]', toJSON: expect.any(String), inner: expect.any(String) }]);
  });

  it('limits the text of a cyclic object', async () => {
    const message = await messageOf(`console.log((() => { const a = { n: 1 }; a.self = a; return a; })())`);
    expect(message.text()).toContain('"n":1');
    expect(message.text().length).toBeLessThan(2000);
  });

  it('emits messages in the order they were logged, even if objects must be read first', async () => {
    const texts: string[] = [];
    page.on('console', (message) => texts.push(message.text()));
    await page.evaluate('console.log({ n: 1 }); console.log("two"); console.log([3]); console.log("four")');
    await expect.poll(() => texts).toEqual(['{"n":1}', 'two', '[3]', 'four']);
  });

  it('reports URL, line and column of the call', async () => {
    const [message] = await Promise.all([page.waitForEvent('console'), page.goto(`${test.server.origin}/talks`)]);
    expect(message.location()).toEqual({ url: `${test.server.origin}/talks`, lineNumber: 1, columnNumber: 8 });
    expect([message.type(), message.text()]).toEqual(['warning', 'from line 2']);
  });

  it('emits messages of frames in other processes', async () => {
    const waiting = page.waitForEvent('console', (message) => message.text() === 'from the frame');
    await page.goto(`${test.server.origin}/framed`);
    expect((await waiting).location().url).toBe(`${test.server.otherOrigin}/frame`);
  });

  it('emits messages that the browser itself logs', async () => {
    const waiting = page.waitForEvent('console', (message) => message.text().includes('404'));
    await page.goto(`${test.server.origin}/missing-picture`);
    const message = await waiting;
    expect([message.type(), message.location().url]).toEqual(['error', `${test.server.origin}/no-such-picture`]);
  });

  it('omits messages logged before the listener was added', async () => {
    await page.evaluate('console.log("before")');
    const texts: string[] = [];
    page.on('console', (message) => texts.push(message.text()));
    await page.evaluate('console.log("after")');
    await expect.poll(() => texts).toEqual(['after']);
  });

  it('stops when the listener is removed, and resumes when it is added again', async () => {
    const texts: string[] = [];
    const listener = (message: ConsoleMessage): void => void texts.push(message.text());
    page.on('console', listener);
    await page.evaluate('console.log("one")');
    page.off('console', listener);
    await page.evaluate('console.log("two")');
    page.on('console', listener);
    await page.evaluate('console.log("three")');
    await expect.poll(() => texts).toEqual(['one', 'three']);
  });
});

describe('uncaught page errors', () => {
  it.each([
    ['setTimeout(() => { throw new Error("boom") })', 'Error: boom'],
    ['setTimeout(() => { throw new TypeError("typed") })', 'TypeError: typed'],
    ['setTimeout(() => { throw "a string" })', 'a string'],
    ['setTimeout(() => { throw 5 })', '5'],
    ['setTimeout(() => { throw null })', 'null'],
    ['setTimeout(() => { throw undefined })', 'undefined'],
    ['setTimeout(() => { noSuchName() })', 'ReferenceError: noSuchName is not defined'],
    ['setTimeout(() => { throw new Error("two\\nlines") })', 'Error: two\nlines'],
    ['Promise.reject(new Error("unheard"))', 'Error: unheard'],
    ['Promise.reject("words")', 'words'],
  ])('emits an error with the message of the page for %s', async (script, message) => {
    const [error] = await Promise.all([page.waitForEvent('pageerror'), page.evaluate(`void ${script}`)]);
    expect(error).toBeInstanceOf(DriverEvalError);
    expect(error.message).toBe(message);
  });

  it('keeps the stack of the page', async () => {
    const [error] = await Promise.all([page.waitForEvent('pageerror'), page.goto(`${test.server.origin}/throws`)]);
    expect(error.message).toBe('TypeError: out of order');
    expect(error.stack).toContain('at broken (');
    expect(error.stack).toContain(`${test.server.origin}/throws:2:`);
  });

  it('emits errors of frames in other processes', async () => {
    const [error] = await Promise.all([page.waitForEvent('pageerror'), page.goto(`${test.server.origin}/framed`)]);
    expect(error.message).toBe('RangeError: frame broke');
  });

  it('emits nothing for an error that the page catches', async () => {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.evaluate('try { throw new Error("caught") } catch {}');
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(errors).toEqual([]);
  });
});
