import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { adviceFor, printedUrl } from './navigation-advice.ts';
import { NetworkQuiet } from './network-quiet.ts';

/**
 * How far a document has loaded. `commit`: the browser has the response and created the document. `networkidle`:
 * `DOMContentLoaded` has fired, and no relevant request was active for 500 ms.
 */
export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** Names of the load states in `Page.lifecycleEvent`. */
export const LIFECYCLE_NAME: Readonly<Record<LoadState, string>> = {
  commit: 'init',
  domcontentloaded: 'DOMContentLoaded',
  load: 'load',
  networkidle: 'networkIdle',
};

/** The browser's error for a cancelled navigation, and for any navigation of a closing page. */
export const CANCELLED = 'net::ERR_ABORTED';

const cancellations = new WeakSet<DriverNavigationError>();

/** True for the error of a navigation that the browser cancelled. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DriverNavigationError && cancellations.has(error);
}

/** The result that a caller waits for. `loaderId` identifies a document. */
export type Expectation =
  | { readonly kind: 'new-document'; readonly loaderId?: string }
  | { readonly kind: 'same-document' }
  /** A history step. It may load a document, stay in the document or only change a child frame. */
  | { readonly kind: 'either' }
  /** The current document, to wait for a load state without a navigation. */
  | { readonly kind: 'current-document' };

type Arrival = 'new-document' | 'same-document';

/** Watches a navigation. Create it before the navigation starts, so that it misses no event. */
export class NavigationWatch implements Disposable {
  readonly #page: PageTarget;
  readonly #main: FrameNode;
  readonly #name: string;
  readonly #stops = new CleanupStack();
  readonly #arrived = deferred<Arrival>();
  /** Loader ids of documents committed since the watch started. */
  readonly #commits = new Set<string>();
  #nextCommit: Deferred<void> = deferred();
  /** Requests sent since the watch started. A failed request of an earlier navigation must not fail this one. */
  readonly #requests = new Set<NetworkRequest>();
  readonly #refused: NetworkRequest[] = [];
  /** The request of the current document, if its response broke off. */
  #broken: NetworkRequest | undefined;
  readonly #quiet: NetworkQuiet | undefined;
  #movedWithinDocument = false;
  /** Started history steps: the loader id of a new document, or the id of a frame that keeps its document. */
  readonly #historySteps = new Set<string>();
  #movedInHistory = false;
  /** The child frame in which a history step loaded a document. */
  #childInHistory: FrameNode | undefined;
  #wasAnswered = false;
  #expectation: Expectation | undefined;

