import type { FastifyRequest } from 'fastify';

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns the session id of a request for the log. Values that cannot be ids are not logged. */
export function sessionFact({ params }: FastifyRequest): { readonly session?: string } {
  const { id } = (params ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && SESSION_ID.test(id) ? { session: id } : {};
}
