import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A server under two names, of which a policy allows one; it counts what reached it under the other. */
export interface PolicyServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:port`, which tests allow. */
  readonly allowed: string;
  /** `http://localhost:port`, which tests refuse. */
  readonly refused: string;
  /** What came for the name `localhost` since the last look: method and path, sockets as `SOCKET`. */
  readonly leaks: () => string[];
}

/** Starts the server; `/to?url=…` redirects, `*.js` is a worker that asks for what its address says. */
export async function servePolicyPages(): Promise<PolicyServer> {
  let leaks: string[] = [];
  const sockets = new Set<Duplex>();
  const note = (request: IncomingMessage, method = request.method ?? ''): void => {
    if (request.headers.host?.startsWith('localhost')) leaks.push(`${method} ${request.url}`);
  };
  const server = createServer((request, response) => {
    note(request);
    const url = new URL(request.url ?? '/', 'http://host');
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
    const to = url.searchParams.get('to');
    if (url.pathname === '/redirect' && to !== null) {
      response.writeHead(307, { ...headers, location: to }).end();
      return;
    }
    if (url.pathname === '/login') {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="site"', 'content-type': 'text/html' }).end('log in');
      return;
    }
    const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { ...headers, 'content-type': type, 'service-worker-allowed': '/' });
    const refused = `http://localhost:${request.socket.localPort}`;
    response.end(type === 'text/html' ? PAGE : WORKER.replace('REFUSED', refused));
  });
  server.on('upgrade', (request, socket) => {
    note(request, 'SOCKET');
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    allowed: `http://127.0.0.1:${port}`,
    refused: `http://localhost:${port}`,
    leaks: () => {
      const since = leaks;
      leaks = [];
      return since;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

const PAGE = '<!doctype html><title>Page</title><body>page</body>';

/** Runs what it is told, and tells what came of it. */
const WORKER = `
const run = async (source) => { try { return String(await (0, eval)(source)); } catch (error) { return String(error); } };
onmessage = async (event) => (event.source ?? self).postMessage(await run(event.data));
onconnect = (event) => { const port = event.ports[0]; port.onmessage = async (e) => port.postMessage(await run(e.data)); };
onfetch = (event) => { if (event.request.url.endsWith('/own')) event.respondWith(fetch('REFUSED/a').catch(() => new Response('refused'))); };
oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(clients.claim());
`;
