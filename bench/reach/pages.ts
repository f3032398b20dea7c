import { readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFileServer } from '../file-server.ts';

const pagesFolder = fileURLToPath(new URL('pages/', import.meta.url));
const modulesFolder = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Held out from development. Measure these pages only for a final result. */
export const UNSEEN_PAGES: ReadonlySet<string> = new Set(['handsontable', 'primereact', 'quasar']);

/** Serves one page per widget library. The libraries are below `/modules/`. */
export interface WidgetServer extends AsyncDisposable {
  urlOf(page: string): string;
}

export function widgetPages(): readonly string[] {
  return readdirSync(pagesFolder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length))
    .toSorted();
}

export async function startWidgetServer(): Promise<WidgetServer> {
  const server = await startFileServer(fileAt);
  return {
    urlOf: (page) => `${server.origin}/${page}.html`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function fileAt(path: string): string | undefined {
  const clean = normalize(decodeURIComponent(path));
  if (clean.startsWith('/modules/')) return join(modulesFolder, clean.slice('/modules/'.length));
  return /^\/[\w-]+\.html$/.test(clean) ? join(pagesFolder, clean) : undefined;
}
