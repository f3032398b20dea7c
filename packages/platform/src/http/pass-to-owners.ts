import type { FastifyInstance } from 'fastify';
import type { Peers } from '../servers/peers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether only the server that has the browser of the session `:id` can answer. */
    atOwner?: boolean;
    /** Whether a server that has room for a session answers, when this one has none. */
    atRoom?: boolean;
  }
}

/** Has routes with `atOwner` or `atRoom` answered by the server that can, before a body is read. That asks for the key again. */
export function passToOwners(app: FastifyInstance, peers: Peers): void {
  app.addHook('onRequest', async (request, reply) => {
    const { atOwner, atRoom } = request.routeOptions.config;
    const { id = '' } = (request.params ?? {}) as { readonly id?: string };
    const isPassed =
      (atOwner && (await peers.forward(id, request, reply))) || (atRoom && (await peers.forwardToRoom(request, reply)));
    return isPassed ? reply : undefined;
  });
}
