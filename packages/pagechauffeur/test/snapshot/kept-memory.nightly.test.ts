import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

const ROWS = 2000;
const ELEMENTS_PER_ROW = 8;
/** Bytes that the injected script may keep per element between two snapshots. */
const BYTES_PER_ELEMENT = 300;

const ROW =
  '<tr><td><input type="checkbox" aria-label="Pick">Name<td>Price <b>3</b><td><button onclick="this.hidden = true">Buy</button><a href="#">More</a></tr>';

async function heapBytes(): Promise<number> {
  const { session } = browser.page.target;
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Number of DOM nodes in memory, those outside of the document included. */
async function nodeCount(): Promise<number> {
  await heapBytes();
  return (await browser.page.target.session.send('Memory.getDOMCounters')).nodes;
}

test('keeps at most 300 bytes per element, and releases removed elements', async () => {
  const { page, server } = browser;
  server.page('/rows', '<!doctype html><title>Rows</title><table><tbody></tbody></table>');
  await page.goto(`${server.origin}/rows`);
  await page.snapshot();
  const emptyNodes = await nodeCount();
  await page.evaluate(`document.querySelector('tbody').innerHTML = ${JSON.stringify(ROW)}.repeat(${ROWS})`);
  const before = await heapBytes();
  for (let turn = 0; turn < 3; turn += 1) {
    await page.evaluate(`document.querySelector('b').textContent = ${turn}`);
    expect((await page.snapshot()).text).toContain('button "Buy"');
  }
  expect(((await heapBytes()) - before) / (ROWS * ELEMENTS_PER_ROW)).toBeLessThan(BYTES_PER_ELEMENT);
  await page.evaluate(`document.querySelector('table').remove()`);
  await page.snapshot();
  expect((await nodeCount()) - emptyNodes).toBeLessThan(ROWS);
});
