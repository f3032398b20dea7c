import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** What is called for the open answers of a connection when it ends. One listener for all: many requests may wait on a connection. */
const callbacksBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when an answer is sent or its connection ends; not any more after the returned function is called. Node.js 22 emits
 * no `close` for an answer that waits behind another one when the connection ends.
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
