import { WebSocket } from 'ws';

/** Above this many bytes that wait to be sent, no more is read from the other side, until most of them are gone. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
const LOW_WATER_BYTES = 1024 * 1024;

/** The code of sockets for a client that breaks a rule of the server, or may not be there any more. */
export const POLICY_CODE = 1008;

/** Sends on one socket what came from another, which is not read while too much waits. */
export function sendWithBackpressure(to: WebSocket, message: string | Buffer, from: WebSocket): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(message, { binary: false }, () => {
    if (from.isPaused && to.bufferedAmount <= LOW_WATER_BYTES) from.resume();
  });
  if (to.bufferedAmount > HIGH_WATER_BYTES) from.pause();
}

/** Ends a socket in order, and by force when the other side does not follow. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  const CLOSE_MS = 2000;
  if (socket.readyState === WebSocket.CLOSED) return;
  // What is paused would never see the other side's answer.
  socket.resume();
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
