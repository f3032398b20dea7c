import type { Protocol } from 'devtools-protocol';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { Emitter } from '../util/emitter.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

/** A request of a page. Properties without `readonly` can change later, some even after the request has ended. */
export interface NetworkRequest {
  readonly id: string;
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
  readonly type: Protocol.Network.ResourceType | undefined;
  /** As the page's process reports it: method, headers and body. */
  readonly sent: Protocol.Network.Request;
  readonly redirectedFrom: NetworkRequest | undefined;
  readonly session: Session;
  lastActivity: number;
  response?: Protocol.Network.Response;
  /** Time when the response headers arrived, from `performance.now()`. */
  answeredAt?: number;
  isFromMemory?: boolean;
  /** True if the browser also reports the raw headers, which may come before or after the response. */
  hasRawHeaders?: boolean;
  /** As received from the network, cookies included. */
  rawHeaders?: Readonly<Record<string, string>>;
  failure?: string;
}

/** Earlier document requests kept per frame, besides the current one. */
const DOCUMENTS_PER_FRAME = 8;
/** The browser keeps response bodies up to this size for later reading. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

/** `failure` of requests that exceed a bound and are dropped. The browser continues them. */
const NOT_TRACKED = 'no longer tracked: the page has too many pending requests';

export const NETWORK_SETTINGS: Protocol.Network.EnableRequest = {
  maxTotalBufferSize: 2 * MAX_BODY_BYTES,
  maxResourceBufferSize: MAX_BODY_BYTES,
};

interface NetworkEvents {
  started: NetworkRequest;
  response: NetworkRequest;
  ended: NetworkRequest;
  rawHeaders: NetworkRequest;
}

export class NetworkMonitor {
  readonly events: Emitter<NetworkEvents> = new Emitter();
  readonly #inFlight = new RequestStore(PAGE_BOUNDS.requestsInFlight, PAGE_BOUNDS.pendingRequestCharacters);
  /** Ended requests are kept for a while, because raw headers may arrive after the end. */
  readonly #ended = new RequestStore(PAGE_BOUNDS.endedRequests, PAGE_BOUNDS.endedRequestCharacters);
  readonly #documentByLoader = new Map<string, NetworkRequest>();

  listen(session: Session): void {
    session.on('Network.requestWillBeSent', (event) => this.#start(session, event));
    session.on('Network.responseReceived', ({ requestId, response, hasExtraInfo }) =>
      this.#respond(requestId, response, hasExtraInfo),
    );
    session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => this.#addRaw(requestId, headers));
    session.on('Network.requestServedFromCache', ({ requestId }) => this.#markCached(requestId));
    session.on('Network.dataReceived', ({ requestId }) => this.#touch(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    session.on('Network.loadingFailed', ({ requestId, errorText }) => this.#end(requestId, errorText));
    session.on('closed', () => this.#drop(session));
  }

  get inFlight(): readonly NetworkRequest[] {
    return this.#inFlight.requests;
  }

  documentRequest(loaderId: string): NetworkRequest | undefined {
    return this.#documentByLoader.get(loaderId);
  }

  /**
   * The end of a worker's script request is reported only in the worker's session. When the worker runs, the script has
   * arrived.
   */
  workerStarted(url: string): void {
    for (const request of this.inFlight) if (request.type === 'Script' && request.url === url) this.#end(request.id);
  }

  /** Resolves when the request has finished or failed. */
  async whenEnded(request: NetworkRequest): Promise<void> {
    if (this.#inFlight.get(request.id) !== request) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.events.on('ended', (ended) => ended === request && resolve());
    await promise;
    stop();
  }

  /** Waits for the raw response headers if the browser has announced them. */
  async whenHeadersAreWhole(request: NetworkRequest): Promise<void> {
    const { response, isFromMemory } = request;
    if (isFromMemory || response?.fromDiskCache || response?.fromServiceWorker) return;
    if (!request.hasRawHeaders || request.rawHeaders || request.session.isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stops = [
      this.events.on('rawHeaders', (updated) => updated === request && resolve()),
      request.session.on('closed', () => resolve()),
    ];
    await promise;
    for (const stop of stops) stop();
  }

  #start(session: Session, event: EventParams<'Network.requestWillBeSent'>): void {
    const { requestId, loaderId, frameId = '', type, request } = event;
    // A redirect reuses the request id. The earlier request has been answered and has ended.
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
    if (event.redirectResponse) this.#respond(requestId, event.redirectResponse, event.redirectHasExtraInfo);
    const earlier = this.#inFlight.take(requestId);
    this.#forget(this.#ended.take(requestId)?.request);
    this.#inFlight.add({ request: started, characters: charactersOf(request) + (earlier?.characters ?? 0) });
    if (type === 'Document') this.#rememberDocument(started);
    this.events.emit('started', started);
    if (redirected) this.events.emit('ended', redirected);
    this.#applyBounds();
  }

  /** Also keeps earlier requests, because the current document stays if the new request gets no response. */
  #rememberDocument(request: NetworkRequest): void {
    const earlier = [...this.#documentByLoader].filter(([, { frameId }]) => frameId === request.frameId);
    for (const [loaderId] of earlier.slice(0, -DOCUMENTS_PER_FRAME)) this.#documentByLoader.delete(loaderId);
    this.#documentByLoader.set(request.loaderId, request);
  }

  /** A page can send endless requests with long URLs, headers and bodies. Beyond a bound, the oldest are dropped. */
  #applyBounds(): void {
    for (const { id } of this.#inFlight.excess()) this.#end(id, NOT_TRACKED);
    for (const { id } of this.#ended.excess()) this.#forget(this.#ended.take(id)?.request);
  }

  /** Ends the wait for raw headers of a request that is dropped. */
  #forget(request: NetworkRequest | undefined): void {
    if (!request?.hasRawHeaders || request.rawHeaders) return;
    request.hasRawHeaders = false;
    this.events.emit('rawHeaders', request);
  }

  /**
   * Redirects share one id. Their raw headers arrive in order, so they belong to the earliest request that has none
   * yet.
   */
  #addRaw(requestId: string, headers: Readonly<Record<string, string>>): void {
    const store = this.#inFlight.get(requestId) ? this.#inFlight : this.#ended;
    let first: NetworkRequest | undefined;
    for (let request = store.get(requestId); request; request = request.redirectedFrom)
      if (!request.rawHeaders && request.hasRawHeaders !== false) first = request;
    if (!first) return;
    first.rawHeaders = headers;
    store.grow(requestId, charactersIn(headers));
    this.events.emit('rawHeaders', first);
    this.#applyBounds();
  }

  #respond(requestId: string, response: Protocol.Network.Response, hasRawHeaders: boolean): void {
    const request = this.#touch(requestId);
    if (!request) return;
    request.response = response;
    this.#inFlight.grow(requestId, charactersIn(response.headers));
    request.answeredAt = performance.now();
    request.hasRawHeaders = hasRawHeaders;
    this.events.emit('response', request);
    this.#applyBounds();
  }

  /** The browser announces raw headers for a response from the memory cache too, but never sends them. */
  #markCached(requestId: string): void {
    const request = this.#inFlight.get(requestId) ?? this.#ended.get(requestId);
    if (request) request.isFromMemory = true;
  }

  #touch(requestId: string): NetworkRequest | undefined {
    const request = this.#inFlight.get(requestId);
    if (request) request.lastActivity = performance.now();
    return request;
  }

  #end(requestId: string, failure?: string): void {
    const kept = this.#inFlight.take(requestId);
    if (!kept) return;
    const { request } = kept;
    if (failure !== undefined) request.failure = failure;
    this.#ended.add(kept);
    this.events.emit('ended', request);
    this.#applyBounds();
  }

