import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { ViewAccess } from '../view/view-access.ts';

const byId = z.object({ id: z.uuid() });

/** Routes to sign in to the dashboard with an API key or the token of a link. Only dashboard pages may call them. */
export function viewRoutes(access: ViewAccess): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', async ({ headers }) => {
      if (!access.isOwnOrigin(headers))
        throw new PlatformError('forbidden', 'The dashboard does not accept requests from other sites.');
    });
    app.route({
      method: 'POST',
      url: '/v1/sign-in',
      schema: { hide: true, body: z.strictObject({ key: z.string().max(200) }) },
      handler: async (request, reply) =>
        reply
          .header('set-cookie', await access.signIn(request.body.key))
          .code(204)
          .send(),
    });
    app.route({
      method: 'POST',
      url: '/v1/sign-out',
      schema: { hide: true },
      handler: async (_request, reply) => reply.header('set-cookie', access.signOut()).code(204).send(),
    });
    app.route({
      method: 'POST',
      url: '/v1/sessions/:id/view',
      schema: { hide: true, params: byId, body: z.strictObject({ token: z.string().max(1000) }) },
      handler: async (request, reply) => {
        const cookie = await access.openLink(request.params.id, request.body.token);
        return reply.header('set-cookie', cookie).code(204).send();
      },
    });
  };
}
