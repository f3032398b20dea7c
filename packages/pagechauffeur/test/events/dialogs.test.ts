import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Dialog,
  DriverError,
  DriverInvalidArgumentError,
  DriverNavigationError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser('nightly');
const test = useBrowser({
  routes: {
    '/': `<title>Start</title><input aria-label="Name">
      <button id="alert" onclick="alert('hello'); this.textContent = 'told'">alert</button>
      <button id="confirm" onclick="this.textContent = confirm('sure?')">confirm</button>
      <button id="prompt" onclick="this.textContent = prompt('name?', 'Ann')">prompt</button>
      <a href="/next">next</a>`,
    '/next': '<title>Next</title>',
    '/load': `<title>Load</title><script>alert('while loading')</script>`,
    '/asks': `<title>Asks</title><button>touch</button><a href="/next">next</a>
      <script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    '/frame': `<button onclick="this.textContent = confirm('from a frame')">framed</button>`,
    '/onchange': `<label>Name <input oninput="alert('typed')"></label>`,
  },
});
const openPage = reusedPage(test);
let page: Page;

beforeAll(() => {
  test.server.page('/framed', `<title>Framed</title><iframe src="${test.server.otherOrigin}/frame"></iframe>`);
});

beforeEach(async () => {
  page = await openPage();
});

/** What the page's logs say since the call. */
function linesSince(count: number): string[] {
  return test.lines.slice(count).map(({ message }) => message);
}

describe('dialog with a listener', () => {
  it.each([
    ['alert("hello")', 'alert', 'hello', ''],
    ['alert()', 'alert', '', ''],
    ['confirm("really?\\nyes")', 'confirm', 'really?\nyes', ''],
    ['prompt("name?")', 'prompt', 'name?', ''],
    ['prompt("name?", "Ann")', 'prompt', 'name?', 'Ann'],
    ['prompt("ü→", "“quoted”")', 'prompt', 'ü→', '“quoted”'],
  ])('reports type, message and default value of %s', async (script, type, message, defaultValue) => {
    const dialogs: Dialog[] = [];
    page.on('dialog', async (dialog) => {
      dialogs.push(dialog);
      await dialog.dismiss();
    });
    await page.evaluate(script);
    expect(dialogs.map((dialog) => [dialog.type(), dialog.message(), dialog.defaultValue()])).toEqual([
      [type, message, defaultValue],
    ]);
  });

  it.each([
    ['confirm("sure?")', 'accept', undefined, true],
    ['confirm("sure?")', 'dismiss', undefined, false],
    ['prompt("name?")', 'accept', undefined, ''],
    ['prompt("name?", "Ann")', 'accept', undefined, 'Ann'],
    ['prompt("name?", "Ann")', 'accept', 'Bob', 'Bob'],
    ['prompt("name?", "Ann")', 'accept', '', ''],
    ['prompt("name?", "Ann")', 'accept', 'zwei\tWörter 😀', 'zwei\tWörter 😀'],
    ['prompt("name?", "Ann")', 'dismiss', undefined, null],
    ['alert("hi")', 'accept', undefined, undefined],
    ['alert("hi")', 'dismiss', undefined, undefined],
  ] as const)('answers %s with %s(%s)', async (script, answer, text, value) => {
    page.once('dialog', (dialog) => (answer === 'accept' ? dialog.accept(text) : dialog.dismiss()));
    expect(await page.evaluate(script)).toEqual(value);
  });

  it('rejects a second answer', async () => {
    const waiting = page.waitForEvent('dialog');
    const value = page.evaluate('confirm("sure?")');
    const dialog = await waiting;
    await dialog.accept();
    expect(await value).toBe(true);
    for (const again of [() => dialog.accept(), () => dialog.dismiss()])
      await expect(again()).rejects.toThrow(/"sure\?" was already answered: accepted/);
    await expect(dialog.dismiss()).rejects.toThrow(DriverError);
  });

  it('rejects an answer that is not a string', async () => {
    const waiting = page.waitForEvent('dialog');
    const value = page.evaluate('prompt("name?")');
    const dialog = await waiting;
    await expect(dialog.accept(5 as never)).rejects.toThrow(DriverInvalidArgumentError);
    await dialog.accept('Ann');
    expect(await value).toBe('Ann');
  });

  it('completes the click that opened the dialog', async () => {
    page.once('dialog', (dialog) => dialog.accept());
    await page.locator('#confirm').click();
    expect(await page.locator('#confirm').textContent()).toBe('true');
  });

  it('accepts an answer while the click that opened the dialog is pending', async () => {
    const waiting = page.waitForEvent('dialog');
    const clicked = page.locator('#prompt').click();
    const dialog = await waiting;
    expect(dialog.message()).toBe('name?');
    await dialog.accept('Cleo');
    await clicked;
    expect(await page.locator('#prompt').textContent()).toBe('Cleo');
  });

  it('emits three dialogs one after the other', async () => {
    const messages: string[] = [];
    page.on('dialog', (dialog) => {
      messages.push(dialog.message());
      return dialog.accept();
    });
    expect(await page.evaluate('[1, 2, 3].map((n) => confirm("dialog " + n))')).toEqual([true, true, true]);
    expect(messages).toEqual(['dialog 1', 'dialog 2', 'dialog 3']);
  });

  it('emits a dialog of a frame in another process on its page', async () => {
    await page.goto(`${test.server.origin}/framed`, { waitUntil: 'load' });
    page.once('dialog', (dialog) => dialog.accept());
    await page.locator('iframe >> button').click();
    expect(await page.locator('iframe >> button').textContent()).toBe('true');
  });

  it('emits a dialog of a popup on the popup', async () => {
    page.once('popup', (popup) => popup.on('dialog', (dialog) => dialog.accept('from here')));
    const popped = page.waitForEvent('popup');
    await page.evaluate('void window.open("/next")');
    const popup = await popped;
    await popup.waitForLoadState('load');
    expect(await popup.evaluate('prompt("who?")')).toBe('from here');
  });

  it('dismisses the dialog when its listener throws, and logs the error', async () => {
    const before = test.lines.length;
    page.once('dialog', () => {
      throw new TypeError('listener broke');
    });
    expect(await page.evaluate('confirm("sure?")')).toBe(false);
    page.once('dialog', () => Promise.reject(new TypeError('listener broke later')));
    expect(await page.evaluate('confirm("sure?")')).toBe(false);
    const lines = linesSince(before).join('\n');
    expect(lines).toContain('A listener for "dialog" threw: TypeError: listener broke\n');
    expect(lines).toContain('A listener for "dialog" threw: TypeError: listener broke later');
  });

  it('dismisses dialogs again after the listener is removed', async () => {
    const listener = (dialog: Dialog): Promise<void> => dialog.accept();
    page.on('dialog', listener);
    expect(await page.evaluate('confirm("sure?")')).toBe(true);
    page.off('dialog', listener);
    expect(await page.evaluate('confirm("sure?")')).toBe(false);
  });
});

describe('unanswered dialog', () => {
  const limit = { timeout: 300 };
  const calls: readonly [name: string, call: () => Promise<unknown>][] = [
    ['locator.click', () => page.locator('#alert').click(limit)],
    ['locator.fill', () => page.locator('input').fill('x', limit)],
    ['locator.count', () => page.locator('input').count(limit)],
    ['locator.textContent', () => page.locator('a').textContent(limit)],
    ['locator.isVisible', () => page.locator('a').isVisible(limit)],
    ['locator.waitFor', () => page.locator('#none').waitFor(limit)],
    ['waitForSelector', () => page.waitForSelector('#none', limit)],
    ['snapshot', () => page.snapshot(limit)],
    ['screenshot', () => page.screenshot(limit)],
    ['click at a point', () => page.click(10, 10, { ...limit, returnXpath: true })],
    ['act', () => test.driver.act({ selector: 'a', description: 'a', method: 'hover' }, { page, ...limit })],
    ['act by instruction', () => test.driver.act('click next', { page, ...limit })],
    ['observe', () => test.driver.observe('the links', { page, ...limit })],
    ['extract', () => test.driver.extract({ page, ...limit })],
  ];
  it('times out calls with an error that names the dialog, until it is answered', async () => {
    const opened = page.waitForEvent('dialog');
    page.on('dialog', () => undefined);
    const value = page.evaluate('confirm("still there?")');
    value.catch(() => undefined);
    const dialog = await opened;
    const failures = await Promise.all(calls.map(async ([name, call]) => [name, await failureOf(call())] as const));
    for (const [name, failure] of failures) {
      expect(failure, name).toBeInstanceOf(DriverTimeoutError);
      expect(String(failure), name).toContain('The page shows a dialog (confirm) that says "still there?"');
    }
    await dialog.accept();
    expect([await value, await page.title()]).toEqual([true, 'Start']);
  });

  it('times out the click that opened the dialog', async () => {
    page.on('dialog', () => undefined);
    const failure = await failureOf(page.locator('#alert').click({ timeout: 500 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect(String(failure)).toContain(
      'a dialog (alert) that says "hello". The page is blocked until the dialog is answered, for example in a `dialog` listener.',
    );
  });

  it('times out `goto()` when the page opens a dialog while it loads', async () => {
    page.on('dialog', () => undefined);
    const failure = await failureOf(page.goto(`${test.server.origin}/load`, { timeout: 2000 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect(String(failure)).toContain('"while loading"');
  });

  it('lets `page.close()` succeed, and rejects the pending call', async () => {
    const opened = page.waitForEvent('dialog');
    const value = failureOf(page.evaluate('alert("stays")'));
    await opened;
    await page.close();
    expect(page.isClosed()).toBe(true);
    expect(await value).toMatchObject({ name: 'DriverClosedError' });
  });
});

// A headless shell leaves no document whose dialog is open.
describe('unanswered dialog in a full browser', () => {
  useWholeBrowser();
  const whole = useBrowser({ routes: { '/': '<title>Start</title>', '/next': '<title>Next</title>' } });

  it.each([
    ['goto', 'Next', (shown: Page) => shown.goto(`${whole.server.origin}/next`)],
    ['reload', 'Start', (shown: Page) => shown.reload()],
  ])('closes the dialog with its document on %s', async (_name, title, call) => {
    const shown = await whole.driver.context.newPage(whole.server.origin);
    await shown.evaluate('window.isOld = true');
    const opened = shown.waitForEvent('dialog');
    shown.on('dialog', () => undefined);
    const value = shown.evaluate('confirm("still there?")');
    await opened;
    await call(shown);
    expect(await shown.evaluate('[document.title, window.isOld]')).toEqual([title, undefined]);
    expect(await value).toBe(false);
    await shown.close();
  });
});

describe('dialog without a listener', () => {
  it.each([
    ['#alert', 'told', 'a dialog (alert) said "hello"'],
    ['#confirm', 'false', 'a dialog (confirm) said "sure?" and was dismissed'],
    ['#prompt', '', 'a dialog (prompt) said "name?" and was dismissed'],
  ])('dismisses and logs the dialog of %s, and `act` reports it', async (selector, text, note) => {
    const before = test.lines.length;
    const result = await test.driver.act({ selector, description: 'it', method: 'click' }, { page });
    expect(result).toMatchObject({ success: true, effect: 'opened', message: expect.stringContaining(note) });
    expect(await page.locator(selector).textContent()).toBe(text);
    expect(linesSince(before).filter((line) => line.startsWith('Dismissed a dialog'))).toHaveLength(1);
  });

  it('does not block `goto()`, `fill()` or `press()`', async () => {
    await page.goto(`${test.server.origin}/load`);
    expect(await page.title()).toBe('Load');
    await page.goto(`${test.server.origin}/onchange`);
    await page.locator('input').fill('a');
    expect(await page.locator('input').inputValue()).toBe('a');
    await page.locator('input').press('b');
    expect(await page.locator('input').inputValue()).toBe('ab');
  });

  it('dismisses dialogs of frames in other processes and of popups', async () => {
    await page.goto(`${test.server.origin}/framed`, { waitUntil: 'load' });
    await page.locator('iframe >> button').click();
    expect(await page.locator('iframe >> button').textContent()).toBe('false');
    await page.evaluate('void window.open("/load")');
    const popup = await test.driver.context.awaitActivePage();
    expect(await popup.title()).toBe('Load');
  });
});

describe('dialog in the act() message', () => {
  it.each([
    ['accept', 'a dialog (confirm) said "sure?" and was accepted'],
    ['dismiss', 'a dialog (confirm) said "sure?" and was dismissed'],
  ] as const)('reports the decision of the listener: %s', async (answer, note) => {
    page.once('dialog', (dialog) => dialog[answer]());
    const result = await test.driver.act({ selector: '#confirm', description: 'it', method: 'click' }, { page });
    expect(result.message).toContain(note);
  });
});

describe('page with a beforeunload dialog', () => {
  beforeEach(async () => {
    await page.goto(`${test.server.origin}/asks`, { waitUntil: 'load' });
    // A page may only ask once a person has touched it.
    await page.locator('button').click();
  });

  afterEach(() => page.close());

  it('navigates without a listener', async () => {
    await page.goto(`${test.server.origin}/next`);
    expect(await page.title()).toBe('Next');
  });

  it('navigates when the listener accepts', async () => {
    const types: string[] = [];
    page.on('dialog', (dialog) => {
      types.push(dialog.type());
      return dialog.accept();
    });
    await page.goto(`${test.server.origin}/next`);
    expect([types, await page.title()]).toEqual([['beforeunload'], 'Next']);
  });

  it('stays when the listener dismisses, and `act` reports it', async () => {
    page.on('dialog', (dialog) => dialog.dismiss());
    const result = await test.driver.act({ selector: 'a', description: 'next', method: 'click' }, { page });
    expect(result.message).toContain('the page asked to confirm leaving it, and the driver stayed');
    expect(await page.title()).toBe('Asks');
  });

  it('closes without a dialog, even if a listener would dismiss it', async () => {
    const types: string[] = [];
    page.on('dialog', (dialog) => {
      types.push(dialog.type());
      return dialog.dismiss();
    });
    await page.close();
    expect(page.isClosed()).toBe(true);
    expect(types).toEqual([]);
  });

  it.each([
    ['goto()', () => page.goto(`${test.server.origin}/next`)],
    ['reload()', () => page.reload()],
    ['goBack()', () => page.goBack()],
  ] as const)('rejects %s when the listener dismisses, and can navigate afterwards', async (_how, leave) => {
    const here = page.url();
    page.once('dialog', (dialog) => dialog.dismiss());
    const failure = await failureOf(leave());
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(String(failure)).toContain(`Cannot leave the page ${here}: its beforeunload dialog was dismissed`);
    await page.goto(`${test.server.origin}/next`);
    expect(await page.title()).toBe('Next');
  });

  it('navigates after a dismissed `close({ runBeforeUnload: true })`', async () => {
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.close({ runBeforeUnload: true });
    await page.goto(`${test.server.origin}/next`);
    expect(await page.title()).toBe('Next');
  });

  it('closes on `close({ runBeforeUnload: true })` without a listener', async () => {
    await page.close({ runBeforeUnload: true });
    expect(page.isClosed()).toBe(true);
  });

  it.each([
    ['accept', true],
    ['dismiss', false],
  ] as const)('lets the listener decide on `close({ runBeforeUnload: true })`: %s', async (answer, isClosed) => {
    page.once('dialog', (dialog) => dialog[answer]());
    await page.close({ runBeforeUnload: true });
    expect(page.isClosed()).toBe(isClosed);
  });

  it('times out `close({ runBeforeUnload: true })` when nobody answers', async () => {
    page.on('dialog', () => undefined);
    const failure = await failureOf(page.close({ runBeforeUnload: true, timeout: 2000 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect(String(failure)).toContain('a dialog (beforeunload)');
  });
});
