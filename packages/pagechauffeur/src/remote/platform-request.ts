import { setTimeout as pause } from 'node:timers/promises';
import { RemoteApiError, RemoteQuotaError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import { loggableUrl } from '../util/loggable-url.ts';

export interface PlatformAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Name of a third-party service for error messages. */
  readonly service?: string;
  /** Authentication headers that replace `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /**
   * Timeouts of the three attempts in ms, because a load balancer may choose a server that does not respond. Default:
   * none.
   */
  readonly tryTimeouts?: readonly [number, number, number];
  /** Repeats the request if no response arrives, or status 502 or 504. Default: true. */
  readonly isRepeatable?: boolean;
}

/** Pauses between the attempts. */
const PAUSES_MS = [250, 1000];
/** A load balancer responds with these if it cannot reach the platform. */
const TRANSIENT_STATUSES: readonly number[] = [502, 504];
const DEFAULT_RETRY_AFTER_S = 5;

/**
 * Sends a request, up to three times if the platform does not respond.
 * @throws RemoteApiError if the platform rejects the request or is unreachable.
 * @throws RemoteQuotaError if the status is 429 or 503; `retryAfter` is the time to wait in ms.
 */
export async function requestPlatform(access: PlatformAccess, request: PlatformRequest): Promise<Response> {
  const pauses = request.isRepeatable === false ? [] : PAUSES_MS;
  for (const [index, ms] of pauses.entries()) {
    const response = await send(access, request, index).catch((error: unknown) => unlessAborted(request, error));
    if (response && !TRANSIENT_STATUSES.includes(response.status)) return accepted(access, response);
    await pause(ms, undefined, request.signal ? { signal: request.signal } : {});
  }
  try {
    return await accepted(access, await send(access, request, pauses.length));
  } catch (error) {
    if (error instanceof RemoteApiError || request.signal?.aborted) throw error;
    const { baseUrl, service } = access;
    const start = service === undefined ? 'Start one with `npx pagechauffeur-platform`, or pass' : 'Pass';
    throw new RemoteApiError(
      `Cannot reach ${service ?? 'the platform'} at ${loggableUrl(baseUrl)}: ${causeOf(error)}. ${start} its URL as remoteBaseURL or REMOTE_API_URL.`,
      { cause: error },
    );
  }
}

function send(
  { baseUrl, apiKey, headers: own }: PlatformAccess,
  request: PlatformRequest,
  index: number,
): Promise<Response> {
  const { method, path, body, headers = {}, tryTimeouts } = request;
  const tryTimeout = tryTimeouts?.[index];
  const limits = [request.signal, tryTimeout === undefined ? undefined : AbortSignal.timeout(tryTimeout)];
  const signals = limits.filter((limit) => limit !== undefined);
  return fetch(baseUrl + path, {
    method,
    headers: {
      ...headers,
      ...(own ?? { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    // A redirect could send the key to another server.
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
  });
}

function unlessAborted({ signal }: PlatformRequest, error: unknown): undefined {
  if (signal?.aborted) throw error;
}

async function accepted({ service = 'The platform' }: PlatformAccess, response: Response): Promise<Response> {
  if (response.ok) return response;
  const { status } = response;
  const { message, requestId } = await refusalOf(response);
  const rejection = `${service} rejected the request (${status}): ${message}`;
  if (status !== 429 && status !== 503) throw new RemoteApiError(rejection, { status, requestId });
  const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_RETRY_AFTER_S);
  const retryAfter = 1000 * (Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_AFTER_S);
  throw new RemoteQuotaError(rejection, { status, requestId, retryAfter });
}

async function refusalOf(response: Response): Promise<{ message: string; requestId: string | undefined }> {
  const body = parsed(await response.text());
  const whole = isRecord(body) ? body : {};
  const error = isRecord(whole['error']) ? whole['error'] : whole;
  const { message = response.statusText, requestId } = error;
  const id = requestId ?? response.headers.get('x-request-id');
  return { message: String(message), requestId: typeof id === 'string' ? id : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Load balancers respond in other formats. The status is enough.
    return undefined;
  }
}

/** `fetch` puts the reason into the cause of its error. */
function causeOf(error: unknown): string {
  return reasonOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}
