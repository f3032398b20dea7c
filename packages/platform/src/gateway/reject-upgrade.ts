import type { Duplex } from 'node:stream';
import { PlatformError } from '../errors.ts';

/** How long the other side may take to read the last that it is sent. */
const LINGER_MS = 2000;

/** Answers a request to switch to a socket by a refusal. What is not meant for its sender is not told. */
export function rejectUpgrade(socket: Duplex, error: unknown): void {
  const told = error instanceof PlatformError ? error : new PlatformError('internal', 'The connection failed.');
  const { status, code, message, retryAfter } = told;
  const body = JSON.stringify({ error: { code, message } });
  const again = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Type: application/json\r\n${again}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  destroySoon(socket);
}

/** Destroys a connection to which the last is sent: its other side may keep its half open for good. */
export function destroySoon(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
  // What it still sends is nobody's; unread it would hide that it ends.
  socket.resume();
}
