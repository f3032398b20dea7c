import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Callbacks for the open answers of a connection when it ends. All share one listener, because many requests may wait on a connection. */
const callbacksBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when an answer was sent or its connection ended. The returned function cancels this. If the connection ends, Node.js 22
 * emits no `close` for an answer that waits behind another one.
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
