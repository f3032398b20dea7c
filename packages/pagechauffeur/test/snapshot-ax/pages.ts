import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A page whose snapshot is compared with Chromium's tree. */
export interface ComparedPage {
  readonly name: string;
  readonly path: string;
  /** The Debian package that brings the page; undefined for our own. */
  readonly debianPackage?: string;
}

const ownFolder = fileURLToPath(new URL('../pages/aria/', import.meta.url));

/** Our own pages, one kind of widget or problem each. */
export const ownPages: readonly ComparedPage[] = readdirSync(ownFolder)
  .filter((file) => file.endsWith('.html'))
  .map((file) => ({ name: file.replace('.html', ''), path: ownFolder + file }));

const documentation: Readonly<Record<string, readonly string[]>> = {
  'sqlite3-doc': ['index', 'lang_select', 'changes', 'cli', 'lang_expr', 'syntaxdiagrams', 'fts5'].map(
    (page) => `/usr/share/doc/sqlite3/${page}.html`,
  ),
  'python3-doc': ['index', 'genindex-S', 'search', 'library/json', 'library/stdtypes', 'tutorial/datastructures'].map(
    (page) => `/usr/share/doc/python3/html/${page}.html`,
  ),
};

/** Pages that others wrote: installed documentation. */
export const documentationPages: readonly ComparedPage[] = Object.entries(documentation).flatMap(
  ([debianPackage, paths]) => paths.map((path) => ({ name: path.replace('/usr/share/doc/', ''), path, debianPackage })),
);

/** Whether the page can be loaded on this machine. */
export function isInstalled({ path }: ComparedPage): boolean {
  return existsSync(path);
}
