import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverAbortError, DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const RECORDER = `<script>
  window.seen = [];
  for (const type of ['mousedown', 'click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'input'])
    addEventListener(type, (event) => window.seen.push(event.type === 'keydown' ? 'keydown ' + event.key + ' ' + event.code : event.type + ' ' + event.target.id + (event.isTrusted ? '' : ' untrusted')), true);
</script>`;

let page: Page;

const test = useBrowser({
  routes: {
    '/frame': `<!doctype html><style>body { margin: 0 }</style><button id="inner" style="width: 100px; height: 40px">in</button><input id="field">${RECORDER}`,
    '/': `<!doctype html><style>body { margin: 0 } body > * { position: absolute }</style>${RECORDER}
      <button id="one" style="left: 10px; top: 10px; width: 80px; height: 30px">one</button>
      <div id="host" style="left: 10px; top: 60px"></div>
      <script>document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<button id="shadow" style="width: 80px; height: 30px">shadow</button>'</script>
      <iframe id="near" src="/frame" style="left: 200px; top: 0; width: 300px; height: 100px; border: 5px solid"></iframe>
      <textarea id="text" style="left: 10px; top: 200px"></textarea><input id="line" style="left: 10px; top: 300px">`,
  },
});

beforeAll(async () => {
  test.server.page(
    '/',
    `${await (await fetch(test.server.origin)).text()}<iframe id="far" src="${test.server.otherOrigin}/frame" style="left: 200px; top: 150px; width: 300px; height: 100px; border: 5px solid"></iframe>`,
  );
  ({ page } = test);
});

beforeEach(async () => {
  await page.goto(test.server.origin, { waitUntil: 'load' });
});

async function seen(frameIndex = 0): Promise<string[]> {
  const world = await page.target.frames.frames[frameIndex]?.worlds.main;
  return (await world?.evaluate('window.seen', null)) as string[];
}

/** The frame on another origin; its place in the list is not fixed. */
function farFrame(): number {
  return page.target.frames.frames.findIndex(({ url }) => url.startsWith(test.server.otherOrigin));
}

describe('page.click(x, y)', () => {
  // [spec: page.click]
  it('clicks at the point with trusted events and resolves with an empty string', async () => {
    expect(await page.click(20, 20)).toBe('');
    expect(await seen()).toEqual(['mousedown one', 'click one']);
  });

  it('uses the given button and click count', async () => {
    await page.click(20, 20, { clickCount: 2 });
    expect(await seen()).toEqual(['mousedown one', 'click one', 'mousedown one', 'click one', 'dblclick one']);
    await page.evaluate('void (window.seen = [])');
    await page.click(20, 20, { button: 'right' });
    await page.click(20, 20, { button: 'middle' });
    expect(await seen()).toEqual(['mousedown one', 'contextmenu one', 'auxclick one', 'mousedown one', 'auxclick one']);
  });

  it('returns the XPath of the clicked element through shadow roots and frames', async () => {
    expect(await page.click(20, 20, { returnXpath: true })).toBe('/html[1]/body[1]/button[1]');
    expect(await page.click(20, 70, { returnXpath: true })).toBe('/html[1]/body[1]/div[1]//button[1]');
    expect(await page.click(215, 15, { returnXpath: true })).toBe(
      '/html[1]/body[1]/iframe[1]/html[1]/body[1]/button[1]',
    );
    expect(await page.click(215, 165, { returnXpath: true })).toBe(
      '/html[1]/body[1]/iframe[2]/html[1]/body[1]/button[1]',
    );
    expect(await page.click(5000, 5000, { returnXpath: true })).toBe('');
  });

  it('clicks in same-process and cross-process frames', async () => {
    await page.click(215, 15);
    await page.click(215, 165);
    await expect.poll(() => seen(farFrame())).toEqual(['mousedown inner', 'click inner']);
    expect(await seen(page.target.frames.frames.findIndex(({ url }) => url === `${test.server.origin}/frame`))).toEqual(
      ['mousedown inner', 'click inner'],
    );
    expect(await seen()).toEqual([]);
  });

  it('accepts a selector with locator options', async () => {
    await page.click('#one', { button: 'middle', modifiers: ['Shift'], position: { x: 5, y: 5 } });
    await page.hover('#one', { position: { x: 5, y: 5 }, trial: true });
    expect(await seen()).toEqual(['mousedown one', 'auxclick one']);
  });

  it('rejects invalid coordinates, buttons and click counts', async () => {
    await expect(page.click(Number.NaN, 1)).rejects.toThrow(/x must be a number. Received the number NaN/);
    await expect(page.click(1, '2' as never)).rejects.toThrow(/y must be a number. Received the string "2"/);
    await expect(page.click(1, 2, { button: 'first' as never })).rejects.toThrow(
      /button must be one of left, right, middle/,
    );
    await expect(page.click(1, 2, { clickCount: 0 })).rejects.toThrow(
      /clickCount must be a whole number of at least 1/,
    );
    await expect(page.click('')).rejects.toThrow(DriverInvalidArgumentError);
    expect(await seen()).toEqual([]);
  });
});

