import type { FastifyReply } from 'fastify';
import { PlatformError } from '../errors.ts';
import { onAnswerEnd } from './answer-end.ts';

/** Returns a signal that aborts if the client disconnects before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  onAnswerEnd(reply, () => {
    if (!reply.raw.writableFinished)
      gone.abort(new PlatformError('client_closed', 'The client has closed its connection.'));
  });
  return gone.signal;
}