  #drop(session: Session): void {
    for (const request of this.inFlight) if (request.session === session) this.#end(request.id, 'its document is gone');
  }
}

interface KeptRequest {
  readonly request: NetworkRequest;
  /** Approximate size in characters, including the requests that redirected to this one. */
  readonly characters: number;
}

/** Requests by id, oldest first, with bounds for their number and their total size. */
class RequestStore {
  readonly #byId = new Map<string, KeptRequest>();
  readonly #max: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(max: number, maxCharacters: number) {
    this.#max = max;
    this.#maxCharacters = maxCharacters;
  }

  get requests(): readonly NetworkRequest[] {
    return [...this.#byId.values()].map(({ request }) => request);
  }

  get(id: string): NetworkRequest | undefined {
    return this.#byId.get(id)?.request;
  }

  add(kept: KeptRequest): void {
    this.take(kept.request.id);
    this.#byId.set(kept.request.id, kept);
    this.#characters += kept.characters;
  }

  take(id: string): KeptRequest | undefined {
    const kept = this.#byId.get(id);
    this.#byId.delete(id);
    this.#characters -= kept?.characters ?? 0;
    return kept;
  }

  grow(id: string, characters: number): void {
    const kept = this.#byId.get(id);
    if (!kept) return;
    this.#byId.set(id, { request: kept.request, characters: kept.characters + characters });
    this.#characters += characters;
  }

  /**
   * Returns the oldest requests beyond the bounds. Navigations wait for document requests, so only the bound for the
   * number applies to those.
   */
  excess(): readonly NetworkRequest[] {
    const excess: NetworkRequest[] = [];
    let size = this.#byId.size;
    let characters = this.#characters;
    if (size <= this.#max && characters <= this.#maxCharacters) return excess;
    for (const kept of this.#byId.values()) {
      const isTooMany = size > this.#max;
      if (!isTooMany && characters <= this.#maxCharacters) break;
      if (!isTooMany && kept.request.type === 'Document') continue;
      excess.push(kept.request);
      size -= 1;
      characters -= kept.characters;
    }
    return excess;
  }
}

function charactersOf({ url, headers, postData = '', postDataEntries = [] }: Protocol.Network.Request): number {
  const body = postDataEntries.reduce((sum, { bytes = '' }) => sum + bytes.length, postData.length);
  return url.length + charactersIn(headers) + body;
}

function charactersIn(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}