describe('page.type()', () => {
  // [spec: page.type]
  it('sends key events for characters on the keyboard, and inserts all others as text', async () => {
    await page.click(20, 210);
    const text = 'Añ 1!\n"漢字" 👩‍👩‍👧 €';
    await page.type(text);
    expect(await page.locator('#text').inputValue()).toBe(text);
    const keys = (await seen()).filter((event) => event.startsWith('keydown'));
    expect(keys.slice(0, 4)).toEqual(['keydown A KeyA', 'keydown   Space', 'keydown 1 Digit1', 'keydown ! Digit1']);
    expect(keys).toContain('keydown Enter Enter');
  });

  it('waits `delay` between keys and stops immediately on abort', async () => {
    await page.locator('#line').focus();
    await page.type('abc', { delay: 5 });
    expect(await page.locator('#line').inputValue()).toBe('abc');
    const controller = new AbortController();
    const failure = failureOf(page.type('defgh', { delay: 60_000, signal: controller.signal }));
    await expect.poll(() => page.locator('#line').inputValue()).toBe('abcd');
    controller.abort();
    expect(await failure).toBeInstanceOf(DriverAbortError);
    await page.type('!');
    expect(await page.locator('#line').inputValue()).toBe('abcd!');
  });

  it('types into the focused frame, same-process or cross-process', async () => {
    for (const frame of ['#near', '#far']) {
      await page.locator(`${frame} >> #field`).click();
      await page.type('in frame');
      await page.keyPress('Shift+Home');
      await page.keyPress('Delete');
      await page.type('x');
      expect(await page.locator(`${frame} >> #field`).inputValue()).toBe('x');
    }
    // Back in the page, although the field in the frame is still the active element of its document.
    await page.locator('#line').click();
    await page.type('main');
    expect(await page.locator('#line').inputValue()).toBe('main');
  });

  it('rejects an invalid text or delay', async () => {
    await expect(page.type(5 as never)).rejects.toThrow(/text must be a string. Received the number 5/);
    await expect(page.type('a', { delay: -1 })).rejects.toThrow(/delay must be/);
  });
});

describe('page.keyPress()', () => {
  // [spec: page.keyPress]
  it.each([
    ['Enter', 'keydown Enter Enter'],
    ['esc', 'keydown Escape Escape'],
    ['ArrowDown', 'keydown ArrowDown ArrowDown'],
    ['F5', 'keydown F5 F5'],
    ['a', 'keydown a KeyA'],
    ['A', 'keydown A KeyA'],
    ['+', 'keydown + Equal'],
    ['Space', 'keydown   Space'],
  ])('sends the key %s', async (keys, event) => {
    await page.locator('#line').focus();
    await page.keyPress(keys);
    expect(await seen()).toContain(event);
  });

  it('holds modifiers for combinations', async () => {
    await page.locator('#line').fill('some words');
    await page.locator('#line').focus();
    await page.evaluate('void (window.seen = [])');
    await page.keyPress('Control+a');
    expect(await seen()).toEqual(['keydown Control ControlLeft', 'keydown a KeyA']);
    await page.keyPress('Shift+b');
    await page.keyPress('Shift+1');
    expect(await page.locator('#line').inputValue()).toBe('B!');
    await page.keyPress('ControlOrMeta+A');
    await page.keyPress('Control+X');
    expect(await page.locator('#line').inputValue()).toBe('');
    await page.keyPress('Control+V');
    await page.keyPress('Control++');
    expect(await page.locator('#line').inputValue()).toBe('B!');
  });

  it('rejects unknown keys before it presses any', async () => {
    await expect(page.keyPress('Control+Foo')).rejects.toThrow(
      /keys must be key names such as .*Unknown key "Foo" in "Control\+Foo"/,
    );
    await expect(page.keyPress('')).rejects.toThrow(DriverInvalidArgumentError);
    expect(await seen()).toEqual([]);
  });
});
