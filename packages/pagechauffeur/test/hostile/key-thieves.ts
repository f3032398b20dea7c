import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/index.ts';
import { serve, type TestServer } from '../support/serve.ts';
import type { SharedBrowser } from '../support/use-browser.ts';
import { succeeds } from './succeeds.ts';

/** A call that cannot reach its field fails after this many milliseconds: time for several bursts of keys. */
const timeout = 300;

type Call = (page: Page) => Promise<unknown>;

/** Calls that send keys or text, which the browser delivers to whatever has the focus, and what their field holds when they succeed. */
const CALLS: readonly (readonly [what: string, call: Call, selector: string, value: unknown])[] = [
  ['press Enter', (page) => page.locator('#field').press('Enter', { timeout }), '#field', 'old text'],
  [
    'press Control+A, then Delete',
    async (page) => {
      await page.locator('#field').press('Control+A', { timeout });
      await page.locator('#field').press('Delete', { timeout });
    },
    '#field',
    '',
  ],
  [
    'press Control+V',
    (page) => page.locator('#field').press('Control+V', { timeout }),
    '#field',
    expect.stringContaining('from the clipboard'),
  ],
  ['press Control+X', (page) => page.locator('#field').press('Control+X', { timeout }), '#field', 'old text'],
  ['fill with an empty string', (page) => page.locator('#field').fill('', { timeout }), '#field', ''],
  ['fill a number field', (page) => page.locator('#count').fill('42', { timeout }), '#count', '42'],
  ['replaceText', (page) => page.locator('#field').replaceText('old', 'new', { timeout }), '#field', 'new text'],
  ['selectOption', (page) => page.locator('#size').selectOption('M', { timeout }), '#size', 'M'],
];

/** A form whose fields steal the focus and record every event. */
const THIEF = `<form onsubmit="event.preventDefault(); heard += ' submit'"><textarea id="loot">mine</textarea><input id="second" value="mine"></form><script>
  window.heard = '';
  loot.select();
  let turn = 0;
  const take = () => { const next = turn++ % 2 ? loot : second; next.focus(); next.select(); };
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'paste', 'cut'])
    for (const one of document.forms[0]) one.addEventListener(type, (event) => { heard += ' ' + type + ' ' + (event.key ?? event.data ?? ''); }, true);
  setInterval(take, 7);
  onmessage = take;
</script>`;

const shop = (
  advert: string,
): string => `<!doctype html><title>Shop</title><input id="field" value="old text"><input id="count" type="number">
  <select id="size"><option>S</option><option>M</option></select>${advert}`;

/** Tests that other fields and frames get no event of a call that is repeated, and that it changes no text there. */
export function testKeyThieves(browser: SharedBrowser, tries: number): void {
  // Another origin of the same site, whose frames live in the page's process.
  let neighbour: TestServer;
  beforeAll(async () => {
    neighbour = await serve();
  });
  afterAll(() => neighbour?.close());

  describe.each([
    ['the page itself', () => THIEF],
    ['a frame of the same process', () => `<iframe src="${neighbour.page('/thief', THIEF)}"></iframe>`],
    [
      'a frame of another process',
      () =>
        `<iframe src="${browser.server.page('/thief', THIEF).replace(browser.server.origin, browser.server.otherOrigin)}"></iframe>`,
    ],
  ])('%s that steals the focus', (place, advert) => {
    test.each(CALLS)('receives no event of "%s" and keeps its text', async (_what, call, selector, value) => {
      const { page, server } = browser;
      await browser.driver.context.clipboard.writeText('from the clipboard');
      await page.goto(server.page('/shop', shop(advert())), { waitUntil: 'load' });
      const frame = place === 'the page itself' ? page.mainFrame() : page.frames()[1];
      await frame?.evaluate(`second.value = loot.value = 'mine'`);
      const held: string[] = [];
      for (let attempt = 0; attempt < tries; attempt += 1) {
        await page.evaluate(`document.querySelector('#field').value = 'old text'`);
        if (await succeeds(call(page), 'LOCATOR', 'TIMEOUT')) held.push(await page.locator(selector).inputValue());
      }
      expect(held).toEqual(held.map(() => value));
      expect(await frame?.evaluate('[heard, loot.value, second.value, turn > 0]')).toEqual(['', 'mine', 'mine', true]);
    });
  });
}
