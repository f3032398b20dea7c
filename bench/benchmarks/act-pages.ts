import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate, type Timing } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { formatNumber, goal, type Goal, type Report, type Row } from '../report.ts';

const pageSizes = [200, 4_000, 20_000];
const counts = { warmUps: 2, runs: 7 };

/** Goal: `act` from the cache takes at most 1.5 times as long as a click, plus 20 ms. */
const CACHE_FACTOR = 1.5;
const CACHE_EXTRA_MS = 20;
/** Goal: the first `act` on a document takes at most 60 ms longer than a snapshot and a click. Excludes the model. */
const FIRST_ACT_EXTRA_MS = 60;

const SELECTOR = '#pick-3';
/** The cached element was unchecked. A checked one would be searched for on the whole page. */
const UNCHECK = `document.querySelector('${SELECTOR}').checked = false`;
const NAME = `Pick ${productName(3)}`;

type OwnLibrary = Library & Required<Pick<Library, 'click' | 'snapshot' | 'actOnCheckbox' | 'actFromCache'>>;

/** Compares `act` with its parts on the same page: a click on the same element, and a snapshot. */
export async function benchmarkActPages(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const own = libraries.find(isOwn);
  if (!own) throw new Error(`The benchmark needs ${ownName}.`);
  const rows: Row[] = [];
  const goals: Goal[] = [];
  for (const size of pageSizes) {
    const timings = await measureOn(own, server.tableUrl(size));
    const elements = `${size.toLocaleString('en-US')} elements`;
    rows.push(
      ...timings.map(({ name, ...timing }): Row => ({
        subject: `${name}, ${elements}`,
        library: ownName,
        unit: 'ms',
        ...timing,
      })),
    );
    goals.push(...goalsFor(elements, new Map(timings.map(({ name, median }) => [name, median]))));
  }
  return { title: 'act on pages of different sizes', rows, goals };
}

async function measureOn(own: OwnLibrary, url: string): Promise<Timing[]> {
  await own.load(url);
  await own.actFromCache(NAME);
  const onOpenPage = await measureInterleaved(
    [
      { name: 'click', prepare: () => own.evaluate(UNCHECK), run: () => own.click(SELECTOR) },
      { name: 'act from the cache', prepare: () => own.evaluate(UNCHECK), run: () => own.actFromCache(NAME) },
    ],
    counts,
  );
  const prepare = (): Promise<unknown> => own.load(url);
  const onNewDocument: Candidate[] = [
    { name: 'click, new document', prepare, run: () => own.click(SELECTOR) },
    { name: 'act from the cache, new document', prepare, run: () => own.actFromCache(NAME) },
    { name: 'snapshot, new document', prepare, run: own.snapshot },
    { name: 'first act, new document', prepare, run: () => own.actOnCheckbox(NAME) },
  ];
  return [...onOpenPage, ...(await measureInterleaved(onNewDocument, counts))];
}

function goalsFor(elements: string, medians: ReadonlyMap<string, number>): Goal[] {
  const of = (name: string): number => medians.get(name) ?? Number.NaN;
  const cached = (place: string): Goal => {
    const limit = CACHE_FACTOR * of(`click${place}`) + CACHE_EXTRA_MS;
    return goal(
      `${elements}${place}: act from the cache takes at most ${CACHE_FACTOR} × click + ${CACHE_EXTRA_MS} ms (${formatNumber(limit)} ms)`,
      of(`act from the cache${place}`),
      { atMost: limit, unit: ' ms' },
    );
  };
  const firstLimit = of('snapshot, new document') + of('click, new document') + FIRST_ACT_EXTRA_MS;
  return [
    cached(''),
    cached(', new document'),
    goal(
      `${elements}: first act takes at most snapshot + click + ${FIRST_ACT_EXTRA_MS} ms (${formatNumber(firstLimit)} ms)`,
      of('first act, new document'),
      { atMost: firstLimit, unit: ' ms' },
    ),
  ];
}

function isOwn(library: Library): library is OwnLibrary {
  return library.name === ownName;
}
