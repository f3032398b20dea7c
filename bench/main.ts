/**
 * Runs the benchmarks named as arguments, by default all, and prints their tables. With `--document`, also replaces the
 * same tables in `docs/benchmarks.md`. With `--baseline FOLDER`, also measures the build of chauffeur in that `dist`
 * folder.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarkActions } from './benchmarks/actions.ts';
import { benchmarkActPages } from './benchmarks/act-pages.ts';
import { benchmarkAgent } from './benchmarks/agent.ts';
import { benchmarkBudget } from './benchmarks/budget.ts';
import { benchmarkCalls } from './benchmarks/calls.ts';
import { benchmarkGrowth } from './benchmarks/growth.ts';
import { benchmarkImport } from './benchmarks/import.ts';
import { benchmarkLatency } from './benchmarks/latency.ts';
import { benchmarkLaunch } from './benchmarks/launch.ts';
import { benchmarkLoad } from './benchmarks/load.ts';
import { benchmarkMemory } from './benchmarks/memory.ts';
import { benchmarkPages } from './benchmarks/pages.ts';
import { benchmarkReach } from './benchmarks/reach.ts';
import { benchmarkReading } from './benchmarks/reading.ts';
import { benchmarkRemote } from './benchmarks/remote.ts';
import { benchmarkSight } from './benchmarks/sight.ts';
import { benchmarkSnapshot } from './benchmarks/snapshot.ts';
import { benchmarkTokens } from './benchmarks/tokens.ts';
import { openLibraries } from './libraries/all.ts';
import type { Library } from './library.ts';
import { describeMachine } from './machine.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import { documentAll, documentSome, type Results } from './document.ts';
import type { Report } from './report.ts';
import { formatReport } from './table.ts';

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { document: { type: 'boolean' }, baseline: { type: 'string' } },
});
const baseline = values.baseline === undefined ? undefined : distFolder(values.baseline);

const benchmarks: ReadonlyMap<string, (libraries: readonly Library[], server: PageServer) => Promise<Report>> = new Map(
  [
    ['import', benchmarkImport],
    ['launch', benchmarkLaunch],
    ['tokens', benchmarkTokens],
    ['budget', () => benchmarkBudget()],
    ['actions', benchmarkActions],
    ['act-pages', benchmarkActPages],
    ['calls', benchmarkCalls],
    ['latency', (_, server) => benchmarkLatency(server, baseline)],
    ['snapshot', benchmarkSnapshot],
    ['pages', benchmarkPages],
    ['growth', benchmarkGrowth],
    ['reading', benchmarkReading],
    ['reach', () => benchmarkReach()],
    ['sight', () => benchmarkSight()],
    ['memory', benchmarkMemory],
    ['agent', () => benchmarkAgent()],
    ['remote', (_, server) => benchmarkRemote(server)],
    ['load', () => benchmarkLoad()],
  ],
);

const resultsFolder = new URL('results/', import.meta.url);

const results = await runBenchmarks(chosenNames(named));
await mkdir(resultsFolder, { recursive: true });
await writeFile(new URL('latest.json', resultsFolder), `${JSON.stringify(results, null, 2)}\n`);
if (values.document) await (named.length > 0 ? documentSome : documentAll)(results);

function distFolder(path: string): string {
  const folder = resolve(path);
  if (existsSync(join(folder, 'index.js'))) return folder;
  throw new Error(
    `--baseline must be the dist folder of another build of pagechauffeur. Found no index.js in ${folder}.`,
  );
}

function chosenNames(chosen: readonly string[]): readonly string[] {
  const known = [...benchmarks.keys()];
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown benchmark ${unknown.join(', ')}. Known benchmarks: ${known.join(', ')}.`);
  return chosen.length > 0 ? chosen : known;
}

async function runBenchmarks(names: readonly string[]): Promise<Results> {
  await using server = await startPageServer();
  await using libraries = await openLibraries({ baseline });
  const machine = await describeMachine(libraries.opened);
  console.log(`${machine.join('\n')}\n`);
  const reports: Report[] = [];
  for (const name of names) {
    const report = await benchmarks.get(name)?.(libraries.opened, server);
    if (!report) continue;
    reports.push(report);
    console.log(formatReport(report));
  }
  return { machine, reports };
}
