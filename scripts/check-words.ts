/**
 * Fails on private identifiers and phrases in sources, file names, test titles, docs and messages. Folders that are not clean
 * yet have an allowance, which may only shrink: `node scripts/check-words.ts --update` lowers it after a clean-up.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PrivateWordUse, privateWordUses } from './norms/private-words.ts';

const ALLOWANCES = 'scripts/norms/private-words.json';
const SEARCHED = ['*.md', 'docs/**/*.md', '{apps,bench,examples,packages,scripts}/**/*.{ts,mjs,md,css,html}'];
/** The word list, generated files, and the changelog. */
const NOT_SEARCHED =
  /\/(?:node_modules|dist|generated)\/|^scripts\/(?:norms\/private-words|check-words)|^CHANGELOG\.md$|^docs\/spec-coverage\.md$/;

/** How many private words each folder may still contain. */
export type Allowances = Readonly<Record<string, number>>;

export function excessUses(uses: readonly PrivateWordUse[], allowances: Allowances): readonly PrivateWordUse[] {
  const byFolder = Map.groupBy(uses, ({ path }) => areaOf(path));
  return [...byFolder].flatMap(([folder, found]) => (found.length > (allowances[folder] ?? 0) ? found : []));
}

/** Never raises an allowance. */
export function loweredAllowances(uses: readonly PrivateWordUse[], allowances: Allowances): Allowances {
  const counts = countByArea(uses);
  return Object.fromEntries(
    Object.entries(allowances).flatMap(([area, allowed]) => {
      const left = Math.min(allowed, counts[area] ?? 0);
      return left === 0 ? [] : [[area, left]];
    }),
  );
}

/**
 * Returns the folder whose allowance covers a file: `packages/<name>/<src or test>/<folder>`, otherwise the file's
 * folder, at most two levels deep.
 */
function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, folders[0] === 'packages' ? 4 : 2).join('/') || '.';
}

function countByArea(uses: readonly PrivateWordUse[]): Allowances {
  const counts: Record<string, number> = {};
  for (const { path } of uses) counts[areaOf(path)] = (counts[areaOf(path)] ?? 0) + 1;
  return counts;
}

if (import.meta.main) {
  process.chdir(fileURLToPath(new URL('../', import.meta.url)));
  // Skips ignored files, such as unpacked documents and results.
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const paths = listed
    .split('\n')
    .filter((path) => SEARCHED.some((pattern) => matchesGlob(path, pattern)))
    .filter((path) => !NOT_SEARCHED.test(path) && existsSync(path));
  const uses = paths.toSorted().flatMap((path) => privateWordUses(path, readFileSync(path, 'utf8')));
  const allowances = JSON.parse(readFileSync(ALLOWANCES, 'utf8')) as Allowances;
  const excess = excessUses(uses, allowances);
  for (const { path, line, found, instead } of excess)
    console.log(`${path}${line === undefined ? '' : `:${line}`}: "${found}" is a private word. Use: ${instead}`);
  console.log(
    `${uses.length} private words, all in ${Object.keys(allowances).length} folders that still may have some`,
  );
  if (process.argv.includes('--update'))
    writeFileSync(ALLOWANCES, `${JSON.stringify(loweredAllowances(uses, allowances), undefined, 2)}\n`);
  process.exitCode = excess.length > 0 ? 1 : 0;
}
