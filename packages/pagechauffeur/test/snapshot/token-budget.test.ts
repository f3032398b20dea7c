import { describe, expect, test } from 'vitest';
import { longPages, type TargetPlace } from '../../../../bench/long-pages.ts';
import { tokensIn } from '../../src/injected/snapshot/token-estimate.ts';
import type { Snapshot, SnapshotOptions, TreeOptions } from '../../src/snapshot/snapshot.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

const TARGET = 'The curator keeps the marmalade ledger';
const INSTRUCTION = 'read the remark about the marmalade ledger';
const BUDGETS = [500, 2000, 6500, 20_000];

const kinds = Object.keys(longPages);
const places: readonly TargetPlace[] = ['beginning', 'middle', 'end'];

async function open(body: string): Promise<void> {
  const html = `<!doctype html><title>Long</title><body><h1>Long</h1>${body}<button>Finish</button>`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
}

async function openKind(kind: string, place: TargetPlace = 'middle'): Promise<void> {
  await open(longPages[kind]?.(TARGET, place) ?? '');
}

async function read(options: SnapshotOptions & TreeOptions): Promise<Snapshot> {
  using progress = new Progress({ operation: 'snapshot', timeout: 30_000 });
  return await takeSnapshot(progress, browser.page.target, options);
}

describe.each(kinds)('a long page of %s', (kind) => {
  test.each(places)('shows the target at the %s, and uses 60 % to 120 % of every budget', async (place) => {
    await openKind(kind, place);
    const whole = tokensIn((await read({ tokenBudget: Infinity })).text);
    for (const tokenBudget of BUDGETS) {
      const { text } = await read({ tokenBudget, instruction: INSTRUCTION });
      expect(text, `budget ${tokenBudget}`).toContain('marmalade ledger');
      expect(tokensIn(text)).toBeLessThanOrEqual(tokenBudget * 1.2);
      expect(tokensIn(text)).toBeGreaterThanOrEqual(Math.min(whole * 0.9, tokenBudget * 0.6));
    }
  });

  test('keeps every ref, and shows every word without a budget', async () => {
    await openKind(kind);
    const whole = await read({ tokenBudget: Infinity });
    const { refs } = await read({ tokenBudget: 2000 });
    for (const ref of whole.refs.keys()) expect(refs.has(ref), ref).toBe(true);
    const seen = await browser.page.evaluate<string>('document.body.innerText');
    expect(squeezed(whole.text)).toContain(squeezed(TARGET));
    expect(wordsMissing(seen, whole.text)).toEqual([]);
  });
});

test.each([2000, 6500])('keeps all headings of a page of sections with a budget of %i', async (tokenBudget) => {
  await openKind('sections', 'end');
  const { text } = await read({ tokenBudget });
  expect(text.match(/^ *heading 2 /gm)).toHaveLength(61);
});

test('counts the words of a text that are left out, and shows them on request', async () => {
  await open(`<p>${Array.from({ length: 9000 }, (_, index) => `word${index}`).join(' ')}</p>`);
  const { text } = await read({ tokenBudget: 1000 });
  const [, shown = '', count = '', ref = ''] = /^- (.*) … ([\d,]+) more words, (e\d+)$/m.exec(text) ?? [];
  expect(shown.split(' ').length + Number(count.replace(',', ''))).toBe(9000);
  const expanded = await read({ tokenBudget: 1000, expand: ref });
  expect(expanded.text).toContain('word8999');
  expect(expanded.text).not.toContain('more words');
});

test('says how much is left out before the part that the instruction speaks of', async () => {
  await openKind('one paragraph', 'middle');
  const { text } = await read({ tokenBudget: 500, instruction: INSTRUCTION });
  expect(text).toMatch(/ … (?:19|20),\d{3} words … .*marmalade ledger.* … (?:19|20),\d{3} more words, e\d+$/m);
});

test('counts characters if a text has no words', async () => {
  await open(`<p>${'x'.repeat(50_000)}</p>`);
  expect((await read({ tokenBudget: 500 })).text).toMatch(/ … \d\d,\d{3} more characters, e\d+$/m);
});

test.each([
  ['a cell', '<table><tr><td>', '</td><td>Other</td></tr></table>'],
  ['a list item', '<ul><li>', '</ul>'],
  ['a definition', '<dl><dt>Term<dd>', '</dl>'],
  ['a text field', '<textarea>', '</textarea>'],
  ['a heading', '<h2>', '</h2>'],
])('cuts the text of %s with a ref that expands it', async (_what, before, after) => {
  const words = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
  await open(`${before}${words}${after}`);
  expect((await read({ tokenBudget: Infinity })).text).toContain('word1999');
  const { text } = await read({ tokenBudget: 400 });
  const [, ref = ''] = / more words, (e\d+)/.exec(text) ?? [];
  expect(text).not.toContain('word1999');
  expect((await read({ tokenBudget: 400, expand: ref })).text).toContain('word1999');
});

test('every fold of a page can be expanded', async () => {
  const body = `<section>${longPages['sections']?.(TARGET, 'end') ?? ''}</section>${longPages['links in prose']?.('Nothing', 'end') ?? ''}`;
  await open(body);
  const { text } = await read({ tokenBudget: 1500 });
  const folds = text.match(/^ *… .*$/gm) ?? [];
  expect(folds.length).toBeGreaterThan(0);
  for (const fold of folds.slice(0, 12)) {
    const [, ref = ''] = /\((?:in )?(e\d+)/.exec(fold) ?? [];
    expect(ref, fold).not.toBe('');
    expect((await read({ tokenBudget: 1500, expand: ref })).text.length, fold).toBeGreaterThan(text.length);
  }
});

test('shows a folded control that is expanded', async () => {
  await openKind('links in prose');
  const { text, refs } = await read({ tokenBudget: 500 });
  const hidden = [...refs].filter(([ref, { role }]) => role === 'link' && !new RegExp(`\\b${ref} link`).test(text));
  for (const [ref] of [hidden[3], hidden[hidden.length >> 1], hidden.at(-1)].filter((one) => one !== undefined))
    expect((await read({ tokenBudget: 500, expand: ref })).text).toContain(`${ref} link`);
});

test('shows the headings of a folded page in their order, with folds between them', async () => {
  await openKind('sections');
  const { text } = await read({ tokenBudget: 2000, instruction: INSTRUCTION });
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
