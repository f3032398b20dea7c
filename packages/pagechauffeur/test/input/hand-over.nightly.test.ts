import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

const box = (attributes: string): string =>
  `<input ${attributes} oninput="this.value = this.value.slice(-1); this.nextElementSibling?.focus()">`;

/** Pages that go on to another field while text is typed, as people want it. */
const PAGES: Readonly<Record<string, string>> = {
  'six inputs of one character with `maxlength`': box('maxlength=1').repeat(6),
  'six narrow inputs of one character without `maxlength`': box('style="width: 2.5em; font-size: 20px"').repeat(6),
  'six inputs that move the focus on keyup':
    `<input maxlength=1 onkeyup="if (this.value) this.nextElementSibling?.focus()">`.repeat(6),
  'two inputs of three digits':
    `<input maxlength=3 oninput="if (this.value.length === 3) this.nextElementSibling?.focus()">`.repeat(2),
  'a field that the page re-renders on each input event':
    '<div id="app"></div><script>const draw = (value) => { app.innerHTML = `<input name="code">`; const field = app.firstChild; field.value = value; field.oninput = () => { draw(field.value); app.firstChild.focus(); }; }; draw("");</script>',
};

test.each(Object.entries(PAGES))('types a whole code into %s', async (_name, html) => {
  const { page, server } = browser;
  await page.goto(server.page('/code', `<!doctype html>${html}`));
  await page.locator('input').first().type('482913');
  const held = await page.evaluate("[...document.querySelectorAll('input')].map(({ value }) => value).join('')");
  expect(held).toBe('482913');
});

test.each(['disabled', 'type="hidden"'])(
  'rejects `press()` on a field with %s, and sends the key to no other field',
  async (state) => {
    const { page, server } = browser;
    await page.goto(server.page('/off', `<!doctype html><input id="field" ${state}><input id="other" autofocus>`));
    await page.locator('#other').focus();
    await expect(page.locator('#field').press('k', { timeout: 1000 })).rejects.toThrow('#field');
    expect(await page.locator('#other').inputValue()).toBe('');
  },
);
