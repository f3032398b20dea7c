import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { type KeyRow, SCOPES } from '../store/store.ts';
import { keyOf } from './authenticate.ts';
import { timestamp } from './session-view.ts';

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
  /** Milliseconds from now. */
  timeout: z.number().int().min(1000).optional(),
});

/** Routes to make, list and end the keys of the project whose key is used. */
export function keyRoutes(keys: KeyRing): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/keys',
      config: { scope: 'keys' },
      schema: { summary: 'Makes a key.', body: newKey, response: { 201: keyView.extend({ key: z.string() }) } },
      handler: async (request, reply) => {
        const own = keyOf(request);
        const { name, scopes, timeout } = request.body;
        const beyond = scopes.filter((scope) => !own.scopes.includes(scope));
        if (beyond.length > 0)
          throw new PlatformError('forbidden', `This key cannot give what it has not: ${beyond.join(', ')}.`);
        const expiresAt = timeout === undefined ? undefined : Date.now() + timeout;
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
      schema: { summary: 'Ends a key for good.', params: z.object({ id: z.string().max(64) }) },
      handler: async (request, reply) => {
        await keys.revoke(keyOf(request).project, request.params.id);
        return reply.code(204).send();
      },
    });
  };
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
