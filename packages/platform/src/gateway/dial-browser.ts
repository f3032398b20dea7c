import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

const DIAL_MS = 10_000;
/** Maximum size of a message from a browser. Screenshots and response bodies are the largest. */
const MAX_BROWSER_BYTES = 64 * 1024 * 1024;

/** `connection` is the network stream under the WebSocket. */
export interface BrowserSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
}

/** Opens a WebSocket to a browser. Rejects if the handshake takes longer than 10 s. */
export async function dialBrowser(url: string): Promise<BrowserSocket> {
  const options = { perMessageDeflate: false, maxPayload: MAX_BROWSER_BYTES, handshakeTimeout: DIAL_MS };
  const socket = new WebSocket(url, options);
  const { promise: connected, resolve } = Promise.withResolvers<Duplex>();
  socket.once('upgrade', (answer: IncomingMessage) => resolve(answer.socket));
  await once(socket, 'open');
  return { socket, connection: await connected };
}
