import { beforeEach, expect, test } from 'vitest';
import { choose, useCache } from '../cache/cache-bench.ts';

const bench = useCache();
let path = '';
let count = 0;

beforeEach(() => {
  count += 1;
  path = `/calendar-${count}`;
});

/** Renders what handles the release after the press, as Preact does with effects. */
const RENDERS_ON_PRESS = `element.addEventListener('mousedown', () => requestAnimationFrame(() => setTimeout(() => {
  const open = () => { document.title += ' opened'; };
  document.addEventListener('mouseup', open, { once: true });
})));`;

const DAY = `<title>June</title><main><div id="days"><span role="button" tabindex="0">Friday</span></div></main>`;

test.each(['span', '#days'])('holds the mouse button until the page has rendered the press on %s', async (selector) => {
  const html = `${DAY}<script>{ const element = document.querySelector('${selector}'); ${RENDERS_ON_PRESS} }</script>`;
  await bench.open(html, path);
  bench.answer = choose({ role: 'button', name: 'Friday' });
  await bench.driver.act('click Friday');
  expect(await bench.page.title()).toBe('June opened');

  // A replay takes no snapshot, so the new document's listeners are not known.
  await bench.open(html, path);
  const asked = bench.asked;
  await bench.driver.act('click Friday');
  expect(bench.asked).toBe(asked);
  expect(await bench.page.title()).toBe('June opened');
});
