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

/** What people call the parts of a request. */
const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', headers: 'headers' };

interface Issue {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

/** Answers a request that failed. What is not meant for its sender goes to the log alone. */
export function replyWithError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const told = asPlatformError(error);
  // An answer with a retry time is not a failure: the log has one line for the part that is away.
  if (told.status >= 500 && told.retryAfter === undefined)
    request.log.error({ err: error, requestId: request.id, ...sessionFact(request) }, 'request failed');
  // What fails before there is a route has none of its hooks.
  reply.header('x-request-id', request.id);
  if (told.retryAfter !== undefined) reply.header('retry-after', told.retryAfter);
  if (told.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.code(told.status).send({ error: { code: told.code, message: told.message, requestId: request.id } });
}

/** Answers a request for a path that there is not. */
export function replyNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const message = 'There is nothing at this path; GET /openapi.json lists what there is.';
  reply.code(404).send({ error: { code: 'not_found', message, requestId: request.id } });
}

function asPlatformError(error: FastifyError): PlatformError {
  if (error instanceof PlatformError) return error;
  if (hasZodFastifySchemaValidationErrors(error))
    return new PlatformError('invalid_request', sentencesOf(error.validation, PARTS[error.validationContext ?? '']));
  const code = CODE_BY_STATUS[error.statusCode ?? 500];
  return code ? new PlatformError(code, error.message) : new PlatformError('internal', 'The server failed.');
}

/** Each once: several rules of one field may say the same. */
function sentencesOf(issues: readonly Issue[], whole: string = 'body'): string {
  const sentences = issues.map(({ instancePath, message }) => {
    const place = instancePath.slice(1).replaceAll('/', '.');
    return `${place === '' ? whole : place}: ${message ?? 'is not valid'}`;
  });
  return [...new Set(sentences)].join('; ');
}
