/** Checks the imports of the library against the layer table in `docs/architecture.md`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Import, importsOf, readSources, type SourceFile } from './source-file.ts';

export interface Layer {
  /** Files (`errors.ts`) and folders (`util/`) in this row. */
  readonly members: readonly string[];
  /** Allowed imports within the row, as `from to`. */
  readonly across: readonly string[];
}

/** Parses the layer table, highest layer first. */
export function parseLayers(markdown: string): Layer[] {
  const rows = markdown.matchAll(/^\| *\d+ *\|([^|]*)\|([^|]*)\|[^|]*\| *$/gm);
  return Array.from(rows, ([, members = '', across = '']) => {
    if (!/^ *(none|(`\S+` → `\S+`[, ]*)+) *$/.test(across)) {
      throw new SyntaxError(`The layer table says ${across.trim()}; expected "none" or "\`a/\` → \`b/\`".`);
    }
    return {
      members: Array.from(members.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
      across: Array.from(across.matchAll(/`(\S+)` → `(\S+)`/g), ([, from, to]) => `${from} ${to}`),
    };
  });
}

/**
 * Returns forbidden imports, and differences between the members in the table and the source folder. Paths are relative
 * to the source folder.
 */
export function layerFaults(layers: readonly Layer[], files: readonly SourceFile[]): string[] {
  const owners = files.map(({ path }) => memberOf(path));
  const unlisted = owners.filter((owner) => rowOf(layers, owner) < 0);
  const empty = layers
    .flatMap(({ members }) => members)
    .filter((name) => !owners.includes(name) && name !== 'generated/');
  return [
    ...Array.from(new Set(unlisted), (name) => `${name} is in no row of the layer table`),
    ...empty.map((name) => `${name} is in the layer table, but there is no such file or folder`),
    ...files.flatMap((file) => importsOf(file).flatMap((imported) => importFault(layers, file.path, imported))),
  ];
}

/** Returns the top-level file or folder that contains a path. */
function memberOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  return rest.length > 0 ? `${first}/` : first;
}

function rowOf(layers: readonly Layer[], member: string): number {
  return layers.findIndex(({ members }) => members.includes(member));
}

function importFault(layers: readonly Layer[], path: string, imported: Import): string[] {
  const from = memberOf(path);
  const isRelative = imported.specifier.startsWith('.');
  const target = posix.join(posix.dirname(path), imported.specifier);
  const to = isRelative ? memberOf(target) : undefined;
  const reason = to === from ? undefined : reasonAgainst({ layers, from, to, target, imported });
  return reason ? [`${path}:${imported.line} imports ${imported.specifier}: ${reason}`] : [];
}

interface Crossing {
  readonly layers: readonly Layer[];
  readonly from: string;
  /** Undefined for a package. */
  readonly to: string | undefined;
  readonly target: string;
  readonly imported: Import;
}

function reasonAgainst({ layers, from, to, target, imported }: Crossing): string | undefined {
  if (from === 'injected/' && to !== 'page-bounds.ts' && to !== 'state-words.ts')
    return 'injected/ is another program and imports nothing but itself, page-bounds.ts and state-words.ts';
  if (to === undefined) return undefined;
  if (to === 'generated/') return from === 'cdp/' ? undefined : 'only cdp/ may import generated/';
  if (to === 'injected/') return reasonAgainstInjected(target, imported);
  return reasonAgainstDirection(layers, from, to);
}

function reasonAgainstInjected(target: string, { isTypeOnly }: Import): string | undefined {
  if (target === 'injected/contract.ts' && isTypeOnly) return undefined;
  return 'of injected/ only the types of injected/contract.ts may be imported';
}

function reasonAgainstDirection(layers: readonly Layer[], from: string, to: string): string | undefined {
  const [fromRow, toRow] = [rowOf(layers, from), rowOf(layers, to)];
  // A member without a row is reported once, not for each import.
  if (fromRow < 0 || toRow < 0 || fromRow < toRow) return undefined;
  if (fromRow > toRow) return `${from} may not import upward, from ${to}`;
  if (layers[fromRow]?.across.includes(`${from} ${to}`)) return undefined;
  return `${from} and ${to} are in one row of the layer table, which does not allow this import`;
}

/** Returns a message for each path such as `act/act.ts` in Markdown text that matches no file. */
export function missingPaths(markdown: string, exists: (path: string) => boolean): string[] {
  const named = Array.from(markdown.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.ts)`/g), ([, path = '']) => path);
  return named.filter((path) => !exists(path)).map((path) => `${path} does not exist`);
}

/** Pages in docs/ that contain paths of source files. */
const PAGES_WITH_PATHS = ['architecture', 'settling', 'healing', 'variables'];

if (import.meta.main) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  process.chdir(`${root}packages/pagechauffeur/src`);
  const layers = parseLayers(await readFile(`${root}docs/architecture.md`, 'utf8'));
  const exists = (path: string): boolean =>
    [path, `../${path}`, root + path].some((candidate) => existsSync(candidate));
  const pages = PAGES_WITH_PATHS.map((name) => `docs/${name}.md`);
  const missing = await Promise.all(
    pages.map(async (page) =>
      missingPaths(await readFile(root + page, 'utf8'), exists).map((fault) => `${page}: ${fault}`),
    ),
  );
  const faults = [...layerFaults(layers, await readSources('.')), ...missing.flat()];
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
