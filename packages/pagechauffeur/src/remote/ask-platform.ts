import { setTimeout as pause } from 'node:timers/promises';
import { RemoteApiError, RemoteQuotaError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import { loggableUrl } from '../util/loggable-url.ts';

/** Which platform is asked, and as whom. */
export interface PlatformAccess {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What people call it, when it is not a platform of ours. */
  readonly service?: string;
  /** Carry the key in place of `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request; it is sent again when no answer came. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Timeouts of the three tries in milliseconds: a balancer may send a try to a server that has stopped answering. Default: none. */
  readonly tryTimeouts?: readonly [number, number, number];
  /** Default true. */
  readonly isRepeatable?: boolean;
}

/** Pauses before a request is sent again, in milliseconds: a server that is replaced is back, or another is asked. */
const PAUSES_MS = [250, 1000];
/** Answers of what stands before the platform, while that is not there. */
const PASSING_STATUSES: readonly number[] = [502, 504];
const DEFAULT_RETRY_AFTER_S = 5;

/** Sends a request and gives the answer. A refusal is a `RemoteApiError`; being told to come later a `RemoteQuotaError`. */
export async function askPlatform(access: PlatformAccess, request: PlatformRequest): Promise<Response> {
  const pauses = request.isRepeatable === false ? [] : PAUSES_MS;
  for (const [index, ms] of pauses.entries()) {
    const response = await send(access, request, index).catch((error: unknown) => unlessAborted(request, error));
    if (response && !PASSING_STATUSES.includes(response.status)) return accepted(access, response);
    await pause(ms, undefined, request.signal ? { signal: request.signal } : {});
  }
  try {
    return await accepted(access, await send(access, request, pauses.length));
  } catch (error) {
    if (error instanceof RemoteApiError || request.signal?.aborted) throw error;
    const { baseUrl, service } = access;
    const start = service === undefined ? 'Start one with `npx pagechauffeur-platform`, or give' : 'Give';
    throw new RemoteApiError(
      `${service ?? 'The platform'} at ${loggableUrl(baseUrl)} cannot be reached: ${causeOf(error)}. ${start} its address by remoteBaseURL or REMOTE_API_URL.`,
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
    // A key must not follow to where another server points.
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
  const told = `${service} refused the request (${status}): ${message}`;
  if (status !== 429 && status !== 503) throw new RemoteApiError(told, { status, requestId });
  const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_RETRY_AFTER_S);
  const retryAfter = 1000 * (Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_AFTER_S);
  throw new RemoteQuotaError(told, { status, requestId, retryAfter });
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
    // What stands before the platform answers in its own way; the status says enough.
    return undefined;
  }
}

/** `fetch` tells what went wrong in the cause of its error. */
function causeOf(error: unknown): string {
  return reasonOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}
