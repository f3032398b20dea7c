import { WebSocket } from 'ws';

/** Above this many bytes that wait to be sent, no more is read from the other side, until most of them are gone. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
const LOW_WATER_BYTES = 1024 * 1024;

/** The code of sockets for a client that breaks a rule of the server, or may not be there any more. */
export const POLICY_CODE = 1008;

/** Why a socket is not read: the sockets, or stores, that are full. It is read again when none of them is. */
const fullBySocket = new WeakMap<WebSocket, Set<object>>();

/** Stops reading a socket until this has room again. */
export function pauseReading(full: object, socket: WebSocket): void {
  fullBySocket.set(socket, (fullBySocket.get(socket) ?? new Set()).add(full));
  socket.pause();
}

/** Reads a socket again as far as this is concerned. */
export function resumeReading(full: object, socket: WebSocket): void {
  const reasons = fullBySocket.get(socket);
  if (!reasons?.delete(full) || reasons.size > 0) return;
  socket.resume();
}

/** Whose room a socket waits for, while it is not read. */
export function heldFor(socket: WebSocket): ReadonlySet<object> {
  return fullBySocket.get(socket) ?? NOTHING;
}

const NOTHING: ReadonlySet<object> = new Set();

/** Sends on one socket what came from another, which is not read while too much waits. Answers come from the very socket that they go to. */
export function sendWithBackpressure(to: WebSocket, message: string | Buffer, from: WebSocket): void {
  send(to, { message, from, isBinary: false });
}

/** Sends a binary message in answer to what a socket sent. */
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

/** Ends a socket in order, and by force when the other side does not follow. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  // What is paused would never see the other side's answer.
  socket.resume();
  beginClose(socket, code, reason);
}

/** Ends a socket of which nothing more is read, because it sends too much. */
export function cutSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  beginClose(socket, code, reason);
  socket.pause();
}

function beginClose(socket: WebSocket, code: number, reason: string): void {
  // A reason has 123 bytes at most.
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD$/, ''),
  );
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}
