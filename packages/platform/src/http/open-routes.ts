import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { PlatformMetrics } from '../metrics.ts';

/** Routes for which no key is needed: whether the server lives, its figures, its interface. */
export function openRoutes({ metrics }: { readonly metrics: PlatformMetrics }): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({ method: 'GET', url: '/healthz', schema: { hide: true }, handler: async () => ({ status: 'ok' }) });
    app.route({
      method: 'GET',
      url: '/metrics',
      schema: { hide: true },
      handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
    });
    app.route({ method: 'GET', url: '/openapi.json', schema: { hide: true }, handler: async () => app.swagger() });
  };
}
