import type { Duplex } from 'node:stream';
import { PlatformError } from '../errors.ts';

/** How long the peer may take to read the last data. */
const LINGER_MS = 2000;

/** Responds to an upgrade request with an error. Hides the message of internal errors. */
export function rejectUpgrade(socket: Duplex, error: unknown): void {
  const platformError =
    error instanceof PlatformError ? error : new PlatformError('internal', 'The connection failed.');
  const { status, code, message, retryAfter } = platformError;
  const body = JSON.stringify({ error: { code, message } });
  const retryHeader = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Type: application/json\r\n${retryHeader}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  destroySoon(socket);
}

/** Destroys a connection after 2 s. Otherwise the peer could keep its half open forever. */
export function destroySoon(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
  // Discards further data. Unread data would hide the end of the stream.
  socket.resume();
}
