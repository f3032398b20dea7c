import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { KeyRow, Scope } from '../store/store.ts';
import type { ViewAccess } from '../view/view-access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key: KeyRow | undefined;
    /** True if the caller may control browsers as an operator. */
    mayControl: boolean;
  }
  interface FastifyContextConfig {
    /** Scope that the API key must have. */
    scope?: Scope;
    /** Also accepts an operator link with control permission instead of the scope. */
    orOperator?: boolean;
  }
}

interface KeyParts {
  readonly keys: KeyRing;
  readonly access: ViewAccess;
  readonly rates: RequestRates;
}

/**
 * Authenticates every request before its body is read, by API key or by the cookie of a dashboard page. Checks the
 * route's scope.
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

/** Returns the authenticated key. Throws `unauthorized` if there is none. */
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

/** Does not accept keys in URLs, which end up in logs. */
function keyText({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  // Browserbase clients send `x-bb-api-key`.
  const own = headers['x-api-key'] ?? headers['x-bb-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
