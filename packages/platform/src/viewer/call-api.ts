/** A request failed because nobody is signed in, or the link is no longer valid. */
export class NotSignedIn extends TypeError {}

/** A request failed for another reason. The message is the server's. */
class Refused extends TypeError {}

/** Calls the server and returns its JSON answer. Resolves with `undefined` if it is empty. */
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

/** Rejects with the server's message if a file is not available now. Ignores caches. */
export async function check(path: string): Promise<void> {
  await (await respond(path, { cache: 'no-store' })).body?.cancel();
}

async function respond(path: string, how: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...how, credentials: 'same-origin' });
  if (response.ok) return response;
  const told = await messageOf(response);
  throw response.status === 401 ? new NotSignedIn(told) : new Refused(told);
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } };
    return error?.message ?? response.statusText;
  } catch {
    // Load balancers answer in other formats.
    return `${response.status} ${response.statusText}`;
  }
}

/** A session as the server returns it. */
export interface ShownSession {
  readonly id: string;
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';
  readonly project: string;
  /** Id of the server that owns its browser, or owned it last. */
  readonly server: string;
  /** The Grid node of its browser. */
  readonly node?: string;
  readonly keepAlive: boolean;
  readonly region: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly endedAt?: string;
  readonly endReason?: string;
  /** Only for users who may change it. */
  readonly debugUrl?: string;
}

/** An event of a session. */
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

/** A download of a session. */
export interface ShownDownload {
  /** Name in the URL for fetching it. */
  readonly name: string;
  readonly fileName: string;
  readonly size: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
}

/** A file of a session. */
export interface ShownFile {
  readonly name: string;
  readonly size: number;
}
