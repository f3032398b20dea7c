import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();
const sections = Array.from(
  { length: 20 },
  (_, index) =>
    `<section><button>Open ${index}</button><p hidden>Hidden ${index}</p><p style="opacity: 0">Clear ${index}</p></section>`,
).join('');

test.each([
  ['a style sheet', `<style>section { content-visibility: auto; contain-intrinsic-height: 200px }</style>${sections}`],
  [
    'style attributes',
    sections.replaceAll('<section>', '<section style="content-visibility: auto; contain-intrinsic-height: 200px">'),
  ],
])('reads sections outside the viewport that the browser skips because of %s', async (_, html) => {
  await odd.open(html);
  const text = await odd.text();
  expect(text.match(/e\d+ button "Open \d+"/g)).toHaveLength(20);
  expect(text).not.toMatch(/Hidden|Clear/);
});
