import { beforeAll, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { document, useInputBench } from './input-bench.ts';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

/** A small scroller in the middle of the page, and what is at its end. */
const scroller = (end: string): string =>
  `<div id="scroller" style="position:relative;height:80px;width:300px;overflow:auto"><div style="height:200px"></div>${end}</div>`;
const scrolled = (): Promise<unknown> => page.evaluate('scroller.scrollTop');

it.each([
  ['an element', '<p id="target">Here</p>', '#target'],
  ['an element with `pointer-events: none`', '<p id="target" style="pointer-events:none">Here</p>', '#target'],
  [
    'an element in a frame of the same process',
    '<iframe src="ORIGIN/here" style="height:70px"></iframe>',
    'iframe >> #target',
  ],
  [
    'an element in a frame of another process',
    '<iframe src="OTHER/here" style="height:70px"></iframe>',
    'iframe >> #target',
  ],
])('scrolls to %s that a scroller inside the viewport hides', async (_what, html, selector) => {
  const { server } = bench;
  server.page('/here', document('<p id="target">Here</p>'));
  await bench.open(scroller(html.replace('ORIGIN', server.origin).replace('OTHER', server.otherOrigin)));
  await page.locator(selector).scrollIntoViewIfNeeded();
  await expect.poll(scrolled).toBeGreaterThan(50);
  const before = await scrolled();
  await page.locator(selector).scrollIntoViewIfNeeded();
  expect(await scrolled()).toBe(before);
});

it('scrolls to an element in a scroller before a forced click and before a screenshot', async () => {
  await bench.open(
    scroller(
      '<b id="target" style="display:block;width:40px;height:20px" onclick="this.textContent = \'Hit\'">Here</b>',
    ),
  );
  await page.locator('#target').click({ force: true });
  expect(await page.locator('#target').textContent()).toBe('Hit');
  await page.evaluate('scroller.scrollTop = 0');
  await page.locator('#target').screenshot();
  expect(await scrolled()).toBeGreaterThan(50);
});

it.each([
  ['fixed', 'position:fixed;left:400px;top:300px'],
  ['positioned by an ancestor of its scroller', 'position:absolute;left:400px;top:300px'],
])('does not scroll the page for a visible element that is %s', async (_how, style) => {
  await bench.open(
    `<div style="height:50px;overflow:hidden"><p id="target" style="${style}">Here</p></div><div style="height:3000px"></div>`,
  );
  await page.locator('#target').scrollIntoViewIfNeeded();
  expect(await page.evaluate('scrollY')).toBe(0);
});

it('clicks an element below the viewport on a page that ignores the pointer while scrolling', async () => {
  await bench.open(`<div style="height:3000px"></div><button onclick="document.title = 'clicked'">Far down</button>
    <script>let timer; addEventListener('scroll', () => {
      document.body.style.pointerEvents = 'none';
      clearTimeout(timer);
      timer = setTimeout(() => { document.body.style.pointerEvents = ''; }, 150);
    });</script>`);
  await page.getByRole('button', { name: 'Far down' }).click();
  expect(await page.title()).toBe('clicked');
});
