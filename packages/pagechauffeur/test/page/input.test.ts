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

describe('click(x, y)', () => {
  // [spec: page.click]
  it('clicks at the point with trusted events, and resolves with undefined', async () => {
    expect(await page.click(20, 20)).toBe('');
    expect(await seen()).toEqual(['mousedown one', 'click one']);
  });

  it('takes the button and the number of clicks', async () => {
    await page.click(20, 20, { clickCount: 2 });
    expect(await seen()).toEqual(['mousedown one', 'click one', 'mousedown one', 'click one', 'dblclick one']);
    await page.evaluate('void (window.seen = [])');
    await page.click(20, 20, { button: 'right' });
    await page.click(20, 20, { button: 'middle' });
    expect(await seen()).toEqual(['mousedown one', 'contextmenu one', 'auxclick one', 'mousedown one', 'auxclick one']);
  });

  it('answers with the XPath of what was hit, on through shadow roots and frames', async () => {
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

  it('reaches frames of this process and of another, from the first click on', async () => {
    await page.click(215, 15);
    await page.click(215, 165);
    await expect.poll(() => seen(farFrame())).toEqual(['mousedown inner', 'click inner']);
    expect(await seen(page.target.frames.frames.findIndex(({ url }) => url === `${test.server.origin}/frame`))).toEqual(
      ['mousedown inner', 'click inner'],
    );
    expect(await seen()).toEqual([]);
  });

  it('takes a selector with all options that its locator takes', async () => {
    await page.click('#one', { button: 'middle', modifiers: ['Shift'], position: { x: 5, y: 5 } });
    await page.hover('#one', { position: { x: 5, y: 5 }, trial: true });
    expect(await seen()).toEqual(['mousedown one', 'auxclick one']);
  });

  it('refuses what is no point, and buttons that no mouse has', async () => {
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

describe('type', () => {
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

  it('waits between the keys when asked, and stops at once with the signal', async () => {
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

  it('types into the frame that has the focus, wherever it lives', async () => {
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

  it('refuses what is no text', async () => {
    await expect(page.type(5 as never)).rejects.toThrow(/text must be a string. Received the number 5/);
    await expect(page.type('a', { delay: -1 })).rejects.toThrow(/delay must be/);
  });
});

describe('keyPress', () => {
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
  ])('%s reaches the page', async (keys, event) => {
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

  it('refuses keys that there are not, before any is pressed', async () => {
    await expect(page.keyPress('Control+Foo')).rejects.toThrow(
      /keys must be names such as .*Unknown key "Foo" in "Control\+Foo"/,
    );
    await expect(page.keyPress('')).rejects.toThrow(DriverInvalidArgumentError);
    expect(await seen()).toEqual([]);
  });
});
