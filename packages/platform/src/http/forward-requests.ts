import type { FastifyInstance } from 'fastify';
import type { Peers } from '../servers/peers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if only the server that runs the browser of session `:id` can respond. */
    atOwner?: boolean;
    /** True if this server may forward the request to one with free capacity. */
    atFreeServer?: boolean;
  }
}

/**
 * Forwards requests for routes with `atOwner` or `atFreeServer` before the body is read. The other server checks the
 * key again.
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
