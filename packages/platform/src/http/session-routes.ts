import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createParameters, updateParameters } from '../sessions/create-parameters.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { PlatformError } from '../errors.ts';
import type { Peers } from '../servers/peers.ts';
import { keyOf } from './authenticate.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { sessionView, type SessionViews, timestamp } from './session-view.ts';

/** Does not validate the format, so that an invalid id gets `session_not_found`. */
const byId = z.object({ id: z.string() });
const idempotency = z.object({ 'idempotency-key': z.string().min(1).max(255).optional() });
const query = z.strictObject({
  status: sessionView.shape.status.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
});

const downloadQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(1000) });
const downloadView = z.object({
  /** Last part of the URL to fetch the file. `fileName` is the name that Chromium suggests. */
  name: z.string(),
  fileName: z.string(),
  size: z.number(),
  state: z.enum(['inProgress', 'completed', 'canceled']),
  startedAt: z.string(),
});
const downloadsView = z.object({
  downloads: z.array(downloadView),
  /** True if the caller may fetch the files. */
  mayFetch: z.boolean(),
});

type App = Parameters<FastifyPluginAsyncZod>[0];

interface RouteParts {
  readonly sessionManager: SessionManager;
  readonly views: SessionViews;
  readonly peers: Peers;
}

/** Routes to create, list, get, update and end sessions, and to fetch their downloads. */
export function sessionRoutes(parts: RouteParts): FastifyPluginAsyncZod {
  return async (app) => {
    addCreate(app, parts);
    addList(app, parts);
    addOne(app, parts);
    addUpdate(app, parts);
    addDownloads(app, parts);
    addDownload(app, parts);
  };
}

function addCreate(app: App, { sessionManager, views, peers }: RouteParts): void {
  app.route({
    method: 'POST',
    url: '/v1/sessions',
    config: { scope: 'sessions:write', atFreeServer: true },
    schema: {
      summary: 'Creates a session.',
      body: createParameters,
      headers: idempotency,
      response: { 200: sessionView, 201: sessionView },
    },
    handler: async (request, reply) => {
      const key = keyOf(request);
      const created = await sessionManager.create({
        key,
        parameters: request.body,
        idempotencyKey: request.headers['idempotency-key'],
        signal: disconnectSignal(reply),
        ...peers.placing(request, reply),
      });
      if (!created) return reply;
      return reply.code(created.isNew ? 201 : 200).send(views.show(created.row, key));
    },
  });
}

function addList(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions',
    config: { scope: 'sessions:read' },
    schema: {
      summary: 'Lists the sessions of the project, newest first.',
      querystring: query,
      response: { 200: z.object({ sessions: z.array(sessionView), nextCursor: z.string().optional() }) },
    },
    handler: async (request) => {
      const key = keyOf(request);
      const { status, limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await sessionManager.list({ project: key.project, status, limit, before });
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        sessions: rows.map((row) => views.show(row, key)),
        ...(last ? { nextCursor: `${last.createdAt}.${last.id}` } : {}),
      };
    },
  });
}

function addOne(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions/:id',
    config: { scope: 'sessions:read' },
    schema: { summary: 'Returns a session.', params: byId, response: { 200: sessionView } },
    handler: async (request) => {
      const key = keyOf(request);
      return views.show(await sessionManager.find(key.project, request.params.id), key);
    },
  });
}

function addUpdate(app: App, { sessionManager, views }: RouteParts): void {
  app.route({
    method: 'POST',
    url: '/v1/sessions/:id',
    config: { scope: 'sessions:write', atOwner: true },
    schema: {
      summary: 'Updates or ends a session.',
      params: byId,
      body: updateParameters,
      response: { 200: sessionView },
    },
    handler: async (request) => {
      const key = keyOf(request);
      return views.show(await sessionManager.update(key.project, request.params.id, request.body), key);
    },
  });
}

function addDownloads(app: App, { sessionManager }: RouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/downloads',
    config: { scope: 'sessions:read', atOwner: true },
    schema: {
      summary: 'Lists the most recent downloads of a session, oldest first.',
      params: byId,
      querystring: downloadQuery,
      response: { 200: downloadsView },
    },
    handler: async (request) => {
      const all = await sessionManager.downloads(keyOf(request).project, request.params.id);
      const downloads = all.slice(-request.query.limit);
      return {
        downloads: downloads.map((download) => ({ ...download, startedAt: timestamp(download.startedAt) })),
        mayFetch: request.mayControl,
      };
    },
  });
}

/** Responds with `application/octet-stream`: a browser must not render web content as a page of the platform. */
function addDownload(app: App, { sessionManager }: RouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/downloads/:name',
    config: { scope: 'sessions:write', orOperator: true, atOwner: true },
    schema: { summary: 'Returns a downloaded file.', params: byId.extend({ name: z.uuid() }) },
    handler: async (request, reply) => {
      const { id, name } = request.params;
      const file = await sessionManager.download(keyOf(request).project, id, name);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', 'attachment')
        .header('content-length', file.size)
        .send(file.content);
    },
  });
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const [, createdAt, id = ''] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(cursor) ?? [];
  if (createdAt === undefined) throw new PlatformError('invalid_request', 'cursor: pass nextCursor unchanged.');
  return { createdAt: Number(createdAt), id };
}
