import type { FastifyRequest } from 'fastify';

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The session that a request is about, as a fact for the log; what cannot be the id of one is not written down. */
export function sessionFact({ params }: FastifyRequest): { readonly session?: string } {
  const { id } = (params ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && SESSION_ID.test(id) ? { session: id } : {};
}
