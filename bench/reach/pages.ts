import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const pagesFolder = fileURLToPath(new URL('pages/', import.meta.url));
const modulesFolder = fileURLToPath(new URL('../node_modules/', import.meta.url));

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves one page per widget library, and the libraries themselves below `/modules/`. */
export interface WidgetServer extends AsyncDisposable {
  urlOf(page: string): string;
}

/** The names of the pages, one per widget library. */
export function widgetPages(): readonly string[] {
  return readdirSync(pagesFolder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length))
    .toSorted();
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startWidgetServer(): Promise<WidgetServer> {
  const server = createServer(async (request, response) => {
    const file = fileAt(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    const content = file !== undefined && existsSync(file) ? await readFile(file) : undefined;
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': MIME_TYPES[extname(file ?? '')] ?? 'application/octet-stream',
      'cache-control': 'max-age=3600',
    });
    response.end(content ?? 'Not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    urlOf: (page) => `http://127.0.0.1:${port}/${page}.html`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function fileAt(path: string): string | undefined {
  const clean = normalize(decodeURIComponent(path));
  if (clean.startsWith('/modules/')) return join(modulesFolder, clean.slice('/modules/'.length));
  return /^\/[\w-]+\.html$/.test(clean) ? join(pagesFolder, clean) : undefined;
}
