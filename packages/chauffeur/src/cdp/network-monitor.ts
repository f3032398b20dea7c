import type { Protocol } from 'devtools-protocol';
import { Emitter } from '../util/emitter.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

/** One request of a page, as far as it has come. */
export interface NetworkRequest {
  readonly id: string;
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
  readonly type: Protocol.Network.ResourceType | undefined;
  /** What was sent, as the page's process knows it: method, headers, body. */
  readonly sent: Protocol.Network.Request;
  /** The request that was answered with a redirection to this one. */
  readonly redirectedFrom: NetworkRequest | undefined;
  readonly session: Session;
  /** When something was last heard of it, on `performance.now()`'s clock. */
  lastActivity: number;
  response?: Protocol.Network.Response;
  failure?: string;
}

interface NetworkEvents {
  started: NetworkRequest;
  response: NetworkRequest;
  /** Finished or failed. */
  ended: NetworkRequest;
}

/** What a page's frames are fetching. */
export class NetworkMonitor {
  readonly events: Emitter<NetworkEvents> = new Emitter();
  readonly #inFlight = new Map<string, NetworkRequest>();
  readonly #documentByLoader = new Map<string, NetworkRequest>();

  /** Lets a session report its requests from now on. */
  listen(session: Session): void {
    session.on('Network.requestWillBeSent', (event) => this.#start(session, event));
    session.on('Network.responseReceived', ({ requestId, response }) => this.#respond(requestId, response));
    session.on('Network.dataReceived', ({ requestId }) => this.#touch(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    session.on('Network.loadingFailed', ({ requestId, errorText }) => this.#end(requestId, errorText));
    session.on('closed', () => this.#drop(session));
  }

  /** Requests that have neither finished nor failed. */
  get inFlight(): readonly NetworkRequest[] {
    return [...this.#inFlight.values()];
  }

  /** The request that brought a document, by the document's loader id. */
  documentRequest(loaderId: string): NetworkRequest | undefined {
    return this.#documentByLoader.get(loaderId);
  }

  /** Waits until a request has finished or failed. */
  async whenEnded(request: NetworkRequest): Promise<void> {
    if (this.#inFlight.get(request.id) !== request) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.events.on('ended', (ended) => ended === request && resolve());
    await promise;
    stop();
  }

  #start(session: Session, event: EventParams<'Network.requestWillBeSent'>): void {
    const { requestId, loaderId, frameId = '', type, request } = event;
    // A redirection comes as a new start under the same id; the request that it replaces was answered and has ended.
    const redirected = this.#inFlight.get(requestId);
    const started: NetworkRequest = {
      id: requestId,
      frameId,
      loaderId,
      url: request.url,
      type,
      sent: request,
      redirectedFrom: redirected,
      session,
      lastActivity: performance.now(),
    };
    if (event.redirectResponse) this.#respond(requestId, event.redirectResponse);
    this.#inFlight.set(requestId, started);
    if (type === 'Document') this.#rememberDocument(started);
    this.events.emit('started', started);
    if (redirected) this.events.emit('ended', redirected);
  }

  #rememberDocument(request: NetworkRequest): void {
    for (const [loaderId, earlier] of this.#documentByLoader) {
      if (earlier.frameId === request.frameId && loaderId !== request.loaderId) this.#documentByLoader.delete(loaderId);
    }
    this.#documentByLoader.set(request.loaderId, request);
  }

  #respond(requestId: string, response: Protocol.Network.Response): void {
    const request = this.#touch(requestId);
    if (!request) return;
    request.response = response;
    this.events.emit('response', request);
  }

  #touch(requestId: string): NetworkRequest | undefined {
    const request = this.#inFlight.get(requestId);
    if (request) request.lastActivity = performance.now();
    return request;
  }

  #end(requestId: string, failure?: string): void {
    const request = this.#inFlight.get(requestId);
    if (!request) return;
    this.#inFlight.delete(requestId);
    if (failure !== undefined) request.failure = failure;
    this.events.emit('ended', request);
  }

  #drop(session: Session): void {
    for (const request of [...this.#inFlight.values()]) {
      if (request.session === session) this.#end(request.id, 'its frame is gone');
    }
  }
}
