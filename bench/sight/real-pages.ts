import type { Page } from 'playwright-core';

/** Pages from `documents.ts`. */
export const REAL_DOCUMENTS: readonly string[] = [
  'sqlite3 index',
  'python functions',
  'postgresql sql-select',
  'cppreference container',
  'debian-policy ch-source',
];
export const REAL_WIDGETS: readonly string[] = ['antd', 'bootstrap', 'datatables', 'fullcalendar', 'shoelace'];

/** Approximate number of words to try per page. */
const SAMPLE_SIZE = 25;

/** A word that occurs once on the page. Screenshots decide whether it is visible. */
export interface TriedWord {
  readonly word: string;
  readonly isVisible: boolean;
}

/**
 * Replaces sampled words by others of the same length, one after another. A word is visible if the screenshot changes, twice
 * in the same way. Words below the viewport are not tried.
 */
export async function triedWords(page: Page): Promise<readonly TriedWord[]> {
  const words = await page.evaluate(uniqueWords, SAMPLE_SIZE);
  const tried: TriedWord[] = [];
  for (const word of words) {
    const replacement = 'M'.repeat(word.length);
    const replaced = async (): Promise<Buffer> => {
      await page.evaluate(replaceWord, { word, by: replacement });
      const screenshot = await page.screenshot({ animations: 'disabled' });
      await page.evaluate(replaceWord, { word: replacement, by: word });
      return screenshot;
    };
    const before = await page.screenshot({ animations: 'disabled' });
    const after = await replaced();
    // A page that changes by itself, such as a carousel, proves nothing.
    if (!before.equals(await page.screenshot({ animations: 'disabled' }))) continue;
    const isVisible = !before.equals(after);
    if (!isVisible || after.equals(await replaced())) tried.push({ word, isVisible });
  }
  return tried;
}

/** Runs in the page. */
function uniqueWords(most: number): string[] {
  const textsIn = (root: Node): Text[] => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && !node.parentElement?.closest('script, style, noscript, template, option'))
        found.push(node);
      if (node instanceof Element && node.shadowRoot) found.push(...textsIn(node.shadowRoot));
    }
    return found;
  };
  const countByWord = new Map<string, number>();
  const placed: string[] = [];
  for (const text of textsIn(document.body)) {
    const range = new Range();
    range.selectNode(text);
    const isAbove = range.getBoundingClientRect().bottom <= innerHeight;
    for (const word of text.data.match(/[A-Za-z]{5,}/g) ?? []) {
      countByWord.set(word, (countByWord.get(word) ?? 0) + 1);
      if (isAbove) placed.push(word);
    }
  }
  const all = document.documentElement.outerHTML;
  const unique = placed.filter((word) => countByWord.get(word) === 1 && all.split(word).length <= 2);
  const step = Math.max(1, unique.length / most);
  return unique.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Runs in the page. */
function replaceWord({ word, by }: { word: string; by: string }): void {
  const replaceIn = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && node.data.includes(word)) node.data = node.data.replace(word, by);
      if (node instanceof Element && node.shadowRoot) replaceIn(node.shadowRoot);
    }
  };
  replaceIn(document.body);
}
