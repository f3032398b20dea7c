import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { isRemote, startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { readPng } from './png.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const GREEN = [0, 128, 0, 255];
const WHITE = [255, 255, 255, 255];
const PINK = [255, 0, 255, 255];
const BASE = '<!doctype html><style>body { margin: 0 } div, iframe { position: absolute; border: 0 }</style>';

function square(color: string, place: string, id = color): string {
  return `<div id="${id}" style="${place}; width: 40px; height: 40px; background: ${color}"></div>`;
}

beforeAll(async () => {
  server = await serve({
    '/': `${BASE}${square('red', 'left: 0; top: 0')}${square('blue', 'left: 100px; top: 100px')}`,
    '/inside': `${BASE}${square('green', 'left: 20px; top: 10px')}`,
    '/field':
      '<!doctype html><style>* { margin: 0; border: 0; padding: 0; outline: 0 } input { font: 30px monospace; width: 300px; height: 40px; display: block }</style><input id="field">',
    '/framed': `${BASE}<iframe src="/inside" style="left: 50px; top: 60px"></iframe>`,
  });
  server.page(
    '/framed-elsewhere',
    `${BASE}<iframe src="${server.otherOrigin}/inside" style="left: 50px; top: 60px"></iframe>`,
  );
  server.page(
    '/field-elsewhere',
    `${BASE}<iframe src="${server.otherOrigin}/field" style="left: 0; top: 50px; width: 350px; height: 100px"></iframe>`,
  );
  test = await startDriver({ localBrowserLaunchOptions: { viewport: { width: 400, height: 300 } } });
  ({ page } = test);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

beforeEach(() => page.setViewportSize(400, 300));

/** Opens the page with a red and a blue square. */
async function openSquares(): Promise<void> {
  await page.goto(server.origin, { waitUntil: 'load' });
}

describe('image size', () => {
  beforeAll(openSquares);

  it.each([
    [{}, undefined, 400, 300],
    [{}, 2, 800, 600],
    [{ scale: 'css' as const }, 2, 400, 300],
    [{ scale: 'device' as const }, 2, 800, 600],
    [{ scale: 'css' as const }, undefined, 400, 300],
    [{ clip: { x: 100, y: 100, width: 30, height: 20 } }, undefined, 30, 20],
    [{ clip: { x: 100, y: 100, width: 30, height: 20 } }, 2, 60, 40],
    [{ clip: { x: 100, y: 100, width: 30, height: 20 }, scale: 'css' as const }, 2, 30, 20],
    [{ fullPage: true }, undefined, 400, 300],
    [{ fullPage: true }, 2, 800, 600],
    [{ fullPage: true, scale: 'css' as const }, 2, 400, 300],
    [{ scale: 0.5 }, 2, 200, 150],
    [{ clip: { x: 100, y: 100, width: 30, height: 20 }, scale: 3 }, undefined, 90, 60],
  ])(
    'with options %j at device scale factor %o captures %d × %d pixels',
    async (options, deviceScaleFactor, width, height) => {
      if (deviceScaleFactor !== undefined) await page.setViewportSize(400, 300, { deviceScaleFactor });
      const picture = readPng(await page.screenshot(options));
      expect([picture.width, picture.height]).toEqual([width, height]);
    },
  );

  it.each([1, 2])('matches the element at device scale factor %d', async (deviceScaleFactor) => {
    await page.setViewportSize(400, 300, { deviceScaleFactor });
    const picture = readPng(await page.locator('#blue').screenshot());
    expect([picture.width, picture.at(0, 0), picture.at(picture.width - 1, picture.height - 1)]).toEqual([
      40 * deviceScaleFactor,
      BLUE,
      BLUE,
    ]);
    expect(readPng(await page.locator('#blue').screenshot({ scale: 'css' })).width).toBe(40);
  });
});

describe('full-page screenshot', () => {
  it('captures the full height from any scroll position and keeps that position', async () => {
    await page.setContent(
      `${BASE}<main style="height: 2000px"></main>${square('blue', 'left: 0; top: 1960px')}<div style="position: fixed; top: 0; right: 0; width: 40px; height: 40px; background: red"></div>`,
    );
    for (const top of [0, 700]) {
      await page.evaluate(`scrollTo(0, ${top})`);
      const picture = readPng(await page.screenshot({ fullPage: true }));
      expect([picture.width, picture.height, picture.at(10, 1990), picture.at(10, 900)]).toEqual([
        400,
        2000,
        BLUE,
        WHITE,
      ]);
      expect(await page.evaluate('[scrollY, innerHeight]')).toEqual([top, 300]);
    }
  });

  it('includes the laid-out height of content-visibility sections', async () => {
    const part =
      '<section style="content-visibility: auto; contain-intrinsic-size: auto 10px"><p style="margin: 0; height: 300px; background: green"></p></section>';
    await page.setContent(`<!doctype html><style>body { margin: 0 }</style>${part.repeat(8)}`);
    const picture = readPng(await page.screenshot({ fullPage: true }));
    expect(picture.height).toBe(2400);
    expect([picture.at(10, 10), picture.at(10, 2390)]).toEqual([GREEN, GREEN]);
  });
});

describe('animations', () => {
  const ANIMATED = (count: string): string =>
    `${BASE}<style>@keyframes turn { from { background: red } to { background: blue } } #moving { width: 40px; height: 40px; background: green; animation: turn 1000s ${count} both } </style><div id="moving"></div>`;

  it.each([
    ['1', BLUE],
    ['infinite', GREEN],
  ])('captures a finite animation at its end and an infinite one before its start: %s', async (count, color) => {
    await page.setContent(ANIMATED(count));
    const picture = readPng(await page.screenshot({ animations: 'disabled' }));
    expect(picture.at(10, 10)).toEqual(color);
    const after = await page.evaluate('document.getAnimations()[0]?.playState ?? "none"');
    expect(after).toBe(count === '1' ? 'finished' : 'running');
  });

  it('captures a transition in a closed shadow root at its end', async () => {
    await page.setContent('<!doctype html><style>body { margin: 0 }</style><main></main>');
    await page.evaluate(`
      const root = document.querySelector('main').attachShadow({ mode: 'closed' });
      root.innerHTML = '<p style="margin: 0; width: 40px; height: 40px; background: red; transition: background 1000s"></p>';
      const p = root.querySelector('p'); p.getBoundingClientRect(); getComputedStyle(p).background; p.style.background = 'rgb(0, 0, 255)';
      window.part = p; undefined`);
    await page.locator('p').waitFor();
    expect(readPng(await page.screenshot({ animations: 'disabled' })).at(10, 10)).toEqual(BLUE);
  });

  it('lets an animation run by default', async () => {
    await page.setContent(ANIMATED('1'));
    const picture = readPng(await page.screenshot());
    expect(picture.at(10, 10)[0]).toBeGreaterThan(200);
    expect(await page.evaluate('document.getAnimations()[0].playState')).toBe('running');
  });
});

describe('text caret', () => {
  const FIELD =
    '<!doctype html><style>body { margin: 0 } input { caret-color: red; font-size: 100px; border: 0; outline: 0; padding: 0 }</style><input autofocus>';
  const hasRed = (file: Buffer): boolean => {
    const picture = readPng(file);
    return Array.from({ length: 20 }, (_, x) => picture.at(x, 60)).some(([red, green]) => red > 200 && green < 100);
  };

  it('hides the caret by default and keeps its color in the page', async () => {
    await page.setContent(FIELD);
    await page.locator('input').focus();
    for (let count = 0; count < 3; count += 1) expect(hasRed(await page.screenshot())).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.querySelector('input')).caretColor")).toBe('rgb(255, 0, 0)');
  });

  it('shows the caret with `caret: "initial"`', async () => {
    await page.setContent(FIELD);
    await page.locator('input').focus();
    await expect.poll(async () => hasRed(await page.screenshot({ caret: 'initial' }))).toBe(true);
  });
});

describe('style', () => {
  it('applies only to the screenshot, in shadow roots and frames, without changing nodes', async () => {
    await page.goto(`${server.origin}/framed-elsewhere`, { waitUntil: 'load' });
    await page.evaluate(`
      document.body.insertAdjacentHTML('beforeend', '<main></main>');
      document.querySelector('main').attachShadow({ mode: 'open' }).innerHTML = '<div style="position: absolute; left: 0; top: 0; width: 20px; height: 20px; background: red"></div>';
      window.changes = 0; new MutationObserver((list) => { window.changes += list.length; }).observe(document, { subtree: true, childList: true, attributes: true }); undefined`);
    const picture = readPng(await page.screenshot({ style: 'div { background: blue !important }' }));
    expect([picture.at(10, 10), picture.at(80, 80)]).toEqual([BLUE, BLUE]);
    const after = readPng(await page.screenshot());
    expect([after.at(10, 10), after.at(80, 80)]).toEqual([RED, GREEN]);
    expect(await page.evaluate('[changes, document.adoptedStyleSheets.length, document.styleSheets.length]')).toEqual([
      0, 0, 1,
    ]);
  });
});

describe('masks', () => {
  beforeEach(openSquares);

  it('covers only the matched elements, in the given color', async () => {
    const picture = readPng(await page.screenshot({ mask: [page.locator('#red')] }));
    expect([picture.at(5, 5), picture.at(110, 110), picture.at(60, 60)]).toEqual([PINK, BLUE, WHITE]);
    const both = readPng(await page.screenshot({ mask: [page.locator('div')], maskColor: 'rgb(0, 128, 0)' }));
    expect([both.at(5, 5), both.at(110, 110), both.at(60, 60)]).toEqual([GREEN, GREEN, WHITE]);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBe(6);
  });

  it('covers nothing when the locator matches nothing', async () => {
    expect(readPng(await page.screenshot({ mask: [page.locator('#absent')] })).at(5, 5)).toEqual(RED);
  });

  it.each(['/framed', '/framed-elsewhere'])('covers an element in a frame: %s', async (path) => {
    await page.goto(server.origin + path, { waitUntil: 'load' });
    const picture = readPng(await page.screenshot({ mask: [page.locator('iframe >> #green')] }));
    expect([picture.at(71, 71), picture.at(108, 108), picture.at(65, 65)]).toEqual([PINK, PINK, WHITE]);
  });

  it.each(['open', 'closed'])('covers an element in %s shadow roots', async (mode) => {
    await page.setContent(
      `${BASE}<main><template shadowrootmode="${mode}"><div class="in" style="margin: 30px; width: 40px; height: 40px; background: blue"></div></template></main>`,
    );
    expect(readPng(await page.screenshot({ mask: [page.locator('.in')] })).at(50, 50)).toEqual(PINK);
  });

  it('covers the element on scrolled pages, in clips, in element screenshots and at other scales', async () => {
    await page.evaluate("document.body.style.height = '2000px'; scrollTo(0, 90)");
    const mask = [page.locator('#blue')];
    expect(readPng(await page.screenshot({ mask })).at(110, 20)).toEqual(PINK);
    expect(readPng(await page.screenshot({ mask, fullPage: true })).at(110, 110)).toEqual(PINK);
    const clip = { x: 90, y: 0, width: 60, height: 60 };
    const part = readPng(await page.screenshot({ mask, clip }));
    expect([part.at(5, 20), part.at(15, 20)]).toEqual([WHITE, PINK]);
    expect(readPng(await page.locator('#blue').screenshot({ mask })).at(20, 20)).toEqual(PINK);
    await page.setViewportSize(400, 300, { deviceScaleFactor: 2 });
    expect(readPng(await page.screenshot({ mask })).at(220, 40)).toEqual(PINK);
    expect(readPng(await page.screenshot({ mask, scale: 'css' })).at(110, 20)).toEqual(PINK);
    expect(readPng(await page.screenshot({ mask, scale: 0.5 })).at(55, 10)).toEqual(PINK);
    const jpeg = await page.screenshot({ mask, type: 'jpeg', quality: 50 });
    expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });
});

describe('variable values', () => {
  const fill = (selector: string, text: string, variables: Record<string, string>): Promise<unknown> =>
    test.driver.act({ selector, method: 'fill', arguments: [text], description: 'the field' }, { variables });

  /** Whether all of a box has one color, so that nothing can be read in it. */
  function isCovered(file: Buffer, box: { x: number; y: number; width: number; height: number }): boolean {
    const picture = readPng(file);
    for (let x = box.x + 2; x < box.x + box.width - 2; x += 3)
      for (let y = box.y + 2; y < box.y + box.height - 2; y += 3)
        if (picture.at(x, y).join() !== PINK.join()) return false;
    return true;
  }

  it('masks the filled field in viewport, full-page and element screenshots', async () => {
    await page.goto(`${server.origin}/field`);
    const box = { x: 0, y: 0, width: 300, height: 40 };
    await page.locator('#field').fill('plain text');
    expect(isCovered(await page.screenshot(), box)).toBe(false);
    await fill('#field', 'x %secret% y', { secret: 'Tr0ub4dor&3' });
    expect(isCovered(await page.screenshot(), box)).toBe(true);
    expect(isCovered(await page.screenshot({ fullPage: true }), box)).toBe(true);
    expect(isCovered(await page.locator('#field').screenshot(), box)).toBe(true);
    expect((await page.screenshot({ type: 'jpeg' })).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    await page.locator('#field').fill('plain text');
    expect(isCovered(await page.screenshot(), box)).toBe(false);
  });

  it('masks a filled field in a cross-process frame', async () => {
    await page.goto(`${server.origin}/field-elsewhere`, { waitUntil: 'load' });
    await fill('iframe >> #field', '%secret%', { secret: 'correct-horse' });
    expect(isCovered(await page.screenshot(), { x: 0, y: 50, width: 300, height: 40 })).toBe(true);
  });

  /** Whether a picture has black letters. */
  function hasLetters(file: Buffer): boolean {
    const picture = readPng(file);
    for (let x = 0; x < picture.width; x += 1)
      for (let y = 0; y < picture.height; y += 1)
        if ((picture.at(x, y)[1] ?? 0) < 200 && !isPink(picture.at(x, y))) return true;
    return false;
  }

  function isPink([red, green, blue]: readonly number[]): boolean {
    return red === PINK[0] && green === PINK[1] && blue === PINK[2];
  }

  function isPainted(file: Buffer): boolean {
    const picture = readPng(file);
    for (let x = 0; x < picture.width; x += 2)
      for (let y = 0; y < picture.height; y += 2) if (isPink(picture.at(x, y))) return true;
    return false;
  }

  const LETTERS = 'battery9staple';
  const DIGITS = '482913';
  const each = (text: string, write: (letter: string) => string): string => [...text].map(write).join('');
  const inEach = (first: string, second: string): string => `${first}battery9${second}${first}staple${second}`;

  it.each<[where: string, html: string, value?: string]>([
    ['as plain text', '<p>battery9staple</p>'],
    ['with spaces and in another case', '<p>BATTERY 9 Staple</p>'],
    ['across elements', '<p>battery<b>9sta</b>ple</p>'],
    ['across elements of a link', '<a href="#" style="color: black">battery<b>9sta</b>ple</a>'],
    ['in a textarea', '<textarea>so battery9staple</textarea>'],
    ['in the placeholder of a field', '<input placeholder="battery9staple">'],
    ['in a selected option', '<select><option>battery9staple</select>'],
    ['in the label of an option', '<select size=2><option label="battery9staple"></select>'],
    ['in an open shadow root', '<main><template shadowrootmode="open">battery9staple</template></main>'],
    ['in a closed shadow root', '<main><template shadowrootmode="closed">battery9staple</template></main>'],
    [
      'across two shadow roots',
      inEach('<main style="float:left"><template shadowrootmode="open">', '</template></main>'),
    ],
    ['in generated content', '<style>p::before { content: attr(data-code) }</style><p data-code="battery9staple"></p>'],
    ['partly in generated content', "<style>p::before { content: 'battery' }</style><p>9staple</p>"],
    ['in a counter', '<style>p { counter-reset: n 482913 } p::before { content: counter(n) }</style><p>', DIGITS],
    ['as the number of a list item', '<ol start=482913 style="margin-left: 150px"><li></ol>', DIGITS],
    ['in the alt text of a missing image', '<img src="/missing" alt="battery9staple">'],
    ['across six fields', each(DIGITS, (digit) => `<input value=${digit} style="width: 20px">`), DIGITS],
    [
      'across fields of a table row',
      `<table><tr>${each(DIGITS, (digit) => `<td><input value=${digit} size=1>`)}</table>`,
      DIGITS,
    ],
    ['across two frames', inEach('<iframe style="width: 120px" srcdoc="', '"></iframe>')],
    [
      'in a zoomed and rotated frame',
      '<iframe style="zoom: 1.3; transform: rotate(9deg)" srcdoc="battery9staple"></iframe>',
    ],
    ['in right-to-left text', '<bdo dir=rtl>elpats9yrettab</bdo>'],
    [
      'in an order that only the layout creates',
      `<p style="display: flex; flex-direction: row-reverse; width: 120px">${each('elpats9yrettab', (letter) => `<b>${letter}</b>`)}</p>`,
    ],
    ['with hidden letters between', `<p>${each(LETTERS, (letter) => `${letter}<i style="display: none">x</i>`)}</p>`],
    ['outside its box', '<p style="width: 9px; height: 9px; white-space: nowrap">battery9staple</p>'],
    ['in Base64', '<p>YmF0dGVyeTlzdGFwbGU=</p>'],
    [
      'in full-width letters',
      `<p>${each(LETTERS, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))}</p>`,
    ],
    ['on a right-to-left page', '<body dir=rtl><p>battery9staple</p><div style="width: 2000px; height: 10px"></div>'],
    [
      'in a text that an animation moves',
      '<style>@keyframes move { to { left: 300px } } p { position: absolute; animation: move 0.2s infinite alternate }</style><p>battery9staple</p>',
    ],
    [
      'in a text that a script moves',
      '<p style="position: absolute">battery9staple</p><script>setInterval(() => { document.querySelector("p").style.left = `${Math.random() * 300}px`; }, 5)</script>',
    ],
  ])('masks a value that the page shows %s', async (_where, html, value = LETTERS) => {
    await page.goto(`${server.origin}/field`);
    await fill('#field', '%secret%', { secret: value });
    const base =
      '<!doctype html><meta charset=utf-8><style>body { margin: 0 } input, select, textarea, iframe { border: 0; appearance: none; resize: none }</style>';
    await page.goto(server.page('/shown', base + html), { waitUntil: 'load' });
    expect(hasLetters(await page.screenshot())).toBe(false);
    expect(hasLetters(await page.screenshot({ fullPage: true }))).toBe(false);
    expect(readPng(await page.screenshot()).at(390, 290)).toEqual(WHITE);
  });

  it.each([
    ['text', '<p>battery<b>9sta</b>ple</p>'],
    ['fields', '<input value="battery9staple"><textarea>so battery9staple</textarea>'],
    ['shadow roots', '<main><template shadowrootmode="closed">battery9staple</template></main>'],
    ['frames', '<iframe srcdoc="battery9staple"></iframe>'],
  ])('masks a value in %s of a page with 20,000 elements', async (_where, html) => {
    await page.goto(`${server.origin}/field`);
    await fill('#field', '%secret%', { secret: LETTERS });
    const base = '<!doctype html><style>input, textarea, iframe { border: 0; resize: none }</style>';
    const rest = `<div style="margin-top: 300px">${'<i></i>'.repeat(20_000)}</div>`;
    await page.goto(server.page('/shown', base + html + rest), { waitUntil: 'load' });
    expect(hasLetters(await page.screenshot())).toBe(false);
  });

  it('keeps keypads and page numbers readable', async () => {
    await page.goto(`${server.origin}/field`);
    await fill('#field', '%pin%', { pin: '4567' });
    const keys = each('123456789', (digit) => `<button>${digit}</button><a href="#">${digit}</a>`);
    await page.goto(server.page('/shown', `<style>button, a { color: black; background: white }</style>${keys}`));
    expect(isPainted(await page.screenshot())).toBe(false);
  });

  it('masks a value before it is typed', async () => {
    await page.goto(server.page('/shown', '<p>Your key: tulip-garden-77</p><button>Next</button>'));
    const next = { selector: 'button', method: 'click', description: 'the button' };
    await test.driver.act(next, { variables: { key: 'tulip-garden-77' } });
    await page.locator('button').evaluate((button) => (button as { remove(): void }).remove());
    expect(hasLetters(await page.screenshot())).toBe(false);
  });

  // The browser of a screen with small pixels reports boxes in these pixels.
  it.skipIf(isRemote)('masks a value at device scale factor 2', async () => {
    const args = ['--force-device-scale-factor=2'];
    const sharp = await startDriver({ localBrowserLaunchOptions: { args } });
    try {
      await sharp.page.goto(`${server.origin}/field`);
      const action = { selector: '#field', method: 'fill', arguments: ['%secret%'], description: 'the field' };
      await sharp.driver.act(action, { variables: { secret: LETTERS } });
      const shown = `<p style="margin: 150px">${LETTERS}</p><iframe style="border: 0" srcdoc="${LETTERS}"></iframe>`;
      await sharp.page.goto(server.page('/shown', `<!doctype html>${shown}`), { waitUntil: 'load' });
      expect(hasLetters(await sharp.page.screenshot())).toBe(false);
    } finally {
      await sharp.driver.close();
    }
  });

  it('restores the opacity of a moving text after the screenshot', async () => {
    await page.goto(`${server.origin}/field`);
    await fill('#field', '%secret%', { secret: LETTERS });
    await page.setContent(
      '<p style="position: absolute">battery9staple</p><script>setInterval(() => { document.querySelector("p").style.left = `${Math.random() * 300}px`; }, 5)</script>',
    );
    await page.screenshot();
    const opacity = "getComputedStyle(document.querySelector('p')).opacity";
    await expect.poll(() => page.evaluate(opacity)).toBe('1');
  });
});

describe('omitBackground', () => {
  beforeAll(openSquares);

  it('omits the background together with `mask` and `fullPage`', async () => {
    const picture = readPng(
      await page.screenshot({ omitBackground: true, mask: [page.locator('#red')], fullPage: true }),
    );
    expect([picture.at(5, 5), picture.at(60, 60), picture.at(110, 110)]).toEqual([PINK, [0, 0, 0, 0], BLUE]);
    expect(readPng(await page.screenshot()).at(60, 60)).toEqual(WHITE);
  });
});

describe('invalid options and unstable pages', () => {
  it.each([
    [{ scale: 'big' }, 'scale'],
    [{ scale: 0 }, 'scale'],
    [{ animations: 'off' }, 'animations'],
    [{ caret: true }, 'caret'],
    [{ style: 5 }, 'style'],
    [{ mask: '#red' }, 'mask'],
    [{ mask: ['#red'] }, 'mask'],
    [{ maskColor: '' }, 'maskColor'],
    [{ timeout: -1 }, 'timeout'],
  ])('rejects %j', async (options, argument) => {
    const failure = await failureOf(page.screenshot(options as never));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument });
  });

  it('captures one of the documents of a page that keeps reloading', async () => {
    const shown = `${BASE}${square('red', 'left: 0; top: 0')}`;
    // On a busy machine none of the documents lives as long as a picture with masks takes, so one is the last.
    let left = 0;
    server.page('/reloads', (_request, response) => {
      left -= 1;
      const script = left > 0 ? '<script>setTimeout(() => location.reload(), 60)</script>' : '';
      response.setHeader('content-type', 'text/html').end(shown + script);
    });
    for (const [take, color] of [
      [(restless: Page) => restless.screenshot(), RED],
      [(restless: Page) => restless.screenshot({ fullPage: true }), RED],
      [(restless: Page) => restless.screenshot({ animations: 'disabled' }), RED],
      [(restless: Page) => restless.screenshot({ mask: [restless.locator('#red')] }), PINK],
    ] as const) {
      left = 10;
      // A page of its own: one that loads itself again may overtake the next goto.
      const restless = await test.driver.context.newPage(`${server.origin}/reloads`);
      expect(readPng(await take(restless)).at(5, 5)).toEqual(color);
      await restless.close();
    }
  });

  it('times out while the page is busy and works again afterwards', async () => {
    await openSquares();
    await page.evaluate(
      'void setTimeout(() => { for (const end = performance.now() + 600; performance.now() < end; ); }, 0)',
    );
    expect(await failureOf(page.screenshot({ timeout: 1 }))).toMatchObject({
      code: 'TIMEOUT',
      operation: 'page.screenshot',
    });
    expect(readPng(await page.screenshot()).at(5, 5)).toEqual(RED);
  });
});
