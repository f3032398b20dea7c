/** A request was refused because nobody is signed in, or the link is not valid any more. */
export class NotSignedIn extends TypeError {}

/** A request was refused for another reason, in the words of the server. */
class Refused extends TypeError {}

/** Asks the server; the answer is its JSON, undefined when there is none. */
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

/** Fails with the words of the server when it does not give a file now, whatever was kept of it. */
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
    // What stands before the server answers in its own way.
    return `${response.status} ${response.statusText}`;
  }
}

/** A session as the server shows it. */
export interface ShownSession {
  readonly id: string;
  readonly status: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';
  readonly project: string;
  /** The number of the server that has its browser, or had it last. */
  readonly server: string;
  /** The node of a Grid that has its browser. */
  readonly node?: string;
  readonly keepAlive: boolean;
  readonly region: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly endedAt?: string;
  readonly endReason?: string;
  /** Only for who may change it. */
  readonly debugUrl?: string;
}

/** Something that happened in a session. */
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

/** A file that the browser of a session downloads. */
export interface ShownDownload {
  /** To fetch it by. */
  readonly name: string;
  readonly fileName: string;
  readonly size: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
}

/** A file that goes with a session. */
export interface ShownFile {
  readonly name: string;
  readonly size: number;
}
