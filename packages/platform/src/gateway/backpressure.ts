import { WebSocket } from 'ws';

/** Above this many unsent bytes, reading from the source pauses until at most `LOW_WATER_BYTES` are left. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
const LOW_WATER_BYTES = 1024 * 1024;

/** RFC 6455: Policy Violation. */
export const POLICY_CODE = 1008;

/** The full sockets or buffers for which each socket is paused. The socket resumes when its set is empty. */
const fullBySocket = new WeakMap<WebSocket, Set<object>>();

/** Pauses a socket until `resumeReading` is called with the same `full`. */
export function pauseReading(full: object, socket: WebSocket): void {
  fullBySocket.set(socket, (fullBySocket.get(socket) ?? new Set()).add(full));
  socket.pause();
}

/** Removes one reason for a pause. Resumes the socket after the last one. */
export function resumeReading(full: object, socket: WebSocket): void {
  const reasons = fullBySocket.get(socket);
  if (!reasons?.delete(full) || reasons.size > 0) return;
  socket.resume();
}

/** Returns the full sockets and buffers that a paused socket waits for. */
export function heldFor(socket: WebSocket): ReadonlySet<object> {
  return fullBySocket.get(socket) ?? NOTHING;
}

const NOTHING: ReadonlySet<object> = new Set();

/**
 * Sends a message, and pauses reading from `from` while `to` has too many unsent bytes. For responses, both are the
 * same socket.
 */
export function sendWithBackpressure(to: WebSocket, message: string | Buffer, from: WebSocket): void {
  send(to, { message, from, isBinary: false });
}

/** Sends a binary response, with backpressure on the same socket. */
export function answerInBytes(to: WebSocket, message: Buffer): void {
  send(to, { message, from: to, isBinary: true });
}

interface Sending {
  readonly message: string | Buffer;
  readonly from: WebSocket;
  readonly isBinary: boolean;
}

function send(to: WebSocket, { message, from, isBinary }: Sending): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(message, { binary: isBinary }, () => {
    if (to.bufferedAmount <= LOW_WATER_BYTES) resumeReading(to, from);
  });
  if (to.bufferedAmount > HIGH_WATER_BYTES) pauseReading(to, from);
}

const CLOSE_MS = 2000;

/** Closes a socket. Terminates it if the peer does not respond within 2 s. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  // A paused socket would not receive the peer's close frame.
  socket.resume();
  beginClose(socket, code, reason);
}

/** Closes a socket that sends too much, without reading any more data. */
export function cutSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  beginClose(socket, code, reason);
  socket.pause();
}

function beginClose(socket: WebSocket, code: number, reason: string): void {
  // RFC 6455 limits close reasons to 123 bytes.
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD$/, ''),
  );
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}