  constructor(page: PageTarget, waitUntil: LoadState) {
    this.#page = page;
    this.#main = page.frames.main;
    this.#name = LIFECYCLE_NAME[waitUntil];
    const { frames, network, events } = page;
    this.#quiet = waitUntil === 'networkidle' ? new NetworkQuiet(page, () => this.#check()) : undefined;
    this.#stops.defer(() => this.#quiet?.[Symbol.dispose]());
    this.#stops.defer(frames.events.on('lifecycle', () => this.#check()));
    for (const session of page.sessions)
      this.#stops.defer(session.on('Page.frameStartedNavigating', (event) => this.#noteStep(event)));
    this.#stops.defer(frames.events.on('navigated', (frame) => this.#navigated(frame)));
    this.#stops.defer(frames.events.on('navigatedWithinDocument', (frame) => this.#moved(frame)));
    this.#stops.defer(network.events.on('started', (request) => this.#requests.add(request)));
    this.#stops.defer(network.events.on('ended', (request) => this.#requestEnded(request)));
    this.#stops.defer(
      events.on('closed', (reason) =>
        this.#arrived.reject(new DriverClosedError(`${reason} while it was loading.`, page.session.recovery)),
      ),
    );
  }

  /** Resolves with what arrived. Rejects if the navigation fails or the page closes. */
  arrival(expectation: Expectation): Promise<Arrival> {
    this.#expectation = expectation;
    if (this.#page.isClosed)
      this.#arrived.reject(new DriverClosedError('The page was closed.', this.#page.session.recovery));
    this.#check();
    return this.#arrived.promise;
  }

  /** Resolves when the document with this loader id is committed. */
  async committed(loaderId: string): Promise<void> {
    while (!this.#commits.has(loaderId)) await this.#nextCommit.promise;
  }

  /** Resolves at the next commit in the main frame. */
  nextDocument(): Promise<void> {
    return this.#nextCommit.promise;
  }

  /** True if the server responded. If the navigation is then aborted, it was a download or a 204 response. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** Notes history steps only, because frames can start other navigations at the same time. */
  #noteStep({ frameId, loaderId, navigationType }: EventParams<'Page.frameStartedNavigating'>): void {
    if (navigationType === 'historyDifferentDocument') this.#historySteps.add(loaderId);
    else if (navigationType === 'historySameDocument') this.#historySteps.add(frameId);
  }

  #navigated(frame: FrameNode): void {
    if (frame === this.#main) return this.#commit();
    if (this.#commits.size === 0 && this.#historySteps.has(frame.loaderId)) this.#childInHistory = frame;
    this.#check();
  }

  #commit(): void {
    this.#commits.add(this.#main.loaderId);
    this.#nextCommit.resolve();
    this.#nextCommit = deferred();
    this.#check();
  }

  /** After a commit, ignores navigations within the document: they are not the awaited one. */
  #moved(frame: FrameNode): void {
    if (this.#commits.size === 0) {
      this.#movedWithinDocument ||= frame === this.#main;
      this.#movedInHistory ||= this.#historySteps.has(frame.id);
    }
    this.#check();
  }

  /**
   * A document request may end before a commit, for example because it becomes a download. Then no document arrives.
   */
  #requestEnded(request: NetworkRequest): void {
    if (!this.#requests.delete(request) || request.type !== 'Document' || request.frameId !== this.#main.id) return;
    this.#wasAnswered ||= request.response !== undefined;
    const isAborted = request.failure?.includes('ERR_ABORTED') ?? true;
    if (request.loaderId === this.#main.loaderId) this.#broken = isAborted ? undefined : request;
    else if (isAborted && request.failure !== undefined) this.#refused.push(request);
    this.#check();
  }

  #check(): void {
    switch (this.#expectation?.kind) {
      case 'same-document':
        if (this.#movedWithinDocument) this.#arrived.resolve('same-document');
        break;
      case 'either':
        if (this.#movedInHistory || this.#childInHistory?.lifecycle.has(this.#name))
          this.#arrived.resolve('same-document');
        else this.#checkDocument();
        break;
      case 'new-document':
        this.#checkDocument(this.#expectation.loaderId);
        break;
      case 'current-document':
        if (this.#hasReachedState()) this.#arrived.resolve('new-document');
        break;
      case undefined:
    }
  }

  /** `networkidle` also needs `DOMContentLoaded`: a slow document that sends no request is not idle. */
  #hasReachedState(): boolean {
    const { lifecycle } = this.#main;
    return this.#quiet ? lifecycle.has('DOMContentLoaded') && this.#quiet.isQuiet : lifecycle.has(this.#name);
  }

  #checkDocument(loaderId?: string): void {
    const refused = this.#refused.find((request) => loaderId === undefined || request.loaderId === loaderId);
    if (refused) this.#arrived.reject(failedLoad(refused, this.#page.isRented));
    if (loaderId === undefined ? this.#commits.size === 0 : !this.#commits.has(loaderId)) return;
    const failure = loadFailure(this.#page);
    if (failure) this.#arrived.reject(failure);
    else if (this.#hasReachedState()) this.#arrived.resolve('new-document');
    else if (this.#broken?.loaderId === this.#main.loaderId)
      this.#arrived.reject(failedLoad(this.#broken, this.#page.isRented));
  }
}

/** Returns an error if the browser shows an error page instead of the document. */
export function loadFailure({ frames: { main }, network, isRented }: PageTarget): DriverNavigationError | undefined {
  const request = main.isUnreachable ? network.documentRequest(main.loaderId) : undefined;
  return request && !request.response ? failedLoad(request, isRented) : undefined;
}

function failedLoad({ url, failure = '', response }: NetworkRequest, isRented: boolean): DriverNavigationError {
  return loadError({ url, errorText: failure, status: response?.status, isRented });
}

interface FailedLoad {
  readonly url: string;
  readonly errorText: string;
  readonly status: number | undefined;
  readonly isRented: boolean;
  readonly callLog?: readonly string[];
}

/** Returns the error for a document that the browser could not load. */
export function loadError({ url, callLog, ...facts }: FailedLoad): DriverNavigationError {
  const message = `Cannot open ${printedUrl(url)}: ${facts.errorText}. ${adviceFor({ url, ...facts })}`;
  const error = new DriverNavigationError(message, { url, ...(callLog && { callLog }) });
  if (facts.errorText === CANCELLED) cancellations.add(error);
  return error;
}
