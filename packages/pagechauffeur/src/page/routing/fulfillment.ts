import { readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { extname } from 'node:path';
import { headerEntries, type PausedRequest } from '../../cdp/network/paused-request.ts';
import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import type { Params } from '../../cdp/protocol.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkString, checkWholeNumber, describeValue } from '../../util/check-argument.ts';
import { reasonOf } from '../../util/error-facts.ts';

/** A response for `route.fulfill()`. Set at most one of `body`, `json` and `path`. */
export interface Answer {
  /** HTTP status from 100 to 599; default 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /**
   * Value of the `content-type` header. Default: `application/json` for `json`, by extension for `path`, `text/plain`
   * for a string.
   */
  contentType?: string;
  body?: string | Uint8Array;
  /** Value that is serialized as the body. */
  json?: unknown;
  /** File that is sent as the body. Relative paths start at the working directory. */
  path?: string;
}

type FulfillParams = Omit<Params<'Fetch.fulfillRequest'>, 'requestId'>;

const TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** Converts a response to the parameters of `Fetch.fulfillRequest`. */
export async function fulfillment(answer: Answer, request: PausedRequest): Promise<FulfillParams> {
  const { status = 200, contentType, headers: given = {} } = answer;
  checkWholeNumber('status', status, { least: 100, most: 599 });
  if (contentType !== undefined) checkString('contentType', contentType);
  const headers = lowerCased(checkHeaders(given, { isMessage: true }));
  const { bytes, type } = await content(answer);
  const ownType = contentType ?? headers['content-type'] ?? type;
  if (ownType !== undefined) headers['content-type'] = ownType;
  headers['content-length'] ??= String(bytes.length);
  return {
    responseCode: status,
    responsePhrase: STATUS_CODES[status] ?? 'Unknown',
    responseHeaders: headerEntries({ ...allowedOrigin(request), ...headers }),
    body: bytes.toString('base64'),
  };
}

/** CORS headers that let a page from another origin read the response. Headers in the answer override them. */
function allowedOrigin(request: PausedRequest): Record<string, string> {
  const origin = request.header('origin');
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}

/** Accepts a CORS preflight, so that the actual request reaches its handler. */
export function preflightAnswer(request: PausedRequest): FulfillParams {
  const headers = {
    ...allowedOrigin(request),
    'access-control-allow-methods': request.header('access-control-request-method') ?? '*',
    'access-control-allow-headers': request.header('access-control-request-headers') ?? '*',
  };
  return { responseCode: 204, responsePhrase: 'No Content', responseHeaders: headerEntries(headers), body: '' };
}

async function content({ body, json, path }: Answer): Promise<{ bytes: Buffer; type?: string }> {
  if ([body, json, path].filter((part) => part !== undefined).length > 1)
    throw new DriverInvalidArgumentError('Pass only one of body, json and path.', { argument: 'body' });
  if (json !== undefined) return { bytes: jsonBytes(json), type: 'application/json' };
  if (path !== undefined) return fileContent(path);
  if (body === undefined) return { bytes: Buffer.alloc(0) };
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain; charset=utf-8' };
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body) };
  throw new DriverInvalidArgumentError(`body must be a string or a Buffer. Received ${describeValue(body)}.`, {
    argument: 'body',
  });
}

function jsonBytes(json: unknown): Buffer {
  try {
    const text: unknown = JSON.stringify(json);
    if (typeof text === 'string') return Buffer.from(text);
  } catch (error) {
    throw notJson(json, error);
  }
  throw notJson(json);
}

function notJson(json: unknown, cause?: unknown): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(`json must be serializable as JSON. Received ${describeValue(json)}.`, {
    argument: 'json',
    cause,
  });
}

async function fileContent(path: string): Promise<{ bytes: Buffer; type: string }> {
  checkString('path', path);
  try {
    const bytes = await readFile(path);
    return { bytes, type: TYPE_BY_ENDING[extname(path).toLowerCase()] ?? 'application/octet-stream' };
  } catch (error) {
    throw new DriverInvalidArgumentError(`Cannot read the file ${path}: ${reasonOf(error)}.`, {
      argument: 'path',
      cause: error,
    });
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
