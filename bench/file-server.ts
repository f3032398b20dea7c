import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';

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

export interface FileServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:41823`. */
  readonly origin: string;
}

/** Serves files on a free port of 127.0.0.1. `fileAt` maps the path of a URL to a file, or to `undefined` for a 404. */
export async function startFileServer(fileAt: (pathname: string) => string | undefined): Promise<FileServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileAt(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    const content = file !== undefined && existsSync(file) ? await readFile(file) : undefined;
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': MIME_TYPES[extname(file ?? '')] ?? 'application/octet-stream',
      'cache-control': 'max-age=3600',
    });
    response.end(content ?? 'Not found');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
