import type { IncomingMessage } from 'node:http';
import { Connection } from 'pagechauffeur/internal';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { Peers } from '../servers/peers.ts';
import { createParameters, type CreateParameters } from '../sessions/create-parameters.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { SessionRecords } from '../store/session-records.ts';
import type { KeyRow, SessionRow } from '../store/store.ts';
import { keyOf } from './authenticate.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { sessionView, type SessionViews, timestamp } from './session-view.ts';

const SECOND_MS = 1000;
const CONNECT_MS = 10_000;
const MAX_SESSIONS = 100;
const MAX_EVENTS = 500;
const PREFIX = '/browserbase';
const PATH = `${PREFIX}/v1/sessions`;

const { viewport, keepAlive, region, metadata } = createParameters.shape;

/** Supported Browserbase options. Others are rejected by name. */
const createBody = z.strictObject({
  projectId: z.string().optional(),
  keepAlive,
  region,
  /** In seconds. */
  timeout: z.number().int().min(60).max(21_600).optional(),
  userMetadata: metadata,
  browserSettings: z.strictObject({ viewport }).optional(),
  proxies: z
    .array(
      z.strictObject({
        type: z.literal('external'),
        server: z.string(),
        username: z.string().optional(),
        password: z.string().optional(),
      }),
    )
    .max(1)
    .optional(),
});
const updateBody = z.strictObject({ projectId: z.string().optional(), status: z.literal('REQUEST_RELEASE') });
const byId = z.object({ id: z.string() });

type App = Parameters<FastifyPluginAsyncZod>[0];

interface RouteParts {
  readonly sessionManager: SessionManager;
  readonly views: SessionViews;
  readonly records: SessionRecords;
  readonly peers: Peers;
}

/**
 * Maps the path of a Browserbase client to our Browserbase routes. The `x-bb-api-key` header identifies these clients.
 */
export function browserbasePath({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  return headers['x-bb-api-key'] !== undefined && url.startsWith('/v1/') ? PREFIX + url : url;
}

/** Browserbase-compatible routes for the platform's sessions. */
export function browserbaseRoutes(parts: RouteParts): FastifyPluginAsyncZod {
  return async (app) => {
    addCreate(app, parts);
    addList(app, parts);
    addOne(app, parts);
    addRelease(app, parts);
    addDebug(app, parts);
    addLogs(app, parts);
  };
}

function addCreate(app: App, { sessionManager, views, peers }: RouteParts): void {
  app.route({
    method: 'POST',
    url: PATH,
    config: { scope: 'sessions:write', atFreeServer: true },
    schema: { hide: true, body: createBody },
    handler: async (request, reply) => {
      const key = keyOf(request);
      checkProject(request.body, key);
      const parameters = parametersOf(request.body);
      const created = await sessionManager.create({
        key,
        parameters,
        idempotencyKey: undefined,
        signal: disconnectSignal(reply),
        ...peers.placing(request, reply),
      });
      return created ? reply.code(201).send(shown(views, created.row, key)) : reply;
    },
  });
}

function addList(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'GET',
    url: PATH,
    config: { scope: 'sessions:read' },
    schema: { hide: true, querystring: z.object({ status: sessionView.shape.status.optional() }) },
    handler: async (request) => {
      const key = keyOf(request);
      const { status } = request.query;
      const rows = await sessionManager.list({ project: key.project, status, limit: MAX_SESSIONS, before: undefined });
      return rows.map((row) => shown(views, row, key));
    },
  });
}

function addOne(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'GET',
    url: `${PATH}/:id`,
    config: { scope: 'sessions:read' },
    schema: { hide: true, params: byId },
    handler: async (request) => {
      const key = keyOf(request);
      return shown(views, await sessionManager.find(key.project, request.params.id), key);
    },
  });
}

