import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { PlatformMetrics } from '../metrics.ts';

/** Routes for which no key is needed: whether the server lives, its figures, its interface. */
export function openRoutes({ metrics }: { readonly metrics: PlatformMetrics }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    );
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  };
}
