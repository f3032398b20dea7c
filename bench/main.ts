/** Runs the benchmarks that are named as arguments, all of them without, and prints their tables. */
import { mkdir, writeFile } from 'node:fs/promises';
import { benchmarkActions } from './benchmarks/actions.ts';
import { benchmarkImport } from './benchmarks/import.ts';
import { benchmarkLatency } from './benchmarks/latency.ts';
import { benchmarkSnapshot } from './benchmarks/snapshot.ts';
import { benchmarkTokens } from './benchmarks/tokens.ts';
import { openLibraries } from './libraries/all.ts';
import { describeMachine } from './machine.ts';
import { startPageServer } from './page-server.ts';
import type { Report } from './report.ts';
import { formatReport } from './table.ts';

const resultsFolder = new URL('results/', import.meta.url);

await using server = await startPageServer();
await using libraries = await openLibraries();

const benchmarks: ReadonlyMap<string, () => Promise<Report>> = new Map([
  ['import', benchmarkImport],
  ['tokens', () => benchmarkTokens(libraries.opened, server)],
  ['actions', () => benchmarkActions(libraries.opened, server)],
  ['latency', () => benchmarkLatency(server)],
  ['snapshot', () => benchmarkSnapshot(libraries.opened, server)],
]);

const machine = await describeMachine(libraries.opened);
console.log(`${machine.join('\n')}\n`);
const reports: Report[] = [];
for (const name of chosenNames()) {
  const report = await benchmarks.get(name)?.();
  if (!report) continue;
  reports.push(report);
  console.log(formatReport(report));
}
await mkdir(resultsFolder, { recursive: true });
await writeFile(new URL('latest.json', resultsFolder), `${JSON.stringify({ machine, reports }, null, 2)}\n`);

function chosenNames(): string[] {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !benchmarks.has(name));
  if (unknown.length > 0)
    throw new Error(`No benchmark is called ${unknown.join(', ')}; there are ${[...benchmarks.keys()].join(', ')}.`);
  return names.length > 0 ? names : [...benchmarks.keys()];
}
