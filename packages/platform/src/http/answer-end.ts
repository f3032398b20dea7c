import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Callbacks by connection. They share one `close` listener, because many requests may wait on a connection. */
const callbacksBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when a response was sent or its connection closed. Returns a function that cancels this. If the
 * connection closes, Node.js 22 emits no `close` for a response that waits behind another.
 */
export function onAnswerEnd({ raw, request }: FastifyReply, callback: () => void): () => void {
  const callbacks = callbacksOf(request.raw.socket);
  const forget = (): void => {
    raw.off('close', end);
    callbacks.delete(end);
  };
  const end = (): void => {
    forget();
    callback();
  };
  raw.once('close', end);
  callbacks.add(end);
  return forget;
}

function callbacksOf(socket: Socket): Set<() => void> {
  const known = callbacksBySocket.get(socket);
  if (known) return known;
  const callbacks = new Set<() => void>();
  callbacksBySocket.set(socket, callbacks);
  socket.once('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
