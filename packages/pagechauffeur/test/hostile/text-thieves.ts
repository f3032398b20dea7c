import { describe, expect, test } from 'vitest';
import type { Page } from '../../src/index.ts';
import { rows } from '../support/nightly-rows.ts';
import { type SharedBrowser } from '../support/use-browser.ts';
import { succeeds } from './succeeds.ts';

const timeout = 300;
const TEXT = 'q7Wz kJ';

/** The calls that put `TEXT` into `#field`. */
const CALLS: Readonly<Record<string, (page: Page, browser: SharedBrowser) => Promise<unknown>>> = {
  fill: (page) => page.locator('#field').fill(TEXT, { timeout }),
  type: (page) => page.locator('#field').type(TEXT, { timeout }),
  'keyboard.type': async (page) => {
    await page.locator('#field').focus();
    await page.keyboard.type(TEXT, { timeout, delay: 10 });
  },
  paste: async (page, browser) => {
    await browser.driver.context.clipboard.writeText(TEXT);
    await page.locator('#field').press('Control+V', { timeout });
  },
  'act with a variable': (page, browser) =>
    browser.driver.act(
      { selector: 'xpath=//*[@id="field"]', description: 'the field', method: 'type', arguments: ['%secret%'] },
      { variables: { secret: TEXT }, timeout, page },
    ),
};

/** What a page does that hears of text. */
const THEFTS: Readonly<Record<string, string>> = {
  'gives another field the focus': 'loot.focus()',
  'opens a modal dialog': 'if (!dialog.open) dialog.showModal(); inside.focus()',
  'puts another field in its place':
    'const now = field.cloneNode(); now.id = "now"; field.replaceWith(now); now.focus(); now.oninput = () => { heard += now.value; }',
  'makes the whole page an editor': 'document.body.contentEditable = "true"; document.body.focus()',
  'writes itself again': `document.open(); document.write('<p id="text">.</p><input id="loot"><dialog id="dialog"><input id="inside"></dialog>'); document.close(); document.querySelector('#loot').focus()`,
  'turns design mode on': 'document.designMode = "on"; field.blur(); getSelection().selectAllChildren(text)',
};
/** What is tried on every change, where not all is: these calls send their text as `type` and `fill` do. */
const DAILY: Readonly<Record<string, readonly string[]>> = {
  'keyboard.type': ['gives another field the focus', 'turns design mode on'],
  paste: ['gives another field the focus', 'puts another field in its place', 'opens a modal dialog'],
  'act with a variable': ['gives another field the focus', 'writes itself again'],
};
/** The events at which a page may act. */
export const MOMENTS = ['keydown', 'keypress', 'beforeinput', 'textInput', 'paste', 'input', 'keyup'] as const;

const shop = (
  moment: string,
  theft: string,
): string => `<!doctype html><title>Shop</title><p id="text">.</p><input id="field">
  <input id="loot"><dialog id="dialog"><input id="inside"></dialog><script>
  window.heard = '';
  const { field } = window;
  field.addEventListener('${moment}', () => { ${theft} });
</script>`;

/** Tests that each call keeps its text from a page that interferes at one of the moments. */
export function testTextThieves(browser: SharedBrowser, moments: readonly (typeof MOMENTS)[number][]): void {
  describe.each(Object.entries(CALLS))('%s', (name, call) => {
    const isTried = ([theft]: readonly [string, string]): boolean => DAILY[name]?.includes(theft) ?? true;
    const thefts = Object.entries(THEFTS);
    const others = thefts.filter((theft) => !isTried(theft));
    test.each(rows(thefts.filter(isTried), others))(
      'keeps its text from a page that %s during input',
      async (_theft, theft) => {
        const { page, server } = browser;
        for (const moment of moments) {
          await page.goto(server.page('/shop', shop(moment, theft)), { waitUntil: 'load' });
          await succeeds(
            call(page, browser),
            'LOCATOR',
            'TIMEOUT',
            ...(removesField(theft) ? ['ELEMENT_NOT_FOUND'] : []),
          );
          expect(await page.evaluate('heard + loot.value + inside.value + text.textContent'), moment).toBe('.');
        }
      },
    );
  });
}

/** Whether a call may find no `#field` any more. */
function removesField(theft: string): boolean {
  return /field\.replaceWith|document\.write/.test(theft);
}
