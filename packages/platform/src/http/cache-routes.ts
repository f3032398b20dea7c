import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { keyOf } from './authenticate.ts';

const DAY_MS = 24 * 3600 * 1000;
/** An entry expires this long after its last write. */
const LIFE_MS = 30 * DAY_MS;
const MAX_ENTRIES_PER_PROJECT = 10_000;
const MAX_VALUE_CHARACTERS = 512 * 1024;
/** JSON may escape a character with 6 bytes. */
const MAX_BODY_BYTES = 6 * MAX_VALUE_CHARACTERS + 1024;

const byName = z.object({ name: z.string().regex(/^[\w.-]{1,200}$/) });
const entry = z.strictObject({ value: z.string().max(MAX_VALUE_CHARACTERS) });

/** Routes for a shared result cache: text by name, separate for each project. */
export function cacheRoutes(store: Store): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/cache/:name',
      config: { scope: 'cache' },
      schema: { summary: 'Returns a cached result.', params: byName, response: { 200: entry } },
      handler: async (request) => {
        const found = await store.cacheEntry(keyOf(request).project, request.params.name, Date.now());
        if (!found) throw new PlatformError('not_found', 'There is no entry with this name.');
        return { value: found.value };
      },
    });
    app.route({
      method: 'PUT',
      url: '/v1/cache/:name',
      config: { scope: 'cache' },
      bodyLimit: MAX_BODY_BYTES,
      schema: { summary: 'Stores a result.', params: byName, body: entry },
      handler: async (request, reply) => {
        const { project } = keyOf(request);
        const row = { project, key: request.params.name, value: request.body.value, expiresAt: Date.now() + LIFE_MS };
        await store.putCacheEntry(row, MAX_ENTRIES_PER_PROJECT);
        return reply.code(204).send();
      },
    });
    app.route({
      method: 'DELETE',
      url: '/v1/cache/:name',
      config: { scope: 'cache' },
      schema: { summary: 'Removes a cached result.', params: byName },
      handler: async (request, reply) => {
        await store.removeCacheEntry(keyOf(request).project, request.params.name);
        return reply.code(204).send();
      },
    });
  };
}
