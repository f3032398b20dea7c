import { once } from 'node:events';
import type { IncomingMessage as HttpResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import { DriverClosedError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import type { IncomingMessage, Transport, TransportOptions } from './transport.ts';

interface SocketOptions {
  readonly protocols?: readonly string[];
  readonly onOpening?: (socket: WebSocket) => void;
}

const CLOSE_TIMEOUT_MS = 1000;
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;
/** Messages of more bytes than this stay undecoded, see {@link IncomingMessage}. */
const LARGE_MESSAGE_BYTES = 1024 * 1024;

export interface OpenSocket {
  readonly socket: WebSocket;
  readonly stream: Socket;
}

/**
 * Connects to the WebSocket URL of a browser.
 * @throws DriverClosedError if the connection cannot be opened.
 */
export async function openTransport(url: string, options?: TransportOptions): Promise<Transport> {
  return webSocketTransport(await openSocket(url, options));
}

/** `onOpening` receives the socket before any message can arrive. */
export async function openSocket(
  url: string,
  { headers, signal, protocols = [], onOpening }: TransportOptions & SocketOptions = {},
): Promise<OpenSocket> {
  const socket = new WebSocket(url, [...protocols], {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    ...(headers ? { headers } : {}),
  });
  onOpening?.(socket);
  const upgraded = new Promise<Socket>((done) => {
    socket.once('upgrade', (response: HttpResponse) => done(response.socket));
  });
  const abort = (): void => socket.terminate();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await once(socket, 'open');
  } catch (error) {
    throw new DriverClosedError(
      `Cannot connect to DevTools at ${loggableUrl(url)}: ${reasonOf(error)}. Check that a browser is listening there.`,
      {
        cause: error,
      },
    );
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return { socket, stream: await upgraded };
}

/** Messages that are sent in the same tick share one packet, so the browser wakes up once. */
export function sendTogether({ socket, stream }: OpenSocket, message: string): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    // Microtasks run before other pending work of this process, which would delay the packet.
    queueMicrotask(() => stream.uncork());
  }
  socket.send(message);
}

/** Keeps large messages as bytes. */
export function messageIn(data: RawData): IncomingMessage {
  return Buffer.isBuffer(data) && data.length > LARGE_MESSAGE_BYTES ? data : String(data);
}

/** Terminates the socket after 1 s, because a browser that hangs never answers the closing handshake. */
export function closeSocket(socket: WebSocket): void {
  socket.close();
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
}

function webSocketTransport(open: OpenSocket): Transport {
  const { socket } = open;
  const transport: Transport = {
    send: (message) => sendTogether(open, message),
    close: () => closeSocket(socket),
    onMessage: () => undefined,
    onClose: () => undefined,
  };
  socket.on('message', (data) => transport.onMessage(messageIn(data)));
  socket.on('close', (code) => transport.onClose(`the socket closed with code ${code}`));
  // `ws` emits `close` after every error.
  socket.on('error', () => undefined);
  return transport;
}
