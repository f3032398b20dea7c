import { beforeEach, expect, test } from 'vitest';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import type { Observation } from '../../src/snapshot/next-observation.ts';
import { PageView, type ViewOptions } from '../../src/snapshot/page-view.ts';
import { Progress } from '../../src/util/progress.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

let view: PageView;
beforeEach(() => {
  view = new PageView(browser.page.target);
});

async function look(options: ViewOptions = {}, reader = view): Promise<Observation> {
  using progress = new Progress({ operation: 'look', timeout: 30_000 });
  return await reader.next(progress, { tokenBudget: 6500, foldsNavigation: true, ...options });
}

async function open(path: string, body: string, origin = browser.server.origin): Promise<void> {
  browser.server.page(path, `<!doctype html><title>Files</title><body>${body}`);
  await browser.page.goto(`${origin}${path}`, { waitUntil: 'load' });
}

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const LANGUAGES = times(43, (index) => `<option>Language ${index} (${'abcdefghij'.slice(index % 7)})`);
const MENU = times(14, (index) => `<a href="/menu/${index}">Section number ${index}</a> `);
const FOOTER = times(16, (index) => `<a href="/about/${index}">About this site ${index}</a> `);
const language = `<label>Language <select>${LANGUAGES}</select></label>`;

/** A page of a site with landmarks. */
const landmarked = (main: string): string =>
  `<nav>${MENU}</nav><main>${main}</main><footer>${FOOTER}${language}</footer>`;
/** The same site without landmarks. */
const plain = (main: string): string => `<div>${MENU}</div><div>${main}</div><div>${FOOTER}${language}</div>`;
const file = (index: number): string =>
  `<h1>Report ${index}</h1><p>Changed on day ${index} by Ann ${index}</p><button>Download</button> <a href="/raw/${index}">Raw ${index}</a>` +
  `<ul>${times(8 + index, (line) => `<li>Entry ${index * 100 + line} of the report <a href="/entry/${index}/${line}">${index}.${line}</a></li>`)}</ul>`;

test.each([
  ['with landmarks', landmarked],
  ['without landmarks', plain],
])('shows the unchanged parts of the next page as one line each, %s', async (_what, layout) => {
  await open('/1', layout(file(1)));
  await look();
  await open('/2', layout(file(2)));
  const { kind, text } = await look();
  expect(kind).toBe('page');
  expect(text).toMatch(/^ *… 14 more lines as on the previous page \(e1–e14\): Section number 0, Section number 1/m);
  expect(text).toMatch(/^ *… 16 more lines as on the previous page \(e\d+–e\d+\): About this site 0/m);
  expect(text).toContain('options as before');
  expect(text).toContain('Changed on day 2 by Ann 2');
  expect(text).toMatch(/^ *e\d+ button "Download"$/m);
  expect(text).not.toContain('About this site 9');
});

test('expands a part shared with the previous page on request, and keeps it expanded', async () => {
  await open('/1', plain(file(1)));
  await look();
  await open('/2', plain(file(2)));
  await look();
  const { kind, text } = await look({ expand: 'e5' });
  expect(kind).toBe('changes');
  expect(text).toContain('e5 link "Section number 4"');
  expect(text).toContain('e14 link "Section number 13"');
  expect(text).not.toContain('About this site 9');
  expect(view.target('e20')).toBeDefined();
  expect((await look()).kind).toBe('same');
});

test('expands unchanged options of a select on request', async () => {
  await open('/1', plain(file(1)));
  await look();
  await open('/2', plain(file(2)));
  const { text } = await look();
  const [, ref = ''] = /(e\d+) combobox "Language"/.exec(text) ?? [];
  expect((await look({ expand: ref })).text).toContain('"Language 42 (abcdefghij)"');
});

test('reports later changes of the next page without the parts shared with the previous page', async () => {
  await open('/1', plain(file(1)));
  await look();
  await open('/2', plain(file(2)));
  await look();
  await browser.page.evaluate(`document.querySelector('p').textContent = 'Changed just now'`);
  expect((await look()).text.split('\n')).toEqual(['*- Changed just now', 'gone: - Changed on day 2 by Ann 2']);
});

test('keeps a link of the previous page if the instruction names it, its text changed, or it has aria-current', async () => {
  await open('/1', landmarked(file(1)));
  await look({ instruction: 'open section number 12' });
  await open(
    '/2',
    landmarked(file(2))
      .replace('<a href="/menu/3">', '<a href="/menu/3" aria-current=page>')
      .replace('number 7', 'number 7 (new)'),
  );
  const { text } = await look({ instruction: 'open "Section number 12"' });
  expect(text).toContain('link "Section number 3" current');
  expect(text).toContain('Section number 7 (new)');
  expect(text).toMatch(/e13 link "Section number 12"/);
});

test('shows the whole page of another site', async () => {
  await open('/1', landmarked(file(1)));
  await look();
  await open('/2', landmarked(file(2)), browser.server.otherOrigin);
  expect((await look()).text).not.toContain('as on the previous page');
});

test('shows the whole page again with `isWhole`', async () => {
  await open('/1', plain(file(1)));
  await look();
  await open('/2', plain(file(2)));
  await look();
  const { text } = await look({ isWhole: true });
  expect(text).not.toContain('as on the previous page');
  expect(text).toContain('"Language 42 (abcdefghij)"');
});

test.each([
  ['with landmarks', landmarked],
  ['without landmarks', plain],
])('takes at most half of the tokens of ten snapshots for ten pages of a site %s', async (_what, layout) => {
  let [run, alone] = [0, 0];
  for (let index = 0; index < 10; index += 1) {
    await open(`/${index}`, layout(file(index)));
    run += tokensIn((await look()).text);
    alone += tokensIn((await look({ foldsNavigation: false }, new PageView(browser.page.target))).text);
  }
  expect(run / alone).toBeLessThanOrEqual(0.5);
});

test('folds a long list of options in a footer, but not in the main part', async () => {
  await open(
    '/1',
    `<main>${language}</main><footer>${language.replace('Language <', 'Other <').replace('Language 3', 'Tongue 3')}</footer>`,
  );
  const { text } = await look();
  expect(text.match(/… \d+ more$/gm)).toEqual(['… 38 more']);
});
