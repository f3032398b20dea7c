import type { FastifyInstance } from 'fastify';
import type { Peers } from '../servers/peers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether only the server that has the browser of the session `:id` can answer. */
    atOwner?: boolean;
  }
}

/** Has routes with `atOwner` answered by the server that has the session, before a body is read. That asks for the key again. */
export function passToOwners(app: FastifyInstance, peers: Peers): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.atOwner) return undefined;
    const { id = '' } = request.params as { readonly id?: string };
    return (await peers.forward(id, request, reply)) ? reply : undefined;
  });
}
