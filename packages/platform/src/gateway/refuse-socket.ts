import type { Duplex } from 'node:stream';
import { PlatformError } from '../errors.ts';

/** Answers a request to switch to a socket by a refusal. What is not meant for its sender is not told. */
export function refuseSocket(socket: Duplex, error: unknown): void {
  const told = error instanceof PlatformError ? error : new PlatformError('internal', 'The connection failed.');
  const { status, code, message, retryAfter } = told;
  const body = JSON.stringify({ error: { code, message } });
  const again = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Type: application/json\r\n${again}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
