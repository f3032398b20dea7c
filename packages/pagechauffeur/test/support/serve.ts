import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path answers: a page's HTML, or a function that answers by itself. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A local server for a test's pages. */
export interface TestServer extends AsyncDisposable {
  /** Origin under the host 127.0.0.1, without a slash at the end. */
  readonly origin: string;
  /** The same server under the host `localhost`: another site, so its frames live in another process. */
  readonly otherOrigin: string;
  /** Adds or replaces a page and gives its address. */
  page(path: string, html: Route): string;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 that answers these paths. */
export async function serve(routes: Readonly<Record<string, Route>> = {}): Promise<TestServer> {
  const routeByPath = new Map(Object.entries(routes));
  const server = createServer((request, response) => {
    const route = routeByPath.get(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (typeof route === 'function') return route(request, response);
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(route ?? '<!doctype html><title>Not found</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close').catch(() => undefined);
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    page: (path, html) => {
      routeByPath.set(path, html);
      return `http://127.0.0.1:${port}${path}`;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
