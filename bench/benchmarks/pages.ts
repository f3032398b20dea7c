import { startDocumentServer } from '../documents.ts';
import { type Library, ownName } from '../library.ts';
import { collectGarbage, median } from '../measure.ts';
import { formatNumber, goal, type Report } from '../report.ts';

const peer = 'Playwright';
const RUNS = 7;
/** Goals for the time in the page hold for pages of at least this many elements. */
const LARGE = 2000;
const MOST_OF_FLOOR = 2.5;
/** What a call may take beyond the time in the page, in ms. */
const CALL_OVERHEAD = 10;
const LEAST_SPEEDUP = 5;

interface Figures {
  readonly page: string;
  readonly elements: number;
  /** Medians in ms. */
  readonly floor: number;
  readonly inPage: number;
  readonly call: number;
  readonly second: number;
  readonly peerCall: number;
}

/**
 * Time of a snapshot with nothing folded, on documentation pages of Debian packages. The floor is one walk that asks each element for its
 * style and box. The time in the page is what the main thread of the page worked during the call.
 */
export async function benchmarkPages(libraries: readonly Library[]): Promise<Report> {
  const own = libraries.find(({ name }) => name === ownName);
  const other = libraries.find(({ name }) => name === peer);
  if (!own?.wholeSnapshot || !own.taskDuration || !other?.snapshot) throw new Error('a library has no snapshot');
  const { wholeSnapshot, taskDuration } = own;
  const { snapshot: peerSnapshot } = other;
  await using server = await startDocumentServer();
  const found: Figures[] = [];
  for (const { name, url } of server.pages) {
    const times = { floor: [] as number[], inPage: [] as number[], call: [] as number[], peerCall: [] as number[] };
    const second: number[] = [];
    let elements = 0;
    for (let run = 0; run < RUNS; run += 1) {
      // A fresh document each time: the first snapshot is what a user waits for.
      await Promise.all([own.load(url), other.load(url)]);
      await Promise.all(
        [own, other].map((library) => library.evaluate('new Promise((done) => setTimeout(done, 1000))')),
      );
      const walked = JSON.parse(String(await own.evaluate(FLOOR))) as { elements: number; ms: number };
      elements = walked.elements;
      times.floor.push(walked.ms);
      collectGarbage();
      const before = await taskDuration();
      times.call.push(await timed(wholeSnapshot));
      times.inPage.push(((await taskDuration()) - before) * 1000);
      second.push(await timed(wholeSnapshot));
      collectGarbage();
      times.peerCall.push(await timed(peerSnapshot));
    }
    found.push({
      page: name,
      elements,
      floor: median(times.floor),
      inPage: median(times.inPage),
      call: median(times.call),
      second: median(second),
      peerCall: median(times.peerCall),
    });
  }
  const heads = ['page', 'elements', 'floor', 'in the page', '× floor', 'call', 'second call', peer, `${peer} ÷ ours`];
  return {
    title: 'First snapshot of documentation pages, in ms',
    rows: [],
    goals: goalsFor(found),
    table: { heads, lines: found.toSorted((a, b) => a.elements - b.elements).map(lineOf) },
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function lineOf({ page, elements, floor, inPage, call, second, peerCall }: Figures): string[] {
  const figures = [floor, inPage, inPage / floor, call, second, peerCall, peerCall / call];
  return [page, elements.toLocaleString('en-US'), ...figures.map(formatNumber)];
}

function goalsFor(found: readonly Figures[]): Report['goals'] {
  const large = found.filter(({ elements }) => elements >= LARGE);
  const speedups = found.map(({ call, peerCall }) => peerCall / call);
  const mean = Math.exp(speedups.reduce((sum, ratio) => sum + Math.log(ratio), 0) / speedups.length);
  const worst = Math.max(...large.map(({ inPage, floor }) => inPage / floor));
  const overhead = Math.max(...large.map(({ call, inPage }) => call - inPage));
  return [
    goal(`in the page, ${LARGE} elements or more: multiple of the floor`, worst, { atMost: MOST_OF_FLOOR, unit: ' ×' }),
    goal('call beyond the time in the page', overhead, { atMost: CALL_OVERHEAD, unit: ' ms' }),
    goal(`times as fast as ${peer}, geometric mean`, mean, { atLeast: LEAST_SPEEDUP, unit: ' ×' }),
    goal(`times as fast as ${peer}, on each page`, Math.min(...speedups), { atLeast: 1, unit: ' ×' }),
  ];
}

/** One walk that asks every element for its style and box. */
const FLOOR = `(() => {
  const start = performance.now();
  let elements = 0, characters = 0;
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) { characters += node.data.length; continue; }
    elements += 1;
    const style = getComputedStyle(node);
    if (style.display === 'none' || style.visibility === 'hidden') continue;
    node.getBoundingClientRect();
  }
  return JSON.stringify({ elements, characters, ms: performance.now() - start });
})()`;
