import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { KeyRow, Scope } from '../store/store.ts';
import type { ViewAccess } from '../view/view-access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key: KeyRow | undefined;
    /** Whether who sends it may work in the browsers of its sessions by hand. */
    mayControl: boolean;
  }
  interface FastifyContextConfig {
    /** What the key of a request must be good for. */
    scope?: Scope;
    /** Whether a link with which one may take over is as good as that scope. */
    orOperator?: boolean;
  }
}

interface KeyParts {
  readonly keys: KeyRing;
  readonly access: ViewAccess;
  readonly rates: RequestRates;
}

/**
 * Has every route of an instance ask for a key that is good for the route's scope, before a body is read. Pages of the
 * dashboard bring a cookie in its place.
 */
export function requireKeys(app: FastifyInstance, { keys, access, rates }: KeyParts): void {
  app.decorateRequest('key', undefined);
  app.decorateRequest('mayControl', false);
  app.addHook('onRequest', async (request) => {
    const viewer = hasKey(request) ? undefined : await access.viewerOf(request, sessionIdOf(request));
    const key = viewer?.key ?? (await keys.authenticate(keyText(request)));
    rates.count(key.project);
    const { scope, orOperator = false } = request.routeOptions.config;
    const isOperator = orOperator && viewer?.mayControl === true;
    if (scope === undefined || (!isOperator && !key.scopes.includes(scope)))
      throw new PlatformError('forbidden', `This key has not the scope ${scope ?? 'that this needs'}.`);
    request.key = key;
    request.mayControl = viewer?.mayControl ?? key.scopes.includes('sessions:write');
  });
}

/** The key that a request came with. */
export function keyOf({ key }: FastifyRequest): KeyRow {
  if (!key) throw new PlatformError('unauthorized', 'A valid API key is required.');
  return key;
}

function hasKey({ headers }: FastifyRequest): boolean {
  return KEY_HEADERS.some((name) => headers[name] !== undefined);
}

const KEY_HEADERS = ['authorization', 'x-api-key', 'x-bb-api-key'];

function sessionIdOf({ params }: FastifyRequest): string | undefined {
  return (params as { readonly id?: string }).id;
}

/** Never in the address: addresses end up in logs. */
function keyText({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  // The second is what clients of Browserbase send.
  const own = headers['x-api-key'] ?? headers['x-bb-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
