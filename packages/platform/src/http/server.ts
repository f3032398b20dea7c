import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import swagger from '@fastify/swagger';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { CdpGateway } from '../gateway/cdp-gateway.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { PlatformMetrics } from '../metrics.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { MetricsAccess } from './metrics-access.ts';
import type { Peers } from '../servers/peers.ts';
import type { ServerLease } from '../servers/server-lease.ts';
import type { Store } from '../store/store.ts';
import { guardHandler } from '../guard-handler.ts';
import { requireKeys } from './authenticate.ts';
import type { Dashboard } from '../view/dashboard.ts';
import { browserbasePath, browserbaseRoutes } from './browserbase-routes.ts';
import { cacheRoutes } from './cache-routes.ts';
import { devToolsRoutes } from './devtools-routes.ts';
import { replyNotFound, replyWithError } from './error-reply.ts';
import { fileRoutes } from './file-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { logRoutes } from './log-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { forwardRequests } from './forward-requests.ts';
import { openRoutes } from './open-routes.ts';
import { questionRoutes } from './question-routes.ts';
import { boundRequestMemory } from './request-memory.ts';
import { spreadRequests } from './request-turns.ts';
import { capacityRoute } from './capacity-route.ts';
import { sessionFact } from './log-facts.ts';
import { sessionRoutes } from './session-routes.ts';
import type { SessionViews } from './session-view.ts';
import { viewRoutes } from './view-routes.ts';

export interface ServerParts {
  readonly sessionManager: SessionManager;
  readonly keys: KeyRing;
  readonly rates: RequestRates;
  readonly store: Store;
  readonly views: SessionViews;
  readonly gateway: CdpGateway;
  readonly metrics: PlatformMetrics;
  readonly metricsAccess: MetricsAccess;
  readonly peers: Peers;
  readonly lease: ServerLease;
  readonly dashboard: Dashboard;
  readonly log: FastifyBaseLogger;
}

/** Default limit. Most routes accept only a few parameters. */
const MAX_BODY_BYTES = 64 * 1024;

/** Time limits for the request head and for the whole request. The largest uploads have 16 MiB. */
const HEAD_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
const TIMEOUT_CHECK_MS = 5000;

/** Creates the HTTP and WebSocket server. The caller starts it with `listen`. */
export async function makeServer(parts: ServerParts): Promise<FastifyInstance> {
  const { gateway, log, keys, rates, sessionManager, store, views, peers, dashboard } = parts;
  const app = newServer(log);
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(replyNotFound);
  boundRequestMemory(app);
  spreadRequests(app);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onResponse', async (request, reply) => noteRequest(parts, request, reply));
  await app.register(swagger, {
    openapi: {
      info: { title: 'chauffeur platform', version: '1' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
      security: [{ bearer: [] }, { header: [] }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(openRoutes(parts));
  await app.register(capacityRoute(peers));
  await app.register(viewRoutes(dashboard.access));
  await app.register(pageRoutes);
  await app.register(async (withKeys) => {
    requireKeys(withKeys, { keys, access: dashboard.access, rates });
    forwardRequests(withKeys, peers);
    await withKeys.register(sessionRoutes({ sessionManager, views, peers }));
    await withKeys.register(keyRoutes(keys));
    await withKeys.register(cacheRoutes(store));
    await withKeys.register(logRoutes({ sessionManager, records: store.records }));
    await withKeys.register(questionRoutes(sessionManager));
    await withKeys.register(fileRoutes({ sessionManager, records: store.records }));
    await withKeys.register(browserbaseRoutes({ sessionManager, views, records: store.records, peers }));
    await withKeys.register(devToolsRoutes(sessionManager));
  });
  const guard = { name: 'upgrade', log: app.log, end: endSocket };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> =>
    peers.upgrade(request, socket, head, () =>
      (dashboard.gateway.takes(request) ? dashboard.gateway : gateway).upgrade(request, socket, head),
    );
  app.server.on('upgrade', guardHandler(guard, upgrade));
  return app;
}

function endSocket(_request: IncomingMessage, socket: Duplex, _head: Buffer): void {
  socket.destroy();
}

function newServer(log: FastifyBaseLogger): FastifyInstance {
  return fastify({
    loggerInstance: log,
    // Fastify's own log lines contain full URLs, which may contain tokens.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: browserbasePath,
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    // Parameters longer than the default of 100 characters still reach the route, which responds with its own error.
    routerOptions: { maxParamLength: 4096 },
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node.js applies the longer of `headersTimeout` and `requestTimeout` to the whole request.
    http: { headersTimeout: HEAD_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    connectionTimeout: 0,
    forceCloseConnections: true,
    return503OnClosing: false,
    // A request with a malformed URL reaches no route.
    frameworkErrors: replyWithError,
  });
}

function noteRequest(
  { log, metrics }: ServerParts,
  request: Parameters<typeof replyNotFound>[0],
  reply: Parameters<typeof replyNotFound>[1],
): void {
  const route = request.routeOptions.url ?? 'none';
  const facts = { method: request.method, route, status: reply.statusCode };
  metrics.noteRequest(facts, reply.elapsedTime);
  const shown = { ms: Math.round(reply.elapsedTime), requestId: request.id, key: request.key?.id };
  if (!UNLOGGED_ROUTES.includes(route)) log.info({ ...facts, ...shown, ...sessionFact(request) }, 'request');
}

/** Requests for these routes would fill the log. */
const UNLOGGED_ROUTES: readonly string[] = ['/metrics', '/healthz', '/readyz'];
