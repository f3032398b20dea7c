import { QUESTION_KINDS } from 'pagechauffeur/internal';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { keyOf } from './authenticate.ts';

/**
 * How long a request waits for an answer, in milliseconds. Clients repeat the request, because load balancers limit its
 * duration.
 */
const WAIT_MS = 20_000;

const byQuestion = z.object({ id: z.string(), question: z.uuid() });
const asked = z.strictObject({
  /**
   * `question`: the agent needs a decision or a fact; all other kinds: something that only a person can do or provide.
   */
  kind: z.enum(QUESTION_KINDS),
  question: z.string().min(1).max(2000),
  /** URL of the page that the question is about. */
  url: z.string().max(4096),
});
const answer = z.object({
  status: z.enum(['open', 'answered', 'declined']),
  /** Missing unless the status is `answered`. */
  text: z.string().optional(),
});

/** Routes for questions that agents ask the operators of a session. */
export function questionRoutes(sessionManager: SessionManager): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'PUT',
      url: '/v1/sessions/:id/questions/:question',
      config: { scope: 'sessions:write', atOwner: true },
      schema: {
        summary:
          'Asks the operators of a session and waits for the answer. Repeat the request while the status is open.',
        params: byQuestion,
        body: asked,
        response: { 200: answer },
      },
      handler: async (request): Promise<z.output<typeof answer>> => {
        const { id, question } = request.params;
        const session = await liveSession(sessionManager, keyOf(request).project, id);
        session.touch();
        const ended = session.questions.ask({ id: question, ...request.body });
        if (!ended)
          throw new PlatformError(
            'quota_exceeded',
            'This session has too many open questions. Wait until one is answered, or withdraw one.',
            { retryAfter: 5 },
          );
        return (await within(WAIT_MS, ended)) ?? { status: 'open' };
      },
    });
    app.route({
      method: 'DELETE',
      url: '/v1/sessions/:id/questions/:question',
      config: { scope: 'sessions:write', atOwner: true },
      schema: { summary: 'Withdraws a question, or confirms that its answer has arrived.', params: byQuestion },
      handler: async (request, reply) => {
        const { id, question } = request.params;
        (await liveSession(sessionManager, keyOf(request).project, id)).questions.withdraw(question);
        return reply.code(204).send();
      },
    });
  };
}

async function liveSession(sessionManager: SessionManager, project: string, id: string): Promise<LiveSession> {
  await sessionManager.find(project, id);
  await sessionManager.settled(id);
  const session = sessionManager.live.get(id);
  if (session?.row.status !== 'RUNNING') throw await sessionManager.sessionUnavailable(id);
  return session;
}

/** Resolves with `undefined` after `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms).unref();
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
