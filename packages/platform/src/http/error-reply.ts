import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { type ErrorCode, PlatformError } from '../errors.ts';
import { sessionFact } from './log-facts.ts';

const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** How error messages name the parts of a request. */
const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', headers: 'headers' };

interface Issue {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

/** Sends an error response. Details of internal errors go only to the log. */
export function replyWithError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const platformError = asPlatformError(error);
  // Errors with `Retry-After` are temporary. An unreachable dependency is logged elsewhere.
  if (platformError.status >= 500 && platformError.retryAfter === undefined)
    request.log.error({ err: error, requestId: request.id, ...sessionFact(request) }, 'request failed');
  // Hooks do not run for failures before routing, so this header is set here.
  reply.header('x-request-id', request.id);
  if (platformError.retryAfter !== undefined) reply.header('retry-after', platformError.retryAfter);
  if (platformError.status === 401) reply.header('www-authenticate', 'Bearer');
  reply
    .code(platformError.status)
    .send({ error: { code: platformError.code, message: platformError.message, requestId: request.id } });
}

export function replyNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const message = 'There is nothing at this path. GET /openapi.json lists all routes.';
  reply.code(404).send({ error: { code: 'not_found', message, requestId: request.id } });
}

function asPlatformError(error: FastifyError): PlatformError {
  if (error instanceof PlatformError) return error;
  if (hasZodFastifySchemaValidationErrors(error))
    return new PlatformError('invalid_request', sentencesOf(error.validation, PARTS[error.validationContext ?? '']));
  const code = CODE_BY_STATUS[error.statusCode ?? 500];
  return code ? new PlatformError(code, error.message) : new PlatformError('internal', 'Internal server error.');
}

/** Several rules for one field may report the same message. Drops duplicates. */
function sentencesOf(issues: readonly Issue[], whole: string = 'body'): string {
  const sentences = issues.map(({ instancePath, message }) => {
    const field = instancePath.slice(1).replaceAll('/', '.');
    return `${field === '' ? whole : field}: ${message ?? 'is not valid'}`;
  });
  return [...new Set(sentences)].join('; ');
}
