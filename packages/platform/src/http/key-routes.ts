import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { type KeyRow, type Scope, SCOPES } from '../store/store.ts';
import { keyOf } from './authenticate.ts';
import { timestamp } from './session-view.ts';

const DAY_MS = 24 * 3600 * 1000;
const LONGEST_OVERLAP_MS = 30 * DAY_MS;
/** 100 years. */
const LONGEST_KEY_MS = 36_500 * DAY_MS;

const keyView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
});

const newKey = z.strictObject({
  name: z.string().min(1).max(100),
  scopes: z.array(z.enum(SCOPES)).min(1),
  /** Lifetime of the key in milliseconds. Default: it expires with the key that creates it. */
  timeout: z.number().int().min(1000).max(LONGEST_KEY_MS).optional(),
});

const shownOnce = keyView.extend({ key: z.string() });
const rotation = z.strictObject({
  /** How long the old key stays valid, in milliseconds. */
  overlap: z.number().int().min(0).max(LONGEST_OVERLAP_MS).default(DAY_MS),
  timeout: newKey.shape.timeout,
});
const byId = z.object({ id: z.string().max(64) });

type App = Parameters<FastifyPluginAsyncZod>[0];

/** Routes to create, list, rotate and revoke keys of the caller's project. */
export function keyRoutes(keys: KeyRing): FastifyPluginAsyncZod {
  return async (app) => {
    addRotate(app, keys);
    app.route({
      method: 'POST',
      url: '/v1/keys',
      config: { scope: 'keys' },
      schema: { summary: 'Creates a key.', body: newKey, response: { 201: shownOnce } },
      handler: async (request, reply) => {
        const own = keyOf(request);
        const { name, scopes, timeout } = request.body;
        checkScopes(own, scopes);
        const expiresAt = endOf(own, timeout);
        const { row, text } = await keys.create({ project: own.project, name, scopes, expiresAt });
        return reply.code(201).send({ ...viewOf(row), key: text });
      },
    });
    app.route({
      method: 'GET',
      url: '/v1/keys',
      config: { scope: 'keys' },
      schema: { summary: 'Lists the keys of the project.', response: { 200: z.object({ keys: z.array(keyView) }) } },
      handler: async (request) => ({ keys: (await keys.list(keyOf(request).project)).map(viewOf) }),
    });
    app.route({
      method: 'DELETE',
      url: '/v1/keys/:id',
      config: { scope: 'keys' },
      schema: { summary: 'Revokes a key.', params: byId },
      handler: async (request, reply) => {
        await keys.revoke(keyOf(request).project, request.params.id);
        return reply.code(204).send();
      },
    });
  };
}

function addRotate(app: App, keys: KeyRing): void {
  app.route({
    method: 'POST',
    url: '/v1/keys/:id/rotate',
    config: { scope: 'keys' },
    schema: {
      summary: 'Creates a key that replaces another. The old key stays valid for `overlap` milliseconds.',
      params: byId,
      body: rotation,
      response: { 201: shownOnce },
    },
    handler: async (request, reply) => {
      const own = keyOf(request);
      const { overlap, timeout } = request.body;
      const { row, text } = await keys.rotate({
        project: own.project,
        id: request.params.id,
        overlap,
        expiresAt: endOf(own, timeout),
        isAllowed: ({ scopes }) => checkScopes(own, scopes),
      });
      return reply.code(201).send({ ...viewOf(row), key: text });
    },
  });
}

function checkScopes(own: KeyRow, scopes: readonly Scope[]): void {
  const beyond = scopes.filter((scope) => !own.scopes.includes(scope));
  if (beyond.length > 0)
    throw new PlatformError('forbidden', `This key cannot grant scopes it does not have: ${beyond.join(', ')}.`);
}

/** A new key expires no later than the key that creates it. */
function endOf({ expiresAt }: KeyRow, timeout: number | undefined): number | undefined {
  const end = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, Date.now() + (timeout ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(end) ? end : undefined;
}

function viewOf({ id, name, scopes, createdAt, expiresAt, revokedAt }: KeyRow): z.output<typeof keyView> {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: timestamp(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: timestamp(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: timestamp(revokedAt) }),
  };
}
