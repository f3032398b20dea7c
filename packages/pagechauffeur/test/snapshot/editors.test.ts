import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

test('reads the start of an editor with a million characters', async () => {
  await odd.open(`<div contenteditable aria-label="Letter">${'word '.repeat(200_000)}</div>`);
  const text = await odd.text();
  expect(text).toMatch(/^e1 generic "Letter" = "(?:word )+…" editable$/);
  expect(text.length).toBeLessThan(20_100);
});

test('reads the start of an editor with 20,000 line breaks', async () => {
  await odd.open(`<div contenteditable aria-label="Letter">${'a<br>'.repeat(20_000)}</div>`);
  expect((await odd.text()).slice(0, 32)).toBe(String.raw`e1 generic "Letter" = "a\na\na\n`);
});

test('shows an editor with a hidden field as editable if its text is focusable', async () => {
  const field =
    '<textarea autocorrect="off" autocapitalize="off" style="position: absolute; width: 1000px"></textarea>';
  await odd.open(`<div><div style="overflow: hidden; position: relative; width: 3px; height: 0">${field}</div>
    <div tabindex="-1" style="cursor: text; height: 60px"><pre>let a = 1</pre></div></div>`);
  expect(await odd.text()).toMatch(/^e\d+ generic "let a = 1" editable$/m);
});
