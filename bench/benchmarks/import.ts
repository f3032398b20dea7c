import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ownName } from '../library.ts';
import { measureInterleaved } from '../measure.ts';
import { goal, medianOf, type Report, type Row } from '../report.ts';

const benchFolder = fileURLToPath(new URL('..', import.meta.url));
const counts = { warmUps: 1, runs: 11 };
const limit = 120;

const ownModule = new URL('../../packages/pagechauffeur/dist/index.js', import.meta.url);

const moduleByLibrary: ReadonlyMap<string, string> = new Map([
  [ownName, ownModule.href],
  ['Stagehand 3', '@browserbasehq/stagehand'],
  ['Stagehand 4', 'stagehand-4'],
  ['Playwright', 'playwright-core'],
  ['Puppeteer', 'puppeteer-core'],
]);

const bareNode = 'bare Node start';

/** Times the import of each library in a new Node process, minus the start of Node. */
export async function benchmarkImport(): Promise<Report> {
  const imports = [...moduleByLibrary].map(([name, module]) => ({
    name,
    run: () => runNode(`await import('${module}');`),
  }));
  const timings = await measureInterleaved([{ name: bareNode, run: () => runNode('') }, ...imports], counts);
  const bare = timings.find(({ name }) => name === bareNode)?.median ?? 0;
  const rows = timings.map(({ name, median, min, max, runs }): Row => {
    const start = name === bareNode ? 0 : bare;
    return {
      subject: 'import',
      library: name,
      unit: 'ms',
      median: median - start,
      min: min - start,
      max: max - start,
      runs,
    };
  });
  const own = medianOf(rows, 'import', ownName);
  const goals = own === undefined ? [] : [goal(`import: at most ${limit} ms`, own, { atMost: limit, unit: ' ms' })];
  return { title: 'Import into a fresh Node process', rows, goals };
}

async function runNode(source: string): Promise<void> {
  const node = spawn(process.execPath, ['--input-type=module', '--eval', `${source} process.exit(0);`], {
    cwd: benchFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(node, 'exit');
  if (node.exitCode !== 0) throw new Error(`Node exited with code ${node.exitCode} for: ${source}`);
}