function addRelease(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'POST',
    url: `${PATH}/:id`,
    config: { scope: 'sessions:write', atOwner: true },
    schema: { hide: true, params: byId, body: updateBody },
    handler: async (request) => {
      const key = keyOf(request);
      checkProject(request.body, key);
      const { status } = request.body;
      return shown(views, await sessionManager.update(key.project, request.params.id, { status }), key);
    },
  });
}

function addDebug(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'GET',
    url: `${PATH}/:id/debug`,
    config: { scope: 'sessions:write', atOwner: true },
    schema: { hide: true, params: byId },
    handler: async (request) => {
      const key = keyOf(request);
      const { id } = request.params;
      const { debugUrl, connectUrl } = views.show(await sessionManager.find(key.project, id), key);
      const session = sessionManager.live.get(id);
      if (!session || debugUrl === undefined) throw await sessionManager.sessionUnavailable(id);
      const addresses = { debuggerUrl: debugUrl, debuggerFullscreenUrl: debugUrl };
      const pages = await pagesOf(session.browser.url);
      return { ...addresses, wsUrl: connectUrl, pages: pages.map((page) => ({ ...page, ...addresses })) };
    },
  });
}

function addLogs(app: App, { sessionManager, records }: RouteParts): void {
  app.route({
    method: 'GET',
    url: `${PATH}/:id/logs`,
    config: { scope: 'sessions:read' },
    schema: { hide: true, params: byId },
    handler: async (request) => {
      const { id } = request.params;
      await sessionManager.find(keyOf(request).project, id);
      const events = await records.events(id, 0, MAX_EVENTS);
      return events.map(({ time, body }) => {
        const { kind, ...params } = JSON.parse(body) as { kind: string };
        return {
          method: kind,
          pageId: 0,
          sessionId: id,
          timestamp: time,
          request: { timestamp: time, params, rawBody: '' },
        };
      });
    },
  });
}

function checkProject({ projectId }: { readonly projectId?: string | undefined }, { project }: KeyRow): void {
  if (projectId !== undefined && projectId !== project)
    throw new PlatformError('forbidden', `projectId: this key belongs to the project ${project}.`);
}

function parametersOf({
  timeout,
  userMetadata,
  browserSettings,
  proxies,
  ...same
}: z.output<typeof createBody>): CreateParameters {
  const { projectId: _projectId, ...rest } = same;
  const { type: _type, ...proxy } = proxies?.[0] ?? {};
  const parameters = {
    ...rest,
    ...(timeout === undefined ? {} : { timeout: timeout * SECOND_MS }),
    ...(userMetadata ? { metadata: userMetadata } : {}),
    ...(browserSettings?.viewport ? { viewport: browserSettings.viewport } : {}),
    ...(proxies?.[0] ? { proxy } : {}),
  };
  const checked = createParameters.safeParse(parameters);
  if (checked.success) return checked.data;
  throw new PlatformError('invalid_request', checked.error.issues.map(({ message }) => message).join('; '));
}

function shown(views: SessionViews, row: SessionRow, key: KeyRow): object {
  const { metadata: userMetadata, sessionUrl: _sessionUrl, debugUrl: _debugUrl, ...same } = views.show(row, key);
  const at = timestamp(row.endedAt ?? row.createdAt);
  return {
    ...same,
    userMetadata,
    projectId: row.project,
    startedAt: same.createdAt,
    updatedAt: at,
    proxyBytes: 0,
  };
}

async function pagesOf(
  url: string,
): Promise<readonly { id: string; title: string; url: string; faviconUrl: string }[]> {
  const connection = await Connection.open(url, { signal: AbortSignal.timeout(CONNECT_MS) });
  try {
    const { targetInfos } = await connection.browser.send('Target.getTargets');
    return targetInfos
      .filter(({ type }) => type === 'page')
      .map(({ targetId: id, title, url: address }) => ({ id, title, url: address, faviconUrl: '' }));
  } finally {
    connection.close();
  }
}
