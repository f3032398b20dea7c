import type { FastifyRequest } from 'fastify';

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns the session id for the log. Omits values that cannot be ids. */
export function sessionFact({ params }: FastifyRequest): { readonly session?: string } {
  const { id } = (params ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && SESSION_ID.test(id) ? { session: id } : {};
}
