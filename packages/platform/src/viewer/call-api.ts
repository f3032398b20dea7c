/** HTTP 401: nobody is signed in, or the link has expired. */
export class NotSignedIn extends TypeError {}

/** Any other HTTP error. The message comes from the server. */
class Refused extends TypeError {}

/** Calls the server and returns the parsed JSON, or `undefined` for status 204. */
export async function callApi(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const isFile = body instanceof File;
  const response = await respond(path, {
    method,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(body === undefined || isFile ? {} : { headers: { 'content-type': 'application/json' } }),
  });
  return response.status === 204 ? undefined : response.json();
}

/** Requests a file and rejects with the server's message if the request fails. Bypasses the cache. */
export async function check(path: string): Promise<void> {
  await (await respond(path, { cache: 'no-store' })).body?.cancel();
}

async function respond(path: string, how: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...how, credentials: 'same-origin' });
  if (response.ok) return response;
  const errorMessage = await messageOf(response);
  throw response.status === 401 ? new NotSignedIn(errorMessage) : new Refused(errorMessage);
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } };
    return error?.message ?? response.statusText;
  } catch {
    // A load balancer may respond in another format.
    return `${response.status} ${response.statusText}`;
  }
}

/** A session as in `GET /v1/sessions/{id}`. */
export interface ShownSession {
  readonly id: string;
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';
  readonly project: string;
  /** Id of the server that runs the browser, or ran it last. */
  readonly server: string;
  /** Grid node that runs the browser. */
  readonly node?: string;
  readonly keepAlive: boolean;
  readonly region: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly endedAt?: string;
  readonly endReason?: string;
  /** Only while the session runs, and only for users whose key has `sessions:write`. */
  readonly debugUrl?: string;
}

export interface ShownEvent {
  readonly number: number;
  readonly time: string;
  readonly kind: string;
  readonly title: string;
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly effect?: string;
  readonly cacheStatus?: string;
  readonly modelCalls?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly milliseconds?: number;
}

export interface ShownDownload {
  /** Last part of the URL to fetch the file. */
  readonly name: string;
  readonly fileName: string;
  readonly size: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
}

export interface ShownFile {
  readonly name: string;
  readonly size: number;
}
