import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { BrowserBackend, BrowserRequest, RentedBrowser } from '../../src/browsers/browser-backend.ts';

/** A machine with browsers that only answer: each command by its own method and the browser's name. */
export interface SimulatedBrowsers extends AsyncDisposable {
  /** Names of the browsers that run. */
  readonly running: ReadonlySet<string>;
  /** A way to them for one server: one that loses them when it ends, or one that another server can go on with. */
  backend(kind: 'own' | 'shared', capacity: number): BrowserBackend;
}

/** Starts such a machine. */
export async function simulateBrowsers(): Promise<SimulatedBrowsers> {
  const socketsByBrowser = new Map<string, Set<WebSocket>>();
  const running = new Set<string>();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket, { url = '' }) => serveBrowser(url.slice(1), socket));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const serveBrowser = (name: string, socket: WebSocket): void => {
    const sockets = socketsByBrowser.get(name);
    if (!sockets) return socket.terminate();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data) => {
      const { id, method, sessionId } = JSON.parse(String(data)) as { id: number; method: string; sessionId?: string };
      socket.send(JSON.stringify({ id, result: { method, browser: name }, sessionId }));
    });
  };

  const end = (name: string): void => {
    running.delete(name);
    for (const socket of socketsByBrowser.get(name) ?? []) socket.terminate();
    socketsByBrowser.delete(name);
  };

  const rented = (name: string, kind: 'own' | 'shared'): RentedBrowser => ({
    sessionId: name,
    url: `ws://127.0.0.1:${port}/${name}`,
    downloads: '/nowhere',
    maxMessageBytes: 1024 * 1024,
    openDownload: async () => undefined,
    end: async () => end(name),
    ...(kind === 'shared' ? { handle: name } : {}),
  });

  const start = ({ sessionId }: BrowserRequest, kind: 'own' | 'shared'): RentedBrowser => {
    running.add(sessionId);
    socketsByBrowser.set(sessionId, new Set());
    return rented(sessionId, kind);
  };

  const backend = (kind: 'own' | 'shared', capacity: number): BrowserBackend => {
    const own = new Set<string>();
    return {
      capacity,
      admit: async () => undefined,
      start: async (request) => {
        own.add(request.sessionId);
        return start(request, kind);
      },
      running: async () =>
        [...running].filter((name) => kind === 'shared' || own.has(name)).map((name) => rented(name, kind)),
      ...(kind === 'shared'
        ? { adopt: async (name: string) => (running.has(name) ? rented(name, kind) : undefined) }
        : {}),
      close: async () => {
        if (kind === 'own') for (const name of own) end(name);
      },
    };
  };

  return {
    running,
    backend,
    [Symbol.asyncDispose]: async () => {
      for (const name of running) end(name);
      server.close();
    },
  };
}
