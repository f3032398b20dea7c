import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * A machine with simulated browsers: each answers a command with its method and the browser's name. `Test.tell` sends
 * an event before, `Test.say` any text, `Test.sayAll` on all its sockets; after `Test.vanish` no socket of the browser
 * is answered any more.
 */
export interface SimulatedBrowsers extends AsyncDisposable {
  /** URL for backends. */
  readonly origin: string;
  /** Names of the running browsers. */
  readonly running: ReadonlySet<string>;
}

/**
 * Starts a simulated machine. `PUT /name` starts a browser, `DELETE` ends it, `GET /` lists all; a WebSocket at `/name`
 * connects to it.
 */
export async function simulateBrowsers(): Promise<SimulatedBrowsers> {
  const socketsByBrowser = new Map<string, Set<WebSocket>>();
  const running = new Set<string>();
  const end = (name: string): void => {
    running.delete(name);
    for (const socket of socketsByBrowser.get(name) ?? []) socket.terminate();
    socketsByBrowser.delete(name);
  };
  const server = createServer(({ method, url = '' }, response) => {
    const name = url.slice(1);
    if (method === 'PUT') running.add(name);
    if (method === 'DELETE') end(name);
    response.end(JSON.stringify([...running]));
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket, { url = '' }) => {
    const name = url.slice(1);
    if (!running.has(name)) return socket.terminate();
    const known = socketsByBrowser.get(name) ?? new Set();
    socketsByBrowser.set(name, known.add(socket));
    socket.on('close', () => known.delete(socket));
    socket.on('message', (data) => {
      if (String(data).includes('"Test.vanish"')) for (const each of known) each.pause();
      else answer(socket, known, name, String(data));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    running,
    [Symbol.asyncDispose]: async () => {
      for (const name of running) end(name);
      sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(socket: WebSocket, all: ReadonlySet<WebSocket>, browser: string, message: string): void {
  const { id, method, sessionId, params } = JSON.parse(message) as {
    id: number;
    method: string;
    sessionId?: string;
    params?: { event?: object; text?: string };
  };
  if (method === 'Test.tell') socket.send(JSON.stringify(params?.event));
  if (method === 'Test.say') socket.send(params?.text ?? '');
  if (method === 'Test.sayAll') for (const each of all) each.send(params?.text ?? '');
  socket.send(JSON.stringify({ id, result: { method, browser }, sessionId }));
}
