import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { importsOf, parseSource } from './source-file.ts';

/** Declaration files that users' compilers read, and the packages that these files import. */
export interface Declarations {
  /** Paths of declaration files, relative to the package. */
  readonly files: ReadonlySet<string>;
  /** Packages that the declarations import, except Node.js. */
  readonly packages: ReadonlySet<string>;
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** Follows the imports of declaration files from the entries of `package.json`. */
export async function declarationsOf(folder: string): Promise<Declarations> {
  const { exports = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : (entry.types ?? [])));
  const files = new Set(entries.map((entry) => join(entry)));
  const packages = new Set<string>();
  // The loop also visits paths that are added during the iteration.
  for (const path of files)
    for (const { specifier } of importsOf(parseSource(path, await readFile(join(folder, path), 'utf8'))))
      if (specifier.startsWith('.')) files.add(declarationFile(join(dirname(path), specifier)));
      else if (!specifier.startsWith('node:')) packages.add(packageName(specifier));
  return { files, packages };
}

/** Removes built declaration files that no entry imports, directly or indirectly. */
export async function removeUnreachableDeclarations(folder: string): Promise<void> {
  const { files } = await declarationsOf(folder);
  const built = (await readdir(join(folder, 'dist'), { recursive: true })).map((path) => join('dist', path));
  const unreachable = built.filter((path) => path.endsWith('.d.ts') && !files.has(path));
  await Promise.all(unreachable.map(async (path) => rm(join(folder, path))));
}

function declarationFile(path: string): string {
  return path.replace(/(\.d)?\.[jt]s$/, '.d.ts');
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
