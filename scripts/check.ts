/** Runs all static checks, one line each: `npm run check`. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runCommand } from './run-command.ts';

// Their dependencies take several hundred MB and are installed only by `npm test` and `npm run bench`.
const sideFolders = ['apps', 'bench'];
const readyFolders = sideFolders.filter((name) => existsSync(new URL(`../${name}/node_modules`, import.meta.url)));
const skippedFolders = sideFolders.filter((name) => !readyFolders.includes(name));

// Other checks need the generated injected script, and `dist/` for examples and the published package.
const build = { name: 'build', command: 'node scripts/build.ts' };

const checks = [
  { name: 'types: library and its tests', command: 'tsc -p packages/pagechauffeur' },
  { name: 'types: platform and its tests', command: 'tsc -p packages/platform' },
  { name: 'types: in-page program', command: 'tsc -p packages/pagechauffeur/src/injected' },
  { name: 'types: in-page programs of tests', command: 'tsc -p packages/pagechauffeur/test/in-page' },
  { name: 'types: pages of the platform', command: 'tsc -p packages/platform/src/viewer' },
  { name: 'types: scripts and examples', command: 'tsc -p .' },
  ...readyFolders.map((name) => ({ name: `types: ${name}`, command: `tsc -p ${name}` })),
  {
    name: 'lint',
    command: `oxlint --type-aware --format unix --report-unused-disable-directives${skippedFolders.map((name) => ` --ignore-pattern ${name}/**`).join('')}`,
  },
  { name: 'format', command: 'oxfmt --list-different' },
  { name: 'layers', command: 'node scripts/check-layers.ts' },
  { name: 'norms', command: 'node scripts/check-norms.ts' },
  { name: 'words', command: 'node scripts/check-words.ts' },
  { name: 'commit messages', command: 'node scripts/check-commits.ts' },
  { name: 'rows of the public API', command: 'node scripts/spec-coverage.ts --check' },
  { name: 'unused code and dependencies', command: 'knip' },
  { name: 'public interface', command: 'api-extractor run -c packages/pagechauffeur/api-extractor.json' },
  { name: 'published package', command: 'node scripts/check-package.ts' },
  { name: 'lock files', command: 'node scripts/check-locks.ts' },
];

export interface CheckCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Builds, then runs all checks, one per CPU at a time, and prints the results. */
export async function runChecks(): Promise<CheckCounts> {
  const outcomes = [await runCheck(build)];
  const waiting = checks.values();
  const runWaiting = async (): Promise<void> => {
    for (const check of waiting) outcomes.push(await runCheck(check));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  for (const name of skippedFolders) console.log(`skip  types and lint of ${name}/: its packages are not installed`);
  const passed = outcomes.filter(Boolean).length;
  return { passed, failed: outcomes.length - passed };
}

async function runCheck({ name, command }: { name: string; command: string }): Promise<boolean> {
  const start = performance.now();
  const [program = '', ...words] = command.split(' ');
  const { code, output } = await runCommand(program, words);
  const isGood = code === 0;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)${isGood ? '' : `: ${command}\n${indent(output)}`}`);
  return isGood;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '      ');
}

if (import.meta.main) {
  const { passed, failed } = await runChecks();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
