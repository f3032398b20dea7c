import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

const DIAL_MS = 10_000;
/** The largest message of a browser, such as a screenshot or a response body. */
const MAX_BROWSER_BYTES = 64 * 1024 * 1024;

/** An open WebSocket to a browser, with its connection. */
export interface BrowserSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
}

/** Opens a WebSocket to a browser. Rejects if the browser does not answer in time. */
export async function dialBrowser(url: string): Promise<BrowserSocket> {
  const options = { perMessageDeflate: false, maxPayload: MAX_BROWSER_BYTES, handshakeTimeout: DIAL_MS };
  const socket = new WebSocket(url, options);
  const { promise: connected, resolve } = Promise.withResolvers<Duplex>();
  socket.once('upgrade', (answer: IncomingMessage) => resolve(answer.socket));
  await once(socket, 'open');
  return { socket, connection: await connected };
}
