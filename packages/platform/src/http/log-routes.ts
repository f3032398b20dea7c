import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { SessionRecords } from '../store/session-records.ts';
import { keyOf } from './authenticate.ts';
import { timestamp } from './session-view.ts';

const MAX_EVENTS_PER_REQUEST = 100;
const MAX_BODY_BYTES = 1024 * 1024;
const count = z.number().int().min(0).max(1e12);

/** One driver call. Drivers truncate long strings, so longer ones are rejected. */
const event = z.strictObject({
  kind: z.enum(['act', 'observe', 'extract', 'agent', 'navigate', 'note']),
  /** Instruction or URL. */
  title: z.string().max(2000),
  /** Result or error message. */
  outcome: z.string().max(4000),
  isFailed: z.boolean(),
  effect: z.string().max(100).optional(),
  cacheStatus: z.enum(['HIT', 'MISS']).optional(),
  modelCalls: count.optional(),
  promptTokens: count.optional(),
  completionTokens: count.optional(),
  milliseconds: count.optional(),
  /** End of the call, by the client's clock. */
  time: z.iso.datetime(),
});
const shownEvent = event.extend({ number: z.number().int() });

const byId = z.object({ id: z.string() });
const query = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

interface LogParts {
  readonly sessionManager: SessionManager;
  readonly records: SessionRecords;
}

/** Routes to add and read events in a session's log. */
export function logRoutes({ sessionManager, records }: LogParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/sessions/:id/logs',
      config: { scope: 'sessions:write' },
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        summary: 'Adds events to a session.',
        params: byId,
        body: z.strictObject({ events: z.array(event).min(1).max(MAX_EVENTS_PER_REQUEST) }),
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        await sessionManager.find(keyOf(request).project, id);
        const rows = request.body.events.map(({ time, ...rest }) => ({
          time: Date.parse(time),
          body: JSON.stringify(rest),
        }));
        await records.addEvents(id, rows);
        return reply.code(204).send();
      },
    });
    app.route({
      method: 'GET',
      url: '/v1/sessions/:id/logs',
      config: { scope: 'sessions:read' },
      schema: {
        summary: 'Returns the events of a session, oldest first.',
        params: byId,
        querystring: query,
        response: { 200: z.object({ events: z.array(shownEvent) }) },
      },
      handler: async (request) => {
        const { id } = request.params;
        await sessionManager.find(keyOf(request).project, id);
        const { after, limit } = request.query;
        const rows = await records.events(id, after, limit);
        const events = rows.map(({ number, time, body }) => ({
          ...(JSON.parse(body) as Omit<z.output<typeof event>, 'time'>),
          number,
          time: timestamp(time),
        }));
        return { events };
      },
    });
  };
}
