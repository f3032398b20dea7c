import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFileServer } from './file-server.ts';

/** These packages are only unpacked into `node_modules/.cache/documents`, not installed. */
const PACKAGES = [
  'python3.11-doc',
  'sqlite3-doc',
  'postgresql-doc-15',
  'cppreference-doc-en-html',
  'git-doc',
  'debian-policy',
];

/** Paths relative to `/usr/share`. The pages have 200 to 49,000 elements. */
const PATHS = {
  'sqlite3 index': 'doc/sqlite3/index.html',
  'python index': 'doc/python3.11/html/index.html',
  'debian-policy copyright-format': 'doc/debian-policy/copyright-format-1.0.html',
  'debian-policy ch-source': 'doc/debian-policy/policy.html/ch-source.html',
  'sqlite3 fts3': 'doc/sqlite3/fts3.html',
  'postgresql sql-select': 'doc/postgresql-doc-15/html/sql-select.html',
  'git git': 'doc/git/html/git.html',
  'postgresql functions-json': 'doc/postgresql-doc-15/html/functions-json.html',
  'python glossary': 'doc/python3.11/html/glossary.html',
  'cppreference header/memory': 'cppreference/doc/html/en/cpp/header/memory.html',
  'git git-log': 'doc/git/html/git-log.html',
  'postgresql app-psql': 'doc/postgresql-doc-15/html/app-psql.html',
  'python io': 'doc/python3.11/html/library/io.html',
  'sqlite3 lang_createtrigger': 'doc/sqlite3/lang_createtrigger.html',
  'debian-policy fhs': 'doc/debian-policy/fhs/fhs-3.0.html',
  'git git-config': 'doc/git/html/git-config.html',
  'sqlite3 keyword_index': 'doc/sqlite3/keyword_index.html',
  'cppreference container': 'cppreference/doc/html/en/cpp/container.html',
  'python functions': 'doc/python3.11/html/library/functions.html',
  'postgresql bookindex': 'doc/postgresql-doc-15/html/bookindex.html',
  'cppreference history': 'cppreference/doc/html/en/cpp/language/history.html',
  'python multiprocessing': 'doc/python3.11/html/library/multiprocessing.html',
  'python stdtypes': 'doc/python3.11/html/library/stdtypes.html',
  'python contents': 'doc/python3.11/html/contents.html',
} as const;

const folder = fileURLToPath(new URL('../node_modules/.cache/documents/', import.meta.url));
const sharedFolder = join(folder, 'usr/share');

/** Serves documentation pages from Debian packages. */
export interface DocumentServer extends AsyncDisposable {
  readonly pages: readonly { readonly name: string; readonly url: string }[];
}

/** Downloads the packages first if they are missing. */
export async function startDocumentServer(): Promise<DocumentServer> {
  if (!existsSync(sharedFolder)) await unpackDocuments();
  const server = await startFileServer((pathname) => {
    const file = join(sharedFolder, normalize(decodeURIComponent(pathname)));
    return extname(file) === '' ? undefined : file;
  });
  return {
    pages: Object.entries(PATHS).map(([name, path]) => ({ name, url: `${server.origin}/${path}` })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function unpackDocuments(): Promise<void> {
  const run = promisify(execFile);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('apt-get', ['download', ...PACKAGES], { cwd: folder });
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.deb')) continue;
    await run('dpkg', ['-x', name, '.'], { cwd: folder });
    await rm(join(folder, name));
  }
}
