import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { PlatformMetrics } from '../metrics.ts';
import type { ServerLease } from '../servers/server-lease.ts';
import type { MetricsAccess } from './metrics-access.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

interface OpenParts {
  readonly metrics: PlatformMetrics;
  readonly metricsAccess: MetricsAccess;
  readonly sessionManager: Pick<SessionManager, 'isClosing'>;
  readonly lease: Pick<ServerLease, 'isHeld'>;
}

/** Routes that need no API key: health, readiness, metrics, API description. */
export function openRoutes({ metrics, metricsAccess, sessionManager, lease }: OpenParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/healthz',
      schema: { hide: true },
      handler: async () => ({ status: sessionManager.isClosing ? 'ending' : 'ok' }),
    });
    app.route({
      method: 'GET',
      url: '/readyz',
      schema: { hide: true },
      // An unreachable database or Grid does not make a server unready. Otherwise every server would be unready, and no
      // client would get a `Retry-After` header.
      handler: async (_request, reply) => {
        const status = sessionManager.isClosing ? 'ending' : lease.isHeld ? 'ready' : 'beginning';
        const parts = metrics.parts.map(({ part, isReachable }) => ({ part, isReachable }));
        return reply.code(status === 'ready' ? 200 : 503).send({ status, parts });
      },
    });
    app.route({
      method: 'GET',
      url: '/metrics',
      schema: { hide: true },
      handler: async ({ headers }, reply) => {
        const withProjects = metricsAccess.maySeeProjects(headers);
        return reply.type(metrics.contentType).send(await metrics.text({ withProjects }));
      },
    });
    let text: string | undefined;
    app.route({
      method: 'GET',
      url: '/openapi.json',
      schema: { hide: true },
      handler: async (_request, reply) => reply.type('application/json').send((text ??= JSON.stringify(app.swagger()))),
    });
  };
}
