/** Writes `docs/spec-coverage.md`: which tests cover each row of the public API. `--check` only compares. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { NOT_IN_THIS_VERSION, SPEC_PARTS } from '../packages/pagechauffeur/test/spec/rows.ts';
import { coverageFaults, coveragePage } from './spec/coverage.ts';
import { namedRows } from './spec/named-rows.ts';
import { parseSource } from './source-file.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tests = `${root}packages/pagechauffeur/test`;
const page = `${root}docs/spec-coverage.md`;

const paths = globSync('**/*.test.ts', { cwd: tests, exclude: (name) => name.startsWith('compiled-') }).toSorted();
const files = await Promise.all(
  paths.map(async (path) => namedRows(parseSource(path, await readFile(`${tests}/${path}`, 'utf8')))),
);
const named = files.flatMap((file) => file.tests);
const spec = { parts: SPEC_PARTS, notBuilt: NOT_IN_THIS_VERSION };
const faults = [...files.flatMap((file) => file.faults), ...coverageFaults(spec, named)];
const text = coveragePage(spec, named);

if (!process.argv.includes('--check')) await writeFile(page, text);
else if ((await readFile(page, 'utf8')) !== text)
  faults.push('docs/spec-coverage.md is not up to date: run `node scripts/spec-coverage.ts`');
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
