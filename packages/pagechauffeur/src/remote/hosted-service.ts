import { DriverUnsupportedFeatureError, RemoteApiError, RemoteSessionNotFoundError } from '../errors.ts';
import { isRecord } from '../util/is-record.ts';
import { requestPlatform, type PlatformAccess } from './platform-request.ts';
import type { RemoteService } from './remote-service.ts';
import type { RemoteSession } from './remote-session.ts';
import type { ServiceRequest, ServiceShape } from './service-shape.ts';

type Answer = Readonly<Record<string, unknown>>;

/** `answer` is the response that created or found the session. Some services need it for the release. */
interface HostedSession extends RemoteSession {
  readonly answer: Answer;
}

/** Client of a third-party browser service, whose API a {@link ServiceShape} describes. */
export class HostedService implements RemoteService {
  readonly hasLinks = false;
  readonly #shape: ServiceShape;
  readonly #access: PlatformAccess;

  constructor(shape: ServiceShape, { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string }) {
    this.#shape = shape;
    this.#access = { baseUrl, apiKey, service: shape.name, headers: shape.headers(apiKey) };
  }

  async create(parameters: { readonly keepAlive?: unknown }, signal: AbortSignal): Promise<HostedSession> {
    const answer = await this.#ask(this.#shape.create({ ...parameters }, this.#access.apiKey), signal);
    return this.#session(answer, { keepAlive: parameters.keepAlive === true, signal });
  }

  async find(id: string, signal?: AbortSignal): Promise<HostedSession> {
    const request = this.#shape.find(id);
    if (!request)
      throw new RemoteSessionNotFoundError(
        `${this.#shape.name} cannot find sessions by id. Pass the DevTools URL as remoteBaseURL, with remoteService 'cdp'.`,
      );
    const answer = await this.#ask(request, signal).catch((error: unknown) => this.#unlessMissing(id, error));
    const session = await this.#session(answer, { keepAlive: answer['keepAlive'] === true, signal });
    if (session.isRunning) return session;
    throw new RemoteSessionNotFoundError(`Session ${id} of ${this.#shape.name} has ended.`);
  }

  /**
   * Changes only the local object, because services cannot change this setting of a running session. The driver reads
   * it to decide whether to release the session on close.
   */
  async keepAlive(session: RemoteSession, keepAlive: boolean): Promise<RemoteSession> {
    return { ...session, keepAlive };
  }

  async release(session: RemoteSession): Promise<void> {
    const { id } = session;
    try {
      await this.#ask(this.#shape.release(id, 'answer' in session ? (session.answer as Answer) : {}));
    } catch (error) {
      // A session that has already ended needs no release.
      if (!isMissing(error)) throw error;
    }
  }

  async download(): Promise<string> {
    throw new DriverUnsupportedFeatureError(
      `Cannot fetch downloads from ${this.#shape.name}. The files stay with the service: get them with its own API.`,
    );
  }

  async #session(
    answer: Answer,
    { keepAlive, signal }: { readonly keepAlive: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<HostedSession> {
    const { id, ...details } = this.#shape.read(answer, this.#access.apiKey);
    if (id === undefined)
      throw new RemoteApiError(
        `${this.#shape.name} returned no session. Check that remoteBaseURL points to this service.`,
      );
    const debugUrl = details.debugUrl ?? (await this.#debugUrl(id, signal));
    return { ...details, id, debugUrl, keepAlive, endReason: undefined, answer };
  }

  /** Returns `undefined` if the request fails, because the session works without a debug URL. */
  async #debugUrl(id: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const request = this.#shape.debug?.(id);
    if (!request) return undefined;
    try {
      return this.#shape.readDebug?.(await this.#ask(request, signal));
    } catch (error) {
      if (error instanceof RemoteApiError) return undefined;
      throw error;
    }
  }

  async #ask(request: ServiceRequest, signal?: AbortSignal): Promise<Answer> {
    const isRepeatable = request.method === 'GET';
    const response = await requestPlatform(this.#access, { ...request, isRepeatable, ...(signal ? { signal } : {}) });
    const answer = parsed(await response.text());
    return isRecord(answer) ? answer : {};
  }

  #unlessMissing(id: string, error: unknown): never {
    if (!isMissing(error)) throw error;
    throw new RemoteSessionNotFoundError(`${this.#shape.name} has no session ${id} for this API key.`, {
      cause: error,
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof RemoteApiError && (error.status === 404 || error.status === 410);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. `create` and `find` report that the response contains no session.
    return undefined;
  }
}
