import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { PlatformMetrics } from '../metrics.ts';
import type { SessionDesk } from '../sessions/session-desk.ts';

interface OpenParts {
  readonly metrics: PlatformMetrics;
  readonly desk: Pick<SessionDesk, 'isClosing'>;
}

/** Routes for which no key is needed: whether the server lives, its figures, its interface. */
export function openRoutes({ metrics, desk }: OpenParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/healthz',
      schema: { hide: true },
      // A balancer that asks sends nobody any more while the sessions are handed over.
      handler: async (_request, reply) =>
        desk.isClosing ? reply.code(503).send({ status: 'ending' }) : reply.send({ status: 'ok' }),
    });
    app.route({
      method: 'GET',
      url: '/metrics',
      schema: { hide: true },
      handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
    });
    app.route({ method: 'GET', url: '/openapi.json', schema: { hide: true }, handler: async () => app.swagger() });
  };
}
