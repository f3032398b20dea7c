import { describe, expect, test } from 'vitest';
import { longPages } from '../../../../bench/long-pages.ts';
import { foundLines } from '../../src/tools/found-lines.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { INSTRUCTION, kinds, LongPages, TARGET, testPlaces } from './token-budget.ts';

const browser = useBrowser();
const pages = new LongPages(browser);

testPlaces(pages, ['middle']);

describe.each(kinds)('long page of %s', (kind) => {
  test('keeps every ref, and shows every word without a budget', async () => {
    await pages.openKind(kind);
    const whole = await pages.read({ tokenBudget: Infinity });
    const { refs } = await pages.read({ tokenBudget: 2000 });
    for (const ref of whole.refs.keys()) expect(refs.has(ref), ref).toBe(true);
    const seen = await browser.page.evaluate<string>('document.body.innerText');
    expect(squeezed(whole.text)).toContain(squeezed(TARGET));
    expect(wordsMissing(seen, whole.text)).toEqual([]);
  });
});

test.each([2000, 6500])('keeps all headings of a page of sections with a budget of %i', async (tokenBudget) => {
  await pages.openKind('sections', 'end');
  const { text } = await pages.read({ tokenBudget });
  expect(text.match(/^ *heading 2 /gm)).toHaveLength(61);
});

test('counts the omitted words of a text, and shows them on request', async () => {
  await pages.open(`<p>${Array.from({ length: 9000 }, (_, index) => `word${index}`).join(' ')}</p>`);
  const { text } = await pages.read({ tokenBudget: 1000 });
  const [, shown = '', count = '', ref = ''] = /^- (.*) … ([\d,]+) more words, (e\d+)$/m.exec(text) ?? [];
  expect(shown.split(' ').length + Number(count.replace(',', ''))).toBe(9000);
  const expanded = await pages.read({ tokenBudget: 1000, expand: ref });
  expect(expanded.text).toContain('word8999');
  expect(expanded.text).not.toContain('more words');
});

test('counts the omitted words before and after the part that the instruction names', async () => {
  await pages.openKind('one paragraph', 'middle');
  const { text } = await pages.read({ tokenBudget: 500, instruction: INSTRUCTION });
  expect(text).toMatch(/ … (?:19|20),\d{3} words … .*marmalade ledger.* … (?:19|20),\d{3} more words, e\d+$/m);
});

test('counts the omitted characters if a text has no words', async () => {
  await pages.open(`<p>${'x'.repeat(50_000)}</p>`);
  expect((await pages.read({ tokenBudget: 500 })).text).toMatch(/ … \d\d,\d{3} more characters, e\d+$/m);
});

test.each([
  ['a cell', '<table><tr><td>', '</td><td>Other</td></tr></table>'],
  ['a list item', '<ul><li>', '</ul>'],
  ['a definition', '<dl><dt>Term<dd>', '</dl>'],
  ['a text field', '<textarea>', '</textarea>'],
  ['a heading', '<h2>', '</h2>'],
])('cuts the text of %s and gives a ref that expands it', async (_what, before, after) => {
  const words = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
  await pages.open(`${before}${words}${after}`);
  expect((await pages.read({ tokenBudget: Infinity })).text).toContain('word1999');
  const { text } = await pages.read({ tokenBudget: 400 });
  const [, ref = ''] = / more words, (e\d+)/.exec(text) ?? [];
  expect(text).not.toContain('word1999');
  expect((await pages.read({ tokenBudget: 400, expand: ref })).text).toContain('word1999');
});

test('expands each of the first 12 folds of a page', async () => {
  const body = `<section>${longPages['sections']?.(TARGET, 'end') ?? ''}</section>${longPages['links in prose']?.('Nothing', 'end') ?? ''}`;
  await pages.open(body);
  const { text } = await pages.read({ tokenBudget: 1500 });
  const folds = text.match(/^ *… .*$/gm) ?? [];
  expect(folds.length).toBeGreaterThan(0);
  for (const fold of folds.slice(0, 12)) {
    const [, ref = ''] = /\((?:in )?(e\d+)/.exec(fold) ?? [];
    expect(ref, fold).not.toBe('');
    expect((await pages.read({ tokenBudget: 1500, expand: ref })).text.length, fold).toBeGreaterThan(text.length);
  }
});

test('shows a folded link when its ref is expanded', async () => {
  await pages.openKind('links in prose');
  const { text, refs } = await pages.read({ tokenBudget: 500 });
  const hidden = [...refs].filter(([ref, { role }]) => role === 'link' && !new RegExp(`\\b${ref} link`).test(text));
  expect(hidden.length).toBeGreaterThan(20);
  for (const [ref] of sampled(hidden, 3))
    expect((await pages.read({ tokenBudget: 500, expand: ref })).text).toContain(`${ref} link`);
});

test.each(rows(['links', 'cards'], ['table rows']))(
  'finds a folded control of a page of %s by its name, and shows it when it is expanded',
  async (kind) => {
    await pages.openKind(kind);
    const whole = await pages.read({ tokenBudget: Infinity });
    const { text, refs } = await pages.read({ tokenBudget: 1500 });
    const shown = new Set(text.match(/\be\d+\b/g));
    const folded = [...refs].filter(([ref, { role }]) => CONTROLS.has(role) && !shown.has(ref));
    expect(folded.length).toBeGreaterThan(20);
    for (const [ref, { name }] of sampled(folded, 20)) {
      const { text: found, count } = foundLines(whole.text, name);
      // `find` lists 20 lines and asks for more words if there are more.
      expect(found, name).toMatch(count <= 20 ? new RegExp(`\\b${ref}\\b`) : /more lines; search for more words$/);
    }
    for (const [ref] of sampled(folded, 5))
      expect((await pages.read({ tokenBudget: 1500, expand: ref })).text).toMatch(new RegExp(`\\b${ref}\\b`));
  },
);

const CONTROLS: ReadonlySet<string> = new Set(['link', 'button', 'textbox', 'checkbox', 'combobox']);

function sampled<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0);
}

test('keeps the headings of a folded page in order, with the match below its heading', async () => {
  await pages.openKind('sections');
  const { text } = await pages.read({ tokenBudget: 2000, instruction: INSTRUCTION });
  const numbers = [...text.matchAll(/heading 2 "Part (\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(text.indexOf('heading 2 "Remarks"')).toBeLessThan(text.indexOf('marmalade'));
});

/** Words of the first text that the second does not have, or has less often. */
function wordsMissing(seen: string, text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const missing = wordsIn(seen).filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left === 0;
  });
  return missing.slice(0, 5);
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
