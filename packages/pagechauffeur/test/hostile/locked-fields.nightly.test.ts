import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();
const TEXT = 'Zanzibar';

const field = (event: string, lock: string, more = ''): string => `<!doctype html><title>Shop</title>
  <label>Name <input id="field" ${more}></label><script>
  let count = 0;
  field.addEventListener('${event}', () => { count += 1; ${lock} });
</script>`;

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/shop', html), { waitUntil: 'load' });
}

const LOCKS = {
  'makes it read-only': 'field.readOnly = true',
  'disables it': 'field.disabled = true',
} as const;

describe('field that the page locks during input', () => {
  test.each(
    rows(
      [
        ['beforeinput', 'makes it read-only'],
        ['keydown', 'disables it'],
      ],
      [
        ['keydown', 'makes it read-only'],
        ['beforeinput', 'disables it'],
      ],
    ),
  )('fill() rejects when the page, on %s, %s', async (event, lock) => {
    await open(field(event, LOCKS[lock]));
    const failure = await failureOf(browser.page.locator('#field').fill(TEXT, { timeout: 1500 }));
    expect(String(failure)).toMatch(/read-only|disabled/);
    expect(await browser.page.locator('#field').inputValue()).toBe('');
  });

  test.each(
    rows(
      [
        ['keydown', 'makes it read-only', 'if (count === 4) field.readOnly = true', 3],
        ['beforeinput', 'makes it read-only', 'if (count === 4) field.readOnly = true', 3],
        ['input', 'makes it read-only', 'if (count === 4) field.readOnly = true', 4],
        ['keydown', 'disables it', 'if (count === 4) field.disabled = true', 3],
        ['input', 'disables it', 'if (count === 4) field.disabled = true', 4],
      ],
      [['keypress', 'makes it read-only', 'if (count === 4) field.readOnly = true', 3]],
    ),
  )(
    'type() rejects with the number of typed characters when the page, on %s, %s',
    async (event, _what, lock, typed) => {
      await open(field(event, lock));
      const failure = await failureOf(browser.page.locator('#field').type(TEXT, { timeout: 5000 }));
      expect(String(failure)).toMatch(/the page (?:made it read-only|disabled it) while keys were sent/);
      expect(String(failure)).toContain(`${typed} of 8 characters were typed, and nothing more was sent.`);
      expect(await browser.page.locator('#field').inputValue()).toBe(TEXT.slice(0, typed));
    },
  );

  test('fill() succeeds once the page unlocks the field', async () => {
    await open(
      field(
        'keydown',
        'if (count === 1) { field.readOnly = true; setTimeout(() => { field.readOnly = false; }, 50); }',
      ),
    );
    await browser.page.locator('#field').fill(TEXT);
    expect(await browser.page.locator('#field').inputValue()).toBe(TEXT);
  });
});

describe('field that changes after it receives its text', () => {
  test.each<[string, string, string, string, string]>([
    ['becomes disabled', 'input', 'if (field.value.length >= 8) field.disabled = true', '', TEXT],
    ['truncates the text', 'input', '', 'maxlength="4"', TEXT.slice(0, 4)],
    [
      'truncates the text and becomes read-only',
      'input',
      'if (field.value.length >= 4) field.readOnly = true',
      'maxlength="4"',
      TEXT.slice(0, 4),
    ],
    ['reformats the text', 'input', 'field.value = field.value.toUpperCase()', '', TEXT.toUpperCase()],
  ])('fill() succeeds when the field %s', async (_what, event, then, more, held) => {
    await open(field(event, then, more));
    await browser.page.locator('#field').fill(TEXT);
    expect(await browser.page.locator('#field').inputValue()).toBe(held);
  });

  test('press() sends every key to a read-only field', async () => {
    await open(field('keydown', 'heard += event.key', 'readonly').replace('let count', "window.heard = ''; let count"));
    for (const key of 'abc') await browser.page.locator('#field').press(key);
    expect(await browser.page.evaluate('heard')).toBe('abc');
  });
});
