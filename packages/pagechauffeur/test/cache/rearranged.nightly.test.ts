import { expect, test } from 'vitest';
import { arrangedHtml, type ArrangedPage, arrangedPages, frameHtml, type PageStep } from './arranged-pages.ts';
import { type CacheBench, choose, useCache } from './cache-bench.ts';

const bench = useCache();

/** What became of the steps on one arrangement of a page. */
interface Tally {
  steps: number;
  /** Done without a model. */
  found: number;
  /** Done to another element than the one that is meant. */
  wrong: readonly string[];
}

const total: Tally = { steps: 0, found: 0, wrong: [] };

async function play(page: ArrangedPage, isAnew: boolean): Promise<Tally> {
  const tally: Tally & { wrong: string[] } = { steps: 0, found: 0, wrong: [] };
  for (const name of ['one', 'two']) bench.server.page(`/frame-${name}`, frameHtml(name));
  await bench.open(arrangedHtml(page, isAnew), `/${arrangedPages.indexOf(page)}`);
  for (const step of page.steps) {
    const asked = bench.asked;
    const hit = await hitBy(bench, step);
    tally.steps += 1;
    if (bench.asked === asked) tally.found += 1;
    if (hit !== step.k) tally.wrong.push(`${step.instruction}: ${String(hit)}`);
  }
  return tally;
}

async function hitBy({ driver, page }: CacheBench, step: PageStep): Promise<unknown> {
  const { instruction, text, ...choice } = step;
  bench.answer = choose({ ...choice, arguments: text === undefined ? [] : [text] });
  await page.evaluate(() => {
    (globalThis as unknown as { hits: string[] }).hits = [];
  });
  await driver.act(instruction);
  return ((await bench.hits()) as readonly unknown[]).at(-1);
}

test.each(arrangedPages)('replays after the page is rearranged: $title', async (page) => {
  const steps = page.steps.length;
  expect(await play(page, false)).toEqual({ steps, found: 0, wrong: [] });
  const tally = await play(page, true);
  total.steps += tally.steps;
  total.found += tally.found;
  total.wrong = [...total.wrong, ...tally.wrong];
  expect(tally.wrong).toEqual([]);
});

test('replays all 35 steps on 12 rearranged pages without a model and without a wrong element', () => {
  expect({ pairs: arrangedPages.length, ...total }).toEqual({ pairs: 12, steps: 35, found: 35, wrong: [] });
});
