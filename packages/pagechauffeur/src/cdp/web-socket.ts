import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { DriverClosedError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import type { Transport, TransportOptions } from './transport.ts';

interface SocketOptions {
  readonly protocols?: readonly string[];
  readonly onOpening?: (socket: WebSocket) => void;
}

const CLOSE_TIMEOUT_MS = 1000;
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

/** A socket that is open, and the stream below it. */
export interface OpenSocket {
  readonly socket: WebSocket;
  readonly stream: Socket;
}

/** Opens a WebSocket to a browser's DevTools address. */
export async function openTransport(url: string, options?: TransportOptions): Promise<Transport> {
  return webSocketTransport(await openSocket(url, options));
}

/** Opens a WebSocket; `onOpening` sees it before anything can arrive. */
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
    socket.once('upgrade', (response: IncomingMessage) => done(response.socket));
  });
  const abort = (): void => socket.terminate();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await once(socket, 'open');
  } catch (error) {
    throw new DriverClosedError(
      `No DevTools connection to ${loggableUrl(url)}: ${reasonOf(error)}. Is a browser listening there?`,
      {
        cause: error,
      },
    );
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return { socket, stream: await upgraded };
}

/** Sends a message. What is sent in one go leaves in one packet: the browser wakes up once for all of it. */
export function sendTogether({ socket, stream }: OpenSocket, message: string): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    // What goes on in this process meanwhile need not be waited for, as it would be until the next tick.
    queueMicrotask(() => stream.uncork());
  }
  socket.send(message);
}

/** Ends a socket. A browser that hangs never answers the close; what was to be sent has long been sent by then. */
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
  socket.on('message', (data) => transport.onMessage(String(data)));
  socket.on('close', (code) => transport.onClose(`the socket closed with code ${code}`));
  // An error is always followed by 'close', which is what callers act on.
  socket.on('error', () => undefined);
  return transport;
}
