import type { FastifyReply } from 'fastify';
import { PlatformError } from '../errors.ts';

/** Aborted when whoever asked is gone before the answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // Of the answer, not of the socket: that one serves many requests.
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new PlatformError('internal', 'The client has gone.'));
  });
  return gone.signal;
}
