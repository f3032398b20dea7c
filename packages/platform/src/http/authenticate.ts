import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { KeyRow, Scope } from '../store/store.ts';
import type { ViewAccess } from '../view/view-access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key: KeyRow | undefined;
    /** True if the sender may control the browsers of its sessions as operator. */
    mayControl: boolean;
  }
  interface FastifyContextConfig {
    /** The scope that the key needs. */
    scope?: Scope;
    /** True if a link with control permission is sufficient instead of the scope. */
    orOperator?: boolean;
  }
}

interface KeyParts {
  readonly keys: KeyRing;
  readonly access: ViewAccess;
  readonly rates: RequestRates;
}

/**
 * Requires an API key with the route's scope before the body is read. Dashboard
 * pages send a cookie instead.
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
      throw new PlatformError('forbidden', `This key lacks the scope ${scope ?? 'that this route needs'}.`);
    request.key = key;
    request.mayControl = viewer?.mayControl ?? key.scopes.includes('sessions:write');
  });
}

/** Returns the API key of a request. */
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

/** Never in the URL: URLs end up in logs. */
function keyText({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  // Browserbase clients send the second header.
  const own = headers['x-api-key'] ?? headers['x-bb-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
