import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesByKind } from '../../../../bench/kinds/all.ts';
import { productName, shopTable } from '../../../../bench/pages.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { nextObservation } from '../../src/snapshot/next-observation.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { Progress } from '../../src/util/progress.ts';
import { useBrowser } from '../support/use-browser.ts';

interface PlaywrightReader extends AsyncDisposable {
  read(url: string): Promise<string>;
}

interface PageTokens {
  tokensOf(text: string): number;
  openPlaywrightReader(browserUrl: string): Promise<PlaywrightReader>;
}

/** What was read of a page: our text, Playwright's, and the texts that are seen on it. */
interface KindRead {
  readonly text: string;
  readonly theirs: string;
  readonly seen: readonly string[];
}

const APPS = new URL('../../../../apps/', import.meta.url);
const areInstalled = ['gpt-tokenizer', 'playwright-core'].every((name) =>
  existsSync(new URL(`node_modules/${name}`, APPS)),
);
const kinds = Object.keys(pagesByKind);

// CI installs them, and must not skip the published figures.
describe.skipIf(!areInstalled && !process.env['CI'])('size in o200k_base tokens', () => {
  const model = new ScriptedModel(answer);
  const browser = useBrowser({ llmClient: model });
  let peer: PageTokens;
  let playwright: PlaywrightReader;

  beforeAll(async () => {
    peer = (await import(new URL('page-tokens.ts', APPS).href)) as PageTokens;
    playwright = await peer.openPlaywrightReader(browser.driver.connectURL());
  });

  afterAll(() => playwright?.[Symbol.asyncDispose]());

  const readByKind = new Map<string, KindRead>();

  /** Opens and reads the page of a kind, the first time that it is asked for. */
  async function read(kind: string): Promise<KindRead> {
    const known = readByKind.get(kind);
    if (known) return known;
    const url = browser.server.page(`/${kind}`, pagesByKind[kind]?.() ?? '');
    await browser.page.goto(url);
    const { text } = await browser.page.snapshot();
    const seen: readonly string[] = await browser.page.evaluate(VISIBLE_TEXTS);
    const pageRead = { text, seen, theirs: await playwright.read(url) };
    readByKind.set(kind, pageRead);
    return pageRead;
  }

  test.each(kinds)('contains every visible text of the %s page', async (kind) => {
    const { text, seen } = await read(kind);
    const lines = seen.flatMap((words) => words.split('\n'));
    const missing = lines.filter((words) => !squeezed(text).includes(squeezed(words)));
    expect(missing).toEqual([]);
    expect(text).not.toContain('… ');
  });

  test(`takes at most 0.45 of the tokens of Playwright in the geometric mean of ${kinds.length} pages`, async () => {
    const shares: number[] = [];
    for (const kind of kinds) {
      const { text, theirs } = await read(kind);
      shares.push(peer.tokensOf(text) / peer.tokensOf(theirs));
    }
    const mean = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
    expect(
      mean,
      JSON.stringify(Object.fromEntries(kinds.map((kind, index) => [kind, shares[index]]))),
    ).toBeLessThanOrEqual(0.45);
  });

  test('fits a table of 1,000 rows with the named row into an act() prompt of 8,000 tokens', async () => {
    await browser.page.goto(browser.server.page('/table', shopTable(10_030)));
    await browser.driver.act(`check the box "Pick ${productName(777)}"`, { page: browser.page });
    const [request] = model.requests;
    const prompt = request?.messages.map(({ text }) => text).join('\n') ?? '';
    expect(prompt).toContain(`Pick ${productName(777)}`);
    expect(peer.tokensOf(prompt + JSON.stringify(request?.schema))).toBeLessThanOrEqual(8000);
  });

  test('takes at most 2 % of a large page to show the changes of one action', async () => {
    const { page } = browser;
    await page.goto(browser.server.page('/table', shopTable(10_030)));
    using progress = new Progress({ operation: 'snapshot', timeout: 30_000 });
    const take = (tokenBudget: number) => takeSnapshot(progress, page.target, { tokenBudget, instruction: 'Pick' });
    const [whole, before] = [await take(Infinity), await take(6500)];
    await page.locator('#add-3').click();
    const { kind, text } = nextObservation(before, await take(6500));
    expect(kind).toBe('changes');
    expect(peer.tokensOf(text)).toBeLessThanOrEqual(peer.tokensOf(before.text) * 0.02);
    expect(peer.tokensOf(text)).toBeLessThanOrEqual(peer.tokensOf(whole.text) * 0.02);
  });
});

/** All text nodes with a box and at least one letter or digit. */
const VISIBLE_TEXTS = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    const isShown = width > 1 && height > 1 && node.parentElement.checkVisibility({ visibilityProperty: true });
    if (isShown && /[\\p{L}\\p{N}]/u.test(node.data)) texts.push(node.data);
  }
  return texts;
})()`;

/** Clicks the checkbox that the instruction names. */
function answer({ instruction, page }: ModelRequest): object {
  const name = /"(.+)"/.exec(instruction)?.[1] ?? '';
  const ref = new RegExp(`(e\\d+) checkbox "${name}"`).exec(page.text)?.[1];
  const action = { ref, method: 'click', arguments: [], description: name };
  return { action, twoStep: false, reason: '', candidates: [] };
}

function squeezed(text: string): string {
  return text.replace(/\\(["\\])/g, '$1').replace(/\s+/g, '');
}
