import { startDocumentServer } from '../documents.ts';
import { type Library, ownName } from '../library.ts';
import { collectGarbage, median } from '../measure.ts';
import { formatNumber, goal, type Report } from '../report.ts';

const peer = 'Playwright';
const RUNS = 7;
/** Number of elements from which the goals for the time in the page apply. */
const LARGE = 2000;
const MAX_OF_FLOOR = 2.5;
/** The whole call may take this multiple of the floor, plus `CALL_OVERHEAD`. */
const MAX_CALL_OF_FLOOR = 4;
/** Goal for the part of a call outside the page, in ms. */
const CALL_OVERHEAD = 10;
const MIN_SPEEDUP = 5;
/** Goal for a snapshot after one text changed, from this number of elements on. */
const REUSED = { elements: 15_000, share: 0.2 };

interface Figures {
  readonly page: string;
  readonly elements: number;
  readonly floor: number;
  readonly inPage: number;
  readonly call: number;
  readonly second: number;
  /** A call after one text changed. */
  readonly changed: number;
  readonly peerCall: number;
  /** Calls directly after the load event. */
  readonly atOnce: number;
  readonly peerAtOnce: number;
}

/**
 * Times unfolded snapshots of documentation pages from Debian packages. `floor` is one walk over the page that reads
 * style and box of each element. The time in the page is the main thread's CPU time during the call.
 */
export async function benchmarkPages(libraries: readonly Library[]): Promise<Report> {
  const own = libraries.find(({ name }) => name === ownName);
  const other = libraries.find(({ name }) => name === peer);
  if (!own?.wholeSnapshot || !own.taskDuration || !other?.snapshot)
    throw new Error('The benchmark needs two libraries with snapshots.');
  const { wholeSnapshot, taskDuration } = own;
  const measured = { own: { ...own, wholeSnapshot, taskDuration }, other: { ...other, snapshot: other.snapshot } };
  await using server = await startDocumentServer();
  const found: Figures[] = [];
  for (const page of server.pages) found.push(await measurePage(measured, page));
  const heads = [
    'page',
    'elements',
    'floor',
    'in the page',
    '× floor',
    'call',
    'second call',
    'after a change',
    peer,
    `${peer} ÷ ours`,
    'at once',
    `${peer} at once`,
  ];
  return {
    title: 'First snapshot of documentation pages, in ms',
    rows: [],
    goals: goalsFor(found),
    table: { heads, lines: found.toSorted((a, b) => a.elements - b.elements).map(lineOf) },
  };
}

type OwnLibrary = Library & Required<Pick<Library, 'wholeSnapshot' | 'taskDuration'>>;
type Peer = Library & Required<Pick<Library, 'snapshot'>>;

async function measurePage(
  { own, other }: { readonly own: OwnLibrary; readonly other: Peer },
  { name, url }: { readonly name: string; readonly url: string },
): Promise<Figures> {
  const floor: number[] = [];
  const inPage: number[] = [];
  const call: number[] = [];
  const second: number[] = [];
  const changed: number[] = [];
  const peerCall: number[] = [];
  const atOnce: number[] = [];
  const peerAtOnce: number[] = [];
  let elements = 0;
  for (let run = 0; run < RUNS; run += 1) {
    // Users wait for the first snapshot of a document, so each run loads a new one.
    await Promise.all([own.load(url), other.load(url)]);
    await Promise.all([own, other].map((library) => library.evaluate('new Promise((done) => setTimeout(done, 1000))')));
    const walked = JSON.parse(String(await own.evaluate(FLOOR))) as { elements: number; ms: number };
    elements = walked.elements;
    floor.push(walked.ms);
    collectGarbage();
    const before = await own.taskDuration();
    call.push(await timed(own.wholeSnapshot));
    inPage.push(((await own.taskDuration()) - before) * 1000);
    second.push(await timed(own.wholeSnapshot));
    await own.evaluate(CHANGE);
    changed.push(await timed(own.wholeSnapshot));
    collectGarbage();
    peerCall.push(await timed(other.snapshot));
    await own.load(url);
    atOnce.push(await timed(own.wholeSnapshot));
    await other.load(url);
    peerAtOnce.push(await timed(other.snapshot));
  }
  return {
    page: name,
    elements,
    floor: median(floor),
    inPage: median(inPage),
    call: median(call),
    second: median(second),
    changed: median(changed),
    peerCall: median(peerCall),
    atOnce: median(atOnce),
    peerAtOnce: median(peerAtOnce),
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function lineOf({ page, elements, floor, inPage, call, peerCall, ...others }: Figures): string[] {
  const { second, changed, atOnce, peerAtOnce } = others;
  const figures = [floor, inPage, inPage / floor, call, second, changed, peerCall, peerCall / call, atOnce, peerAtOnce];
  return [page, elements.toLocaleString('en-US'), ...figures.map(formatNumber)];
}

function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

function goalsFor(found: readonly Figures[]): Report['goals'] {
  const large = found.filter(({ elements }) => elements >= LARGE);
  const speedups = found.map(({ call, peerCall }) => peerCall / call);
  const speedupsAtOnce = found.map(({ atOnce, peerAtOnce }) => peerAtOnce / atOnce);
  const worst = Math.max(...large.map(({ inPage, floor }) => inPage / floor));
  const largePages = `pages of ${LARGE.toLocaleString('en-US')} elements or more`;
  const reused = found.filter(({ elements }) => elements >= REUSED.elements).map(({ changed, call }) => changed / call);
  const overhead = Math.max(...large.map(({ call, inPage }) => call - inPage));
  const excess = Math.max(...large.map(({ call, floor }) => call - MAX_CALL_OF_FLOOR * floor));
  return [
    goal(`${largePages}: time in the page at most ${MAX_OF_FLOOR} × the floor`, worst, {
      atMost: MAX_OF_FLOOR,
      unit: ' ×',
    }),
    goal(`${largePages}: call at most ${CALL_OVERHEAD} ms longer than the time in the page`, overhead, {
      atMost: CALL_OVERHEAD,
      unit: ' ms',
    }),
    goal(`${largePages}: call at most ${CALL_OVERHEAD} ms longer than ${MAX_CALL_OF_FLOOR} × the floor`, excess, {
      atMost: CALL_OVERHEAD,
      unit: ' ms',
    }),
    goal(`at least ${MIN_SPEEDUP} × as fast as ${peer} (geometric mean)`, geometricMean(speedups), {
      atLeast: MIN_SPEEDUP,
      unit: ' ×',
    }),
    goal(`at once: at least ${MIN_SPEEDUP} × as fast as ${peer} (geometric mean)`, geometricMean(speedupsAtOnce), {
      atLeast: MIN_SPEEDUP,
      unit: ' ×',
    }),
    goal(
      `pages of ${REUSED.elements.toLocaleString('en-US')} elements or more: after a change of one text at most ${REUSED.share} × the first call`,
      Math.max(...reused),
      { atMost: REUSED.share, unit: ' ×' },
    ),
    goal(`at least as fast as ${peer} on each page`, Math.min(...speedups), { atLeast: 1, unit: ' ×' }),
  ];
}

/** Changes the text in the middle of the page. */
const CHANGE = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim() !== '') texts.push(node);
  texts[texts.length >> 1].data = 'Changed ' + Math.random();
})()`;

/** Walks the page once and reads style and box of every element. */
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
