/** Measures the code and fails if a limit is exceeded. Prints a table of measures, then each violation. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BannedKind, bannedPlaces } from './norms/banned.ts';
import { functionSizes } from './norms/functions.ts';
import { importCycles } from './norms/import-cycles.ts';
import { codeLines } from './norms/lines.ts';
import { publicNames } from './norms/public-names.ts';
import { repeatedCode } from './norms/repeated-code.ts';
import { readSources, type SourceFile } from './source-file.ts';

const FILE_LINES = { median: 80, p90: 200, gate: 500 };
const FUNCTION_LINES = { median: 10, p90: 30, gate: 60 };
const PARAMETERS_GATE = 4;
const REPEATED_PERCENT_GATE = 1;

export interface Measure {
  readonly name: string;
  readonly value: string;
  readonly norm: string;
  readonly faults: readonly string[];
}

/** Excludes repeated code, which another tool measures on disk. */
export function measureFiles(files: readonly SourceFile[], entries: readonly string[]): Measure[] {
  return [
    measureFileLines(files),
    measureFunctionLines(files),
    measureParameters(files),
    measureCycles(files),
    ...measureBanned(files),
    measurePublicNames(files, entries),
  ];
}

function measureFileLines(files: readonly SourceFile[]): Measure {
  const sizes = files.map((file) => ({ path: file.path, lines: codeLines(file).filter(Boolean).length }));
  const over = sizes.filter(({ lines }) => lines > FILE_LINES.gate);
  return {
    name: 'code lines of a file',
    value: distribution(sizes.map(({ lines }) => lines)),
    norm: describeNorm(FILE_LINES),
    faults: over.map(({ path, lines }) => `${path} has ${lines} lines of code, ${FILE_LINES.gate} at most`),
  };
}

function measureFunctionLines(files: readonly SourceFile[]): Measure {
  const sizes = files.flatMap(functionSizes);
  const over = sizes.filter(({ lines }) => lines > FUNCTION_LINES.gate);
  return {
    name: 'code lines of a function',
    // One-expression arrow functions would make any median small.
    value: distribution(sizes.filter(({ hasBlock }) => hasBlock).map(({ lines }) => lines)),
    norm: describeNorm(FUNCTION_LINES),
    faults: over.map(({ path, line, lines }) => `${path}:${line} has ${lines} lines, ${FUNCTION_LINES.gate} at most`),
  };
}

function measureParameters(files: readonly SourceFile[]): Measure {
  const sizes = files.flatMap(functionSizes);
  const over = sizes.filter(({ parameters }) => parameters > PARAMETERS_GATE);
  return {
    name: 'positional parameters',
    value: `${sizes.filter(({ parameters }) => parameters > 3).length} above 3`,
    norm: `0 above 3, none above ${PARAMETERS_GATE}`,
    faults: over.map(({ path, line, parameters }) => `${path}:${line} has ${parameters} parameters; take one object`),
  };
}

function measureCycles(files: readonly SourceFile[]): Measure {
  const faults = importCycles(files);
  return { name: 'import cycles', value: `${faults.length}`, norm: '0', faults };
}

function measureBanned(files: readonly SourceFile[]): Measure[] {
  const places = files.flatMap(bannedPlaces).filter(({ kind, path }) => kind !== 'bare Error' || hasErrorClasses(path));
  const kinds: BannedKind[] = ['any', 'non-null assertion', 'silent catch', 'bare Error'];
  return kinds.map((kind) => {
    const found = places.filter((place) => place.kind === kind);
    return {
      name: kind,
      value: `${found.length}`,
      norm: '0',
      faults: found.map(({ path, line }) => `${path}:${line}: ${kind}`),
    };
  });
}

/** The injected script and the scripts cannot use the library's error classes. */
function hasErrorClasses(path: string): boolean {
  return path.startsWith('packages/') && !path.includes('/injected/');
}

function measurePublicNames(files: readonly SourceFile[], entries: readonly string[]): Measure {
  const names = entries.flatMap((entry) => publicNames(entry, files));
  const faulty = names.filter(({ fault }) => fault);
  const share = names.length === 0 ? 100 : Math.floor((100 * (names.length - faulty.length)) / names.length);
  return {
    name: 'public names with a doc comment',
    value: `${share} % of ${names.length}`,
    norm: '100 %',
    faults: faulty.map(({ name, path, line, fault }) => `${path}:${line}: ${name} ${fault}`),
  };
}

async function measureRepeatedCode(folders: readonly string[]): Promise<Measure> {
  const { percent, pairs } = await repeatedCode(folders);
  return {
    name: 'repeated code (70 tokens)',
    value: [`${percent.toFixed(2)} %`, ...pairs].join('; '),
    norm: `0 %, at most ${REPEATED_PERCENT_GATE} %`,
    faults: percent > REPEATED_PERCENT_GATE ? pairs : [],
  };
}

function distribution(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return `median ${at(0.5)}, p90 ${at(0.9)}, most ${sorted.at(-1) ?? 0} (${sorted.length})`;
}

function describeNorm({ median, p90, gate }: { median: number; p90: number; gate: number }): string {
  return `${median}, ${p90}, ${gate}`;
}

function printTable(measures: readonly Measure[]): void {
  const width = Math.max(...measures.map(({ name }) => name.length));
  for (const { name, value, norm, faults } of measures) {
    console.log(`${faults.length > 0 ? 'FAIL' : 'ok  '}  ${name.padEnd(width)}  ${value}  [norm ${norm}]`);
  }
  for (const fault of measures.flatMap(({ faults }) => faults)) console.log(fault);
}

if (import.meta.main) {
  process.chdir(fileURLToPath(new URL('../', import.meta.url)));
  const folders = globSync(['packages/*/src', 'scripts', 'examples', 'bench', 'apps']);
  const entries = globSync(['packages/*/src/index.ts', 'packages/*/src/testing.ts']);
  const files = (await Promise.all(folders.map(readSources))).flat();
  const measures = [...measureFiles(files, entries), await measureRepeatedCode(folders)];
  printTable(measures);
  process.exitCode = measures.some(({ faults }) => faults.length > 0) ? 1 : 0;
}
