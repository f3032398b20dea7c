/**
 * Prints the reacting elements without a ref and the refs that do not react, for the pages named as arguments, all seen ones without:
 * `node bench/reach/missed.ts tabulator swiper`. Keeps what clicks did in `bench/results/`, so that a second run is quick.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type Knowledge, measureReach } from '../benchmarks/reach.ts';
import { UNSEEN_PAGES, widgetPages } from './pages.ts';

const resultsFolder = new URL('../results/', import.meta.url);
await mkdir(resultsFolder, { recursive: true });

const fileOf = (page: string): URL => new URL(`reach-${page}.json`, resultsFolder);
const knowledge: Knowledge = {
  read: async (page) => JSON.parse(await readFile(fileOf(page), 'utf8').catch(() => '{}')) as Record<string, string>,
  write: (page, reactions) => writeFile(fileOf(page), JSON.stringify(reactions, null, 2)),
};

const named = process.argv.slice(2);
const pages = named.length > 0 ? named : widgetPages().filter((page) => !UNSEEN_PAGES.has(page));
for (const { page, library, reach } of await measureReach(pages, knowledge)) {
  const { units, missed, refs, idle } = reach;
  console.log(
    `${page}, ${library}: ${units - missed.length} of ${units} reached, ${refs - idle.length} of ${refs} refs react`,
  );
  for (const line of missed) console.log(`  missed ${line.replaceAll('\n', '\n      ')}`);
  for (const line of idle) console.log(`  idle   ${line}`);
}
