import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { PlatformError } from '../errors.ts';
import type { Peers } from '../servers/peers.ts';
import { CAPACITY_PATH } from '../servers/capacity-lookup.ts';

/** Route for other servers: returns how many more sessions this server can run. */
export function capacityRoute(peers: Peers): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: CAPACITY_PATH,
      schema: { hide: true },
      handler: async (request) => {
        if (!peers.isFromPeer(request.raw)) throw new PlatformError('not_found', 'There is nothing at this path.');
        return { free: peers.room };
      },
    });
  };
}
