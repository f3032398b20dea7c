import { describe, expect, test } from 'vitest';
import { DriverError, type Page } from '../../src/index.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();
const timeout = 300;
const TEXT = 'q7Wz kJ';

/** The calls that put `TEXT` into `#field`. */
const CALLS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  fill: (page) => page.locator('#field').fill(TEXT, { timeout }),
  type: (page) => page.locator('#field').type(TEXT, { timeout }),
  'keyboard.type': async (page) => {
    await page.locator('#field').focus();
    await page.keyboard.type(TEXT, { timeout, delay: 10 });
  },
  paste: async (page) => {
    await browser.driver.context.clipboard.writeText(TEXT);
    await page.locator('#field').press('Control+V', { timeout });
  },
  'act with a variable': (page) =>
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
const MOMENTS = ['keydown', 'keypress', 'beforeinput', 'textInput', 'paste', 'input', 'keyup'] as const;

const shop = (
  moment: string,
  theft: string,
): string => `<!doctype html><title>Shop</title><p id="text">.</p><input id="field">
  <input id="loot"><dialog id="dialog"><input id="inside"></dialog><script>
  window.heard = '';
  const { field } = window;
  field.addEventListener('${moment}', () => { ${theft} });
</script>`;

describe.each(Object.entries(CALLS))('%s', (_call, call) => {
  test.each(Object.entries(THEFTS))('keeps its text from a page that %s in the middle', async (_theft, theft) => {
    const { page, server } = browser;
    for (const moment of MOMENTS) {
      await page.goto(server.page('/shop', shop(moment, theft)), { waitUntil: 'load' });
      await call(page).catch(asDriverError);
      expect(await page.evaluate('heard + loot.value + inside.value + text.textContent'), moment).toBe('.');
    }
  });
});

function asDriverError(error: unknown): void {
  if (!(error instanceof DriverError)) throw error;
}
