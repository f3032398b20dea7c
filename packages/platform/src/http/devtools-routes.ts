import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { keyOf } from './authenticate.ts';

/** Accepts only plain relative paths. Others could reach other endpoints of the browser's HTTP server. */
const FILE = /^(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)+$/;
/** The files do not change while the browser runs. */
const CACHING = 'private, max-age=3600';
/** DevTools uses inline styles and evaluates console input. Only pages of this server may frame it. */
const POLICY =
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'; form-action 'none'";

/** Serves the DevTools frontend to operators. */
export function devToolsRoutes(sessionManager: SessionManager): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/sessions/:id/devtools/*',
      config: { scope: 'sessions:read', atOwner: true },
      schema: { hide: true, params: z.object({ id: z.string(), '*': z.string() }) },
      handler: async (request, reply) => {
        const { id, '*': name } = request.params;
        await sessionManager.find(keyOf(request).project, id);
        if (!request.mayControl)
          throw new PlatformError('forbidden', 'This link is read-only. It does not allow DevTools.');
        const file = FILE.test(name) ? await sessionManager.live.get(id)?.browser.openDevTools(name) : undefined;
        if (!file) throw new PlatformError('not_found', 'There is no such file.');
        return reply
          .type(file.type)
          .header('cache-control', CACHING)
          .header('content-security-policy', POLICY)
          .send(file.content);
      },
    });
  };
}
