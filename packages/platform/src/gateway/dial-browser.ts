import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

const DIAL_MS = 10_000;
/** What a browser may say at once: a picture, or the content of an answer. */
const MAX_BROWSER_BYTES = 64 * 1024 * 1024;

/** A socket to a browser, open, with its connection. */
export interface BrowserSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
}

/** Opens a socket to a browser; fails when that does not answer in time. */
export async function dialBrowser(url: string): Promise<BrowserSocket> {
  const options = { perMessageDeflate: false, maxPayload: MAX_BROWSER_BYTES, handshakeTimeout: DIAL_MS };
  const socket = new WebSocket(url, options);
  const { promise: connected, resolve } = Promise.withResolvers<Duplex>();
  socket.once('upgrade', (answer: IncomingMessage) => resolve(answer.socket));
  await once(socket, 'open');
  return { socket, connection: await connected };
}
