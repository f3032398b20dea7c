import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, DriverTimeoutError, type LoadState, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

beforeAll(async () => {
  server = await serve({
    '/': '<!doctype html><title>Start</title><body><main></main></body>',
    '/cart': '<title>Cart</title>',
    '/picture.png': (_request, response) => setTimeout(() => response.end('no picture'), 200),
    '/inside': '<p class="late">inside</p>',
  });
  test = await startDriver();
  ({ page } = test);
});

beforeEach(async () => {
  await page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

describe('page.waitForURL()', () => {
  it.each<[string, string | RegExp | ((url: URL) => boolean)]>([
    ['a glob', '**/cart'],
    ['a glob with alternatives', '**/{basket,cart}*'],
    ['a regular expression', /\/cart$/],
    ['a function', ({ pathname }: URL) => pathname === '/cart'],
  ])('waits until the URL matches %s', async (_name, pattern) => {
    const waiting = page.waitForURL(pattern);
    await page.evaluate("void setTimeout(() => { location.href = '/cart'; }, 10)");
    await waiting;
    expect([page.url(), await page.title()]).toEqual([`${server.origin}/cart`, 'Cart']);
    await page.waitForURL(pattern);
  });

  it.each([
    ["history.pushState(null, '', '/pushed')", '**/pushed'],
    ["history.replaceState(null, '', '/replaced')", '**/replaced'],
    ["location.hash = 'part'", '**/#part'],
    ["location.replace('/cart')", '**/cart'],
  ])('detects %s', async (script, pattern) => {
    const waiting = page.waitForURL(pattern, { waitUntil: 'load' });
    await page.evaluate(`void setTimeout(() => { ${script}; }, 10)`);
    await waiting;
    expect(page.url()).toContain(pattern.slice(3));
  });

  it('waits for the matching URL, not for the first change', async () => {
    const waiting = page.waitForURL('**/#three');
    await page.evaluate("for (const part of ['one', 'two', 'three']) location.hash = part");
    await waiting;
    expect(page.url()).toBe(`${server.origin}/#three`);
  });

  it('reports the current URL at its timeout', async () => {
    const failure = await failureOf(page.waitForURL('**/nowhere', { timeout: 50 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect(String(failure)).toContain(`the URL is ${server.origin}/`);
  });

  it.each([[5], [''], [null], [undefined], [{}]])('rejects the pattern %o', async (pattern) => {
    expect(await failureOf(page.waitForURL(pattern as never))).toBeInstanceOf(DriverInvalidArgumentError);
  });

  it('rejects with the error of the predicate', async () => {
    await expect(
      page.waitForURL(() => {
        throw new RangeError('of ours');
      }),
    ).rejects.toThrow('of ours');
  });
});

describe('page.waitForFunction()', () => {
  it.each([['raf' as const], [10], [undefined]])(
    'returns the first truthy result with the polling %o',
    async (polling) => {
      await page.evaluate('window.count = 0');
      const limits = polling === undefined ? {} : { polling };
      const answer = await page.waitForFunction(
        ({ most }: { most: number }) => {
          const counter = globalThis as unknown as { count: number };
          counter.count += 1;
          return counter.count >= most && { count: counter.count };
        },
        { most: 5 },
        limits,
      );
      expect(answer).toEqual({ count: 5 });
    },
  );

  it('accepts expressions and promises', async () => {
    await page.evaluate("void setTimeout(() => { document.title = 'Ready'; }, 50)");
    expect(await page.waitForFunction("document.title === 'Ready' && document.title")).toBe('Ready');
    expect(await page.waitForFunction('Promise.resolve(new Map([[1, 2]]))')).toEqual(new Map([[1, 2]]));
  });

  it('continues in the next document', async () => {
    const waiting = page.waitForFunction("document.title === 'Cart'");
    await page.evaluate("void (location.href = '/cart')");
    expect(await waiting).toBe(true);
  });

  it('rejects with the error of the function, and at its timeout', async () => {
    await expect(page.waitForFunction('absent.thing')).rejects.toThrow(/ReferenceError: absent is not defined/);
    const failure = await failureOf(page.waitForFunction('false', undefined, { timeout: 50 }));
    expect(failure).toMatchObject({ operation: 'page.waitForFunction', timeout: 50, code: 'TIMEOUT' });
  });

  it.each([[0], [-5], ['often'], [1.5]])('rejects the polling %o', async (polling) => {
    const failure = await failureOf(page.waitForFunction('1', undefined, { polling: polling as never }));
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'polling' });
  });
});

describe('page.waitForSelector()', () => {
  const show = "const p = document.createElement('p'); p.className = 'late'; p.textContent = 'late';";
  it.each([
    ['an element added to the body', '.late', `${show} document.body.append(p)`],
    [
      'one in an open shadow root attached during the wait',
      '.late',
      `${show} const host = document.createElement('div'); document.body.append(host); setTimeout(() => host.attachShadow({ mode: 'open' }).append(p), 20)`,
    ],
    [
      'one in a closed shadow root attached during the wait',
      '.late',
      `${show} const host = document.createElement('div'); document.body.append(host); setTimeout(() => host.attachShadow({ mode: 'closed' }).append(p), 20)`,
    ],
    [
      'one in a declarative closed shadow root',
      '.late',
      `document.querySelector('main').setHTMLUnsafe('<div><template shadowrootmode="closed"><p class="late">late</p></template></div>')`,
    ],
    [
      'one added to an existing shadow root',
      '.late',
      `${show} const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }); setTimeout(() => root.append(p), 20)`,
    ],
    [
      'one in a frame added late',
      'iframe >> .late',
      `const frame = document.createElement('iframe'); frame.src = '/inside'; document.body.append(frame)`,
    ],
    [
      'one in a cross-site frame added late',
      'iframe >> .late',
      `const frame = document.createElement('iframe'); frame.src = 'OTHER/inside'; document.body.append(frame)`,
    ],
    [
      'one in a frame that navigates',
      'iframe >> .late',
      `const frame = document.createElement('iframe'); document.body.append(frame); setTimeout(() => { frame.src = 'OTHER/inside'; }, 20)`,
    ],
    [
      'one in a frame in a closed shadow root',
      'iframe >> .late',
      `const host = document.body.appendChild(document.createElement('div')); host.attachShadow({ mode: 'closed' }).innerHTML = '<iframe src="/inside"></iframe>'`,
    ],
    [
      'one written into a frame',
      'iframe >> .late',
      `const frame = document.body.appendChild(document.createElement('iframe')); frame.contentDocument.body.innerHTML = '<p class="late">late</p>'`,
    ],
    ['new text', 'text=late', "document.querySelector('main').textContent = 'late'"],
    [
      'a new attribute value',
      'main[data-state=done]',
      "document.querySelector('main').append('x'); document.querySelector('main').dataset.state = 'done'",
    ],
  ])('detects %s', async (_name, selector, script) => {
    const waiting = page.waitForSelector(selector);
    await page.evaluate(`void setTimeout(() => { ${script.replaceAll('OTHER', server.otherOrigin)} }, 20)`);
    expect(await waiting).toBe(true);
  });

  it.each([
    ['a class of the element', '', "document.querySelector('p').classList.remove('hidden')"],
    [
      'a class of its parent',
      '',
      "document.querySelector('p').className = ''; document.querySelector('main').className = 'hidden'; setTimeout(() => { document.querySelector('main').className = ''; }, 30)",
    ],
    [
      'a class of the root',
      '',
      "document.querySelector('p').className = 'unless-open'; setTimeout(() => document.documentElement.classList.add('open'), 30)",
    ],
    [
      'an added style sheet',
      '',
      "document.head.insertAdjacentHTML('beforeend', '<style>p.hidden { display: block !important }</style>')",
    ],
    ['a removed style sheet', '', "document.querySelector('style').remove()"],
    ['an inserted CSS rule', '', "document.styleSheets[0].insertRule('p.hidden { display: block !important }')"],
    ['a disabled style sheet', '', 'document.styleSheets[0].disabled = true'],
    [
      'the hidden attribute',
      'hidden',
      "document.querySelector('p').hidden = false; document.querySelector('p').className = ''",
    ],
    [
      'a visibility transition',
      '',
      "document.querySelector('p').className = 'fading'; requestAnimationFrame(() => requestAnimationFrame(() => { document.querySelector('p').className = 'fading shown'; }))",
    ],
    [
      'a new size',
      '',
      "document.querySelector('p').className = 'small'; setTimeout(() => { document.querySelector('p').className = ''; }, 30)",
    ],
    ['an animation', '', "document.querySelector('p').className = 'animated'"],
    [
      'an opened details element',
      '',
      "const details = document.createElement('details'); details.innerHTML = '<summary>s</summary>'; document.querySelector('p').className = ''; details.append(document.querySelector('p')); document.body.append(details); setTimeout(() => { details.open = true; }, 30)",
    ],
  ])('detects that an element becomes visible by %s', async (_name, attributes, script) => {
    await page.setContent(`<style>.hidden, .unless-open { display: none } .open .unless-open { display: block }
      .fading { visibility: hidden; transition: visibility 50ms } .shown { visibility: visible }
      .small { width: 0; height: 0; overflow: hidden; margin: 0; padding: 0; font-size: 0 }
      @keyframes show { from { visibility: hidden } to { visibility: visible } } .animated { animation: show 60ms both steps(1) }
      </style><main><p class="hidden" ${attributes}>late</p></main>`);
    const waiting = page.waitForSelector('p');
    await page.evaluate(`void setTimeout(() => { ${script} }, 20)`);
    expect(await waiting).toBe(true);
  });

  it.each([
    ['hidden', "document.querySelector('main').style.display = 'none'"],
    ['hidden', "document.querySelector('main').remove()"],
    ['detached', "document.querySelector('main').remove()"],
    ['detached', "document.body.innerHTML = ''"],
    ['attached', "document.body.insertAdjacentHTML('beforeend', '<i class=x></i>')"],
  ] as const)('resolves for the state %s after %s', async (state, script) => {
    await page.setContent('<main>shown</main>');
    const waiting = page.waitForSelector(state === 'attached' ? '.x' : 'main', { state });
    await page.evaluate(`void setTimeout(() => { ${script} }, 20)`);
    expect(await waiting).toBe(true);
  });

  it('pierces shadow roots unless `pierceShadow` is false', async () => {
    await page.setContent('<div><template shadowrootmode="open"><b>in the shadow</b></template></div>');
    expect(await page.waitForSelector('b')).toBe(true);
    const failure = await failureOf(page.waitForSelector('b', { pierceShadow: false, timeout: 100 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    await page.evaluate(
      "document.body.append(document.createElement('b')); document.querySelector('b').textContent = 'light'",
    );
    expect(await page.waitForSelector('b', { pierceShadow: false })).toBe(true);
    expect(await failureOf(page.waitForSelector('b', { pierceShadow: 'no' as never }))).toMatchObject({
      argument: 'pierceShadow',
    });
  });
});

describe('page.setContent()', () => {
  it.each<LoadState>(['commit', 'domcontentloaded', 'load', 'networkidle'])(
    'replaces the document and waits until %s',
    async (waitUntil) => {
      await page.setContent('<!doctype html><title>Written</title><p>body', { waitUntil });
      expect(await page.title()).toBe('Written');
      expect(await page.content()).toBe(
        '<!DOCTYPE html><html><head><title>Written</title></head><body><p>body</p></body></html>',
      );
      expect(page.url()).toBe(`${server.origin}/`);
    },
  );

  it('runs scripts, waits for images, and leaves the page actionable', async () => {
    await page.setContent(
      '<button onclick="this.textContent = \'Done\'">Go</button><img src="/picture.png"><script>document.title = "Scripted"</script>',
    );
    expect(await page.title()).toBe('Scripted');
    expect(await page.evaluate("document.readyState + document.querySelector('img').complete")).toBe('completetrue');
    await page.locator('button').click();
    expect(await page.locator('button').textContent()).toBe('Done');
  });

  it('accepts an empty string and 2.5 MB of text', async () => {
    await page.setContent('');
    expect(await page.content()).toBe('<html><head></head><body></body></html>');
    await page.setContent(`<p>${'long '.repeat(500_000)}</p>`);
    expect(String(await page.evaluate("document.querySelector('p').textContent.length"))).toBe('2500000');
  });

  it('works repeatedly on about:blank', async () => {
    const tab = await test.driver.context.newPage();
    for (const text of ['one', 'two', 'three']) {
      await tab.setContent(`<p>${text}</p>`);
      expect(await tab.locator('p').textContent()).toBe(text);
    }
    await tab.close();
  });

  it('rejects a value that is not a string and an unknown `waitUntil`', async () => {
    expect(await failureOf(page.setContent(5 as never))).toMatchObject({ argument: 'html' });
    expect(await failureOf(page.setContent('', { waitUntil: 'ready' as never }))).toMatchObject({
      argument: 'waitUntil',
    });
  });
});

describe('page.setViewportSize()', () => {
  it.each([
    [500, 400, undefined],
    [1000, 300, 2],
    [320, 900, 1],
  ])('sets the viewport to %d by %d with the scale %o', async (width, height, deviceScaleFactor) => {
    await page.setViewportSize(width, height, deviceScaleFactor === undefined ? {} : { deviceScaleFactor });
    expect(await page.evaluate('[innerWidth, innerHeight, devicePixelRatio]')).toEqual([
      width,
      height,
      deviceScaleFactor ?? 1,
    ]);
    await page.goto(`${server.origin}/cart`);
    expect(await page.evaluate('innerWidth')).toBe(width);
  });

  it.each([
    [0, 100, 1, 'width'],
    [100, -1, 1, 'height'],
    [1.5, 100, 1, 'width'],
    ['5', 100, 1, 'width'],
    [100, 100, -2, 'deviceScaleFactor'],
  ])('rejects %o by %o with the scale %o', async (width, height, deviceScaleFactor, argument) => {
    const failure = await failureOf(page.setViewportSize(width as never, height, { deviceScaleFactor }));
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });
});

describe('page.pdf()', () => {
  const sizeOf = (file: Buffer): string | undefined =>
    /\/MediaBox \[0 0 ([\d.]+ [\d.]+)\]/.exec(file.toString('latin1'))?.[1];

  it.each([
    [{}, '612 792'],
    [{ format: 'A4' as const }, '595.91998 841.91998'],
    [{ format: 'a4' as const, landscape: true }, '841.91998 595.91998'],
    [{ width: '2in', height: 192 }, '144 144'],
    [{ width: '25.4mm', height: '2.54cm' }, '72 72'],
  ])('prints with the paper size of %j', async (options, size) => {
    const file = await page.pdf(options);
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(sizeOf(file)).toBe(size);
  });

  it('writes the PDF to `path`', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chauffeur-pdf-'));
    const file = await page.pdf({
      path: join(folder, 'page.pdf'),
      printBackground: true,
      pageRanges: '1',
      margin: { top: '1cm' },
    });
    expect(await readFile(join(folder, 'page.pdf'))).toEqual(file);
    await rm(folder, { recursive: true });
  });

  it.each([
    [{ format: 'b5' }, 'format'],
    [{ scale: 3 }, 'scale'],
    [{ width: '2 miles' }, 'width'],
    [{ margin: { top: 'wide' } }, 'margin.top'],
    [{ landscape: 'yes' }, 'landscape'],
    [{ path: '' }, 'path'],
  ])('rejects %j', async (options, argument) => {
    expect(await failureOf(page.pdf(options as never))).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });
});
