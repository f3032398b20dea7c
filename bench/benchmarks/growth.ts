import type { Library } from '../library.ts';
import { ownName } from '../library.ts';
import { median } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { fragments } from '../repeated.ts';
import { formatNumber, goal, type Report } from '../report.ts';

const COUNTS = [1_000, 4_000] as const;
const RUNS = 3;
/** Some snapshots of the peer take many seconds. */
const PEER_RUNS = 1;
const PEER = 'Playwright';
/** Four times as many elements. Above 4, because the first thousand partly run code that is not compiled yet. */
const LARGEST_GROWTH = 8;
/** In ms. A shorter snapshot is mostly overhead, which does not grow. */
const SHORTEST = 100;

interface Grown {
  readonly name: string;
  readonly few: number;
  readonly many: number;
  /** The peer's time for the larger page. */
  readonly theirs: number;
}

/** Times the first snapshot of pages with many elements of one kind. */
export async function benchmarkGrowth(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const own = libraries.find(({ name }) => name === ownName);
  const peer = libraries.find(({ name }) => name === PEER);
  if (!own?.snapshot || !peer?.snapshot) throw new Error(`The benchmark needs ${ownName} and ${PEER}.`);
  const grown: Grown[] = [];
  for (const name of Object.keys(fragments)) {
    const [few = Number.NaN, many = Number.NaN] = await measure(own, server, name, { counts: COUNTS, runs: RUNS });
    // Some of the peer's snapshots fail with a timeout.
    const once = { counts: COUNTS.slice(1), runs: PEER_RUNS };
    const [theirs = Number.NaN] = await measure(peer, server, name, once).catch(() => [Infinity]);
    grown.push({ name, few, many, theirs });
  }
  const heads = ['repeated', ...COUNTS.map((count) => `${count.toLocaleString('en-US')}, ms`), 'growth', `${PEER}, ms`];
  const lines = grown.map(({ name, few, many, theirs }) => [
    name,
    ...[few, many].map((time) => formatNumber(time)),
    `${formatNumber(many / few)} ×`,
    Number.isFinite(theirs) ? formatNumber(theirs) : 'timeout',
  ]);
  return {
    title: 'First snapshot of many elements of one kind',
    rows: [],
    table: { heads, lines },
    goals: goalsFor(grown),
  };
}

async function measure(
  library: Library,
  server: PageServer,
  fragment: string,
  { counts, runs }: { readonly counts: readonly number[]; readonly runs: number },
): Promise<readonly number[]> {
  const medians: number[] = [];
  for (const count of counts) {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await library.goto(server.repeatedUrl(fragment, count));
      const start = performance.now();
      await library.snapshot?.();
      times.push(performance.now() - start);
    }
    medians.push(median(times));
  }
  return medians;
}

function goalsFor(grown: readonly Grown[]): Report['goals'] {
  const long = grown.filter(({ many }) => many >= SHORTEST);
  const fastest = long.reduce((worst, one) => (one.many / one.few > worst.many / worst.few ? one : worst));
  const slowest = long.reduce((worst, one) => (one.many / one.theirs > worst.many / worst.theirs ? one : worst));
  return [
    goal(
      `four times as many elements take at most ${LARGEST_GROWTH} × as long (most: ${fastest.name})`,
      fastest.many / fastest.few,
      { atMost: LARGEST_GROWTH, unit: ' ×' },
    ),
    goal(`no kind is slower than with ${PEER} (slowest: ${slowest.name})`, slowest.many / slowest.theirs, {
      atMost: 1,
      unit: ' ×',
    }),
  ];
}
