import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Html } from './html.ts';

/** What a route answers: markup, a redirection, a file, or data. */
export type Answer = Html | Redirect | Asset | { readonly json: unknown; readonly status?: number };

/** Sends the browser on to another page. */
export interface Redirect {
  readonly redirect: string;
}

/** A file as it is. */
export interface Asset {
  readonly body: Buffer;
  readonly contentType: string;
  /** The name under which browsers save it, instead of showing it. */
  readonly saveAs?: string;
}

/** A request as routes see it. */
export interface Visit {
  readonly url: URL;
  /** The fields of a sent form or JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Answers one kind of request, or null when there is nothing at that address. */
export type Route = (visit: Visit) => Answer | null | Promise<Answer | null>;

/** Starts a server on a free port of 127.0.0.1; routes are found by `METHOD path`, then by `METHOD /first-segment/`. */
export async function listen(routes: ReadonlyMap<string, Route>): Promise<Server> {
  const server = createServer((request, response) => {
    answer(routes, request).then(
      (found) => send(response, found),
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The port a server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Stops a server and drops its connections. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function answer(routes: ReadonlyMap<string, Route>, request: IncomingMessage): Promise<Answer | null> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const method = request.method ?? 'GET';
  const folder = `/${url.pathname.split('/')[1]}/`;
  const route = routes.get(`${method} ${url.pathname}`) ?? routes.get(`${method} ${folder}`);
  return route === undefined ? null : route({ url, fields: await readFields(request) });
}

async function readFields(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (body === '') return {};
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  return isJson ? (JSON.parse(body) as Record<string, unknown>) : Object.fromEntries(new URLSearchParams(body));
}

function send(response: ServerResponse, found: Answer | null): void {
  if (found === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
  } else if (found instanceof Html) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(found.text);
  } else if ('redirect' in found) {
    response.writeHead(303, { location: found.redirect }).end();
  } else if ('body' in found) {
    const saving = found.saveAs && { 'content-disposition': `attachment; filename="${found.saveAs}"` };
    response.writeHead(200, { 'content-type': found.contentType, ...saving }).end(found.body);
  } else {
    response.writeHead(found.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(found.json));
  }
}
