import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { KeyRow, Scope } from '../store/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key: KeyRow | undefined;
  }
  interface FastifyContextConfig {
    /** What the key of a request must be good for. */
    scope?: Scope;
  }
}

/** Has every route of an instance ask for a key that is good for the route's scope, before a body is read. */
export function requireKeys(app: FastifyInstance, keys: KeyRing): void {
  app.decorateRequest('key', undefined);
  app.addHook('onRequest', async (request) => {
    const key = await keys.authenticate(keyText(request));
    const { scope } = request.routeOptions.config;
    if (scope === undefined || !key.scopes.includes(scope))
      throw new PlatformError('forbidden', `This key has not the scope ${scope ?? 'that this needs'}.`);
    request.key = key;
  });
}

/** The key that a request came with. */
export function keyOf({ key }: FastifyRequest): KeyRow {
  if (!key) throw new PlatformError('unauthorized', 'A valid API key is required.');
  return key;
}

/** Never in the address: addresses end up in logs. */
function keyText({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const own = headers['x-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
