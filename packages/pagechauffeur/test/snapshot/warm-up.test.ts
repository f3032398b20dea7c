import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

/** Resolves after the warm-up, which starts 100 ms after the load event. */
const IDLE =
  'new Promise((resolve) => setTimeout(() => requestIdleCallback(() => requestIdleCallback(() => resolve(true))), 200))';
const paragraphs = (count: number): string => '<p>Row <button>Buy</button></p>'.repeat(count);

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Loads the page and returns how many functions have run when the promise resolves. */
async function functionsRun(body: string, promise = IDLE): Promise<number> {
  await odd.page.sendCDP('Profiler.enable');
  await odd.page.sendCDP('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await odd.open(body);
  await odd.page.evaluate(promise);
  const { result } = (await odd.page.sendCDP('Profiler.takePreciseCoverage')) as Coverage;
  await odd.page.sendCDP('Profiler.stopPreciseCoverage');
  return result.flatMap(({ functions }) => functions).filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length;
}

test('reads the beginning of a page in idle time, but not of a page with few elements', async () => {
  const least = await functionsRun(paragraphs(5));
  expect(await functionsRun(paragraphs(100))).toBeGreaterThan(2 * least);
});

test('reads a page that gets its elements after the load event', async () => {
  const script = `<script>setTimeout(() => { document.body.innerHTML = ${JSON.stringify(paragraphs(100))} }, 200)</script>`;
  const least = await functionsRun(paragraphs(5));
  const later = `new Promise((resolve) => setTimeout(resolve, 1500)).then(() => ${IDLE})`;
  expect(await functionsRun(`<p>Loading</p>${script}`, later)).toBeGreaterThan(2 * least);
});

test('assigns no refs before the first snapshot', async () => {
  await odd.open(paragraphs(100));
  await odd.page.evaluate(IDLE);
  await odd.page.evaluate(
    "document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'New' }))",
  );
  const text = await odd.text();
  expect(text).toContain('e1 button "New"');
  expect(text).toContain('e101 button');
  expect(await odd.text()).toBe(text);
});

test.each([
  ['a rule', "document.styleSheets[0].cssRules[0].style.clipPath = 'inset(100%)'"],
  ['a rule after 1,500 others', "document.styleSheets[0].cssRules[1501].style.clipPath = 'inset(100%)'"],
  ['a style sheet', "document.head.append(Object.assign(document.createElement('style'), { textContent: HIDDEN }))"],
  ['an element', "for (const note of document.querySelectorAll('.note')) note.hidden = true"],
])('notices a change of %s between the warm-up and the first snapshot', async (_what, change) => {
  const others = Array.from({ length: 1500 }, (_, index) => `.other${index} { opacity: 1 }`).join('\n');
  const page = `<style>.note { color: black }\n${others}\n.note { margin: 0 }</style>${paragraphs(300)}<p class="note">Secret note</p>`;
  await odd.open(page);
  await odd.page.evaluate(IDLE);
  await odd.page.evaluate(`{ const HIDDEN = '.note { clip-path: inset(100%) }'; ${change} }`);
  expect(await odd.text()).not.toContain('Secret note');
});

test('the page notices nothing', async () => {
  const watch = `<script>
    globalThis.noticed = [];
    new MutationObserver((records) => noticed.push(...records.map(({ type }) => type))).observe(document, { subtree: true, attributes: true });
    for (const type of ['error', 'focus', 'scroll', 'resize']) addEventListener(type, () => noticed.push(type), true);
    requestIdleCallback = () => noticed.push('idle');
  </script>`;
  await odd.open(watch + paragraphs(100));
  await odd.page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
  expect(await odd.page.evaluate('noticed')).toEqual([]);
});
