import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/cdp/session.ts';
import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const TEXT = 'one two\nthree four\nfive six';
/** Behind `three`. */
const CARET = 13;

let started: TestDriver;
let page: Page;

beforeAll(async () => {
  started = await startDriver({ localBrowserLaunchOptions: { args: [`--user-agent=${MAC}`] } });
  ({ page } = started);
});
afterAll(() => started?.driver.close());

beforeEach(async () => {
  await page.setContent(`<textarea rows="5" cols="40">${TEXT}</textarea>`);
  await page.locator('textarea').focus();
  await page.locator('textarea').evaluate(`element.setSelectionRange(${CARET}, ${CARET})`);
});

/** The text, with the caret or the edges of the selection marked. */
function marked(): Promise<string> {
  return page.evaluate(() => {
    const field = (
      globalThis as unknown as { document: { querySelector(selector: string): Field } }
    ).document.querySelector('textarea');
    const { value, selectionStart: start, selectionEnd: end } = field;
    return start === end
      ? `${value.slice(0, start)}|${value.slice(start)}`
      : `${value.slice(0, start)}[${value.slice(start, end)}]${value.slice(end)}`;
  });
}

interface Field {
  readonly value: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

describe('keyboard on macOS', () => {
  it.each<readonly [keys: string, expected: string]>([
    ['ArrowLeft', 'one two\nthre|e four\nfive six'],
    ['ArrowRight', 'one two\nthree |four\nfive six'],
    ['ArrowUp', 'one t|wo\nthree four\nfive six'],
    ['ArrowDown', 'one two\nthree four\nfive |six'],
    ['Alt+ArrowLeft', 'one two\n|three four\nfive six'],
    ['Alt+ArrowRight', 'one two\nthree four|\nfive six'],
    ['Meta+ArrowLeft', 'one two\n|three four\nfive six'],
    ['Cmd+ArrowRight', 'one two\nthree four|\nfive six'],
    ['Meta+ArrowUp', '|one two\nthree four\nfive six'],
    ['Meta+ArrowDown', 'one two\nthree four\nfive six|'],
    ['Control+A', 'one two\n|three four\nfive six'],
    ['Control+E', 'one two\nthree four|\nfive six'],
    ['Control+B', 'one two\nthre|e four\nfive six'],
    ['Control+F', 'one two\nthree |four\nfive six'],
    ['Control+P', 'one t|wo\nthree four\nfive six'],
    ['Control+N', 'one two\nthree four\nfive |six'],
  ])('moves the caret with %s', async (keys, expected) => {
    await page.keyPress(keys);
    expect(await marked()).toBe(expected);
  });

  it.each<readonly [keys: string, expected: string]>([
    ['Shift+ArrowLeft', 'one two\nthre[e] four\nfive six'],
    ['Shift+ArrowRight', 'one two\nthree[ ]four\nfive six'],
    ['Shift+Alt+ArrowLeft', 'one two\n[three] four\nfive six'],
    ['Alt+Shift+ArrowRight', 'one two\nthree[ four]\nfive six'],
    ['Shift+Meta+ArrowLeft', 'one two\n[three] four\nfive six'],
    ['Shift+Meta+ArrowUp', '[one two\nthree] four\nfive six'],
    ['Shift+Meta+ArrowDown', 'one two\nthree[ four\nfive six]'],
    ['Shift+End', 'one two\nthree[ four\nfive six]'],
    ['Shift+Home', '[one two\nthree] four\nfive six'],
    ['Meta+A', '[one two\nthree four\nfive six]'],
    ['ControlOrMeta+A', '[one two\nthree four\nfive six]'],
  ])('selects text with %s', async (keys, expected) => {
    await page.keyPress(keys);
    expect(await marked()).toBe(expected);
  });

  it.each<readonly [keys: string, expected: string]>([
    ['Backspace', 'one two\nthre| four\nfive six'],
    ['Delete', 'one two\nthree|four\nfive six'],
    ['Alt+Backspace', 'one two\n| four\nfive six'],
    ['Alt+Delete', 'one two\nthree|\nfive six'],
    ['Meta+Backspace', 'one two\n| four\nfive six'],
    ['Control+D', 'one two\nthree|four\nfive six'],
    ['Control+H', 'one two\nthre| four\nfive six'],
    ['Control+K', 'one two\nthree|\nfive six'],
    ['Control+O', 'one two\nthree|\n four\nfive six'],
    ['Control+T', 'one two\nthre e|four\nfive six'],
  ])('edits the text with %s', async (keys, expected) => {
    await page.keyPress(keys);
    expect(await marked()).toBe(expected);
  });

  it('undoes with Meta+Z, and redoes with Shift+Meta+Z', async () => {
    await page.keyPress('Alt+Backspace');
    await page.keyPress('Meta+Z');
    expect(await page.locator('textarea').inputValue()).toBe(TEXT);
    await page.keyPress('Shift+Meta+Z');
    expect(await marked()).toBe('one two\n| four\nfive six');
  });

  it('applies macOS shortcuts to `locator.press()` and to held modifiers', async () => {
    await page.locator('textarea').press('ControlOrMeta+A');
    expect(await marked()).toBe(`[${TEXT}]`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.down('ControlOrMeta');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.up('ControlOrMeta');
    expect(await marked()).toBe(`${TEXT}|`);
  });

  it('sends no editing commands for typing keys and page shortcuts', async () => {
    const sent = vi.spyOn(Session.prototype, 'sendRaw');
    for (const keys of ['a', 'Shift+A', 'Escape', 'F5', 'Control+S', 'Meta+Enter']) await page.keyPress(keys);
    const events = sent.mock.calls
      .filter(([method]) => method === 'Input.dispatchKeyEvent')
      .map(([, params]) => params);
    sent.mockRestore();
    expect(events.length).toBeGreaterThan(12);
    for (const event of events) expect(event).not.toHaveProperty('commands');
  });
});
