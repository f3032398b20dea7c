import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { AppStartError, type RunningApp } from './running-app.ts';

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Answers a request and returns true, or returns false to let the files answer. */
export type ApiHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Serves an API and, behind it, files: `folders` maps a path prefix to a directory, first match wins. */
export async function startHttpApp(folders: ReadonlyMap<string, string>, api: ApiHandler): Promise<RunningApp> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await api(request, response)) return;
    await sendFile(fileFor(new URL(request.url ?? '/', 'http://app').pathname, folders), response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  let closing: Promise<void> | undefined;
  return { url: `http://127.0.0.1:${port}/`, close: () => (closing ??= close()) };
}

/** The directory of a package installed here. */
export function packageDirectory(name: string): string {
  const directory = join(import.meta.dirname, 'node_modules', name);
  if (existsSync(directory)) return directory;
  throw new AppStartError(`The package ${name} is not installed. Run: npm ci --prefix apps`);
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

/** Reads a JSON body. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || 'null');
}

function fileFor(path: string, folders: ReadonlyMap<string, string>): string | null {
  for (const [prefix, directory] of folders) {
    if (!path.startsWith(prefix)) continue;
    const name = path.slice(prefix.length) || 'index.html';
    const file = normalize(join(directory, decodeURIComponent(name)));
    return file.startsWith(directory + sep) ? file : null;
  }
  return null;
}

async function sendFile(file: string | null, response: ServerResponse): Promise<void> {
  const content = file === null ? null : await readFile(file).catch(() => null);
  if (file === null || content === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  response.writeHead(200, { 'content-type': CONTENT_TYPE[extname(file)] ?? 'application/octet-stream' }).end(content);
}
