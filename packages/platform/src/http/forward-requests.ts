import type { FastifyInstance } from 'fastify';
import type { Peers } from '../servers/peers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether only the server that has the browser of the session `:id` can answer. */
    atOwner?: boolean;
    /** Whether a server that has room for a session answers, when this one has none. */
    atFreeServer?: boolean;
  }
}

/** Has routes with `atOwner` or `atFreeServer` answered by the server that can, before a body is read. That asks for the key again. */
export function forwardRequests(app: FastifyInstance, peers: Peers): void {
  app.addHook('onRequest', async (request, reply) => {
    const { atOwner, atFreeServer } = request.routeOptions.config;
    const { id = '' } = (request.params ?? {}) as { readonly id?: string };
    const isPassed =
      (atOwner && (await peers.forward(id, request, reply))) ||
      (atFreeServer && (await peers.forwardToFreeServer(request, reply)));
    return isPassed ? reply : undefined;
  });
}
