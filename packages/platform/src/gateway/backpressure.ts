import { WebSocket } from 'ws';

/** Above this number of unsent bytes, the source is paused until most of them are sent. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
const LOW_WATER_BYTES = 1024 * 1024;

/** Close code for a client that broke a rule or lost its permission. */
export const POLICY_CODE = 1008;

/** The full sockets or buffers that each paused socket waits for. It resumes when none is left. */
const fullBySocket = new WeakMap<WebSocket, Set<object>>();

/** Pauses a socket until `full` has room again. */
export function pauseReading(full: object, socket: WebSocket): void {
  fullBySocket.set(socket, (fullBySocket.get(socket) ?? new Set()).add(full));
  socket.pause();
}

/** Removes `full` as a reason to pause a socket. */
export function resumeReading(full: object, socket: WebSocket): void {
  const reasons = fullBySocket.get(socket);
  if (!reasons?.delete(full) || reasons.size > 0) return;
  socket.resume();
}

/** Returns what a paused socket waits for. */
export function heldFor(socket: WebSocket): ReadonlySet<object> {
  return fullBySocket.get(socket) ?? NOTHING;
}

const NOTHING: ReadonlySet<object> = new Set();

/**
 * Forwards a message, and pauses the source while too much is unsent. For answers, source and target are the same
 * socket.
 */
export function sendWithBackpressure(to: WebSocket, message: string | Buffer, from: WebSocket): void {
  send(to, { message, from, isBinary: false });
}

/** Answers a socket with a binary message. */
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

/** Closes a socket, and destroys it if the peer does not answer. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  // A paused socket would never see the peer's answer.
  socket.resume();
  beginClose(socket, code, reason);
}

/** Closes a socket without reading any more, because it sends too much. */
export function cutSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  beginClose(socket, code, reason);
  socket.pause();
}

function beginClose(socket: WebSocket, code: number, reason: string): void {
  // A close reason has at most 123 bytes.
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD$/, ''),
  );
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}
