import type { FastifyInstance } from 'fastify';
import type { Peers } from '../servers/peers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if only the server that owns the browser of session `:id` can answer. */
    atOwner?: boolean;
    /** True if a server with free capacity should answer when this one has none. */
    atFreeServer?: boolean;
  }
}

/**
 * Forwards requests of routes with `atOwner` or `atFreeServer` before the body is read. The other server checks the key
 * again.
 */
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
