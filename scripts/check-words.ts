/** Fails on private identifiers and phrases in sources, file names, test titles, docs and messages. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateWordUses } from './norms/private-words.ts';

const SEARCHED = ['*.md', 'docs/**/*.md', '{apps,bench,examples,packages,scripts}/**/*.{ts,mjs,md,css,html}'];
/** Installed and generated files, the word list with this script, and the changelog. */
const NOT_SEARCHED =
  /\/(?:node_modules|dist|generated)\/|^scripts\/(?:norms\/private-words|check-words)|^CHANGELOG\.md$|^docs\/spec-coverage\.md$/;

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
// Skips ignored files, such as unpacked documents and results.
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
const paths = listed
  .split('\n')
  .filter((path) => SEARCHED.some((pattern) => matchesGlob(path, pattern)))
  .filter((path) => !NOT_SEARCHED.test(path) && existsSync(path));
const uses = paths.toSorted().flatMap((path) => privateWordUses(path, readFileSync(path, 'utf8')));
for (const { path, line, found, instead } of uses)
  console.log(`${path}${line === undefined ? '' : `:${line}`}: "${found}" is a private word. Use: ${instead}`);
process.exitCode = uses.length > 0 ? 1 : 0;
