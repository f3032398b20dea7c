import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { adviceFor, withoutPassword } from './navigation-advice.ts';
import { NetworkQuiet } from './network-quiet.ts';

/** Loading state of a document. */
export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** The browser's names of lifecycle events. */
export const LIFECYCLE_NAME: Readonly<Record<LoadState, string>> = {
  commit: 'init',
  domcontentloaded: 'DOMContentLoaded',
  load: 'load',
  networkidle: 'networkIdle',
};

/** Expected result of a navigation. A document is identified by its loader id. */
export type Expectation =
  | { readonly kind: 'new-document'; readonly loaderId?: string }
  | { readonly kind: 'same-document' }
  /** A history step. It may load a document, stay in the document or only change a child frame. */
  | { readonly kind: 'either' }
  /** Any current document. */
  | { readonly kind: 'current-document' };

type Arrival = 'new-document' | 'same-document';

/** Watches a page from before a navigation starts until it has arrived or failed. */
export class NavigationWatch implements Disposable {
  readonly #page: PageTarget;
  readonly #main: FrameNode;
  readonly #name: string;
  readonly #stops = new CleanupStack();
  readonly #arrived = deferred<Arrival>();
  /** Loader ids of documents committed since the watch started. */
  readonly #commits = new Set<string>();
  #nextCommit: Deferred<void> = deferred();
  /** Document requests sent since then, so that the end of an earlier navigation is not mistaken for this one. */
  readonly #requests = new Set<NetworkRequest>();
  readonly #refused: NetworkRequest[] = [];
  /** Request of the current document if its body was interrupted. */
  #broken: NetworkRequest | undefined;
  readonly #quiet: NetworkQuiet | undefined;
  #movedWithinDocument = false;
  /** History steps that have started: loader ids of documents, and frames that stay in their document. */
  readonly #historySteps = new Set<string>();
  #movedInHistory = false;
  /** A child frame in which such a step loaded another document. */
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

  /** Resolves when the expected result has arrived. */
  arrival(expectation: Expectation): Promise<Arrival> {
    this.#expectation = expectation;
    if (this.#page.isClosed)
      this.#arrived.reject(new DriverClosedError('The page was closed.', this.#page.session.recovery));
    this.#check();
    return this.#arrived.promise;
  }

  /** Resolves when the document of this loader is committed. */
  async committed(loaderId: string): Promise<void> {
    while (!this.#commits.has(loaderId)) await this.#nextCommit.promise;
  }

  /** Resolves when another document is committed. */
  nextDocument(): Promise<void> {
    return this.#nextCommit.promise;
  }

  /** True if a server answered, so that the response itself brought no document. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** Frames also navigate by themselves, which does not belong to the history step. */
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

  /** Changes within a document that was already committed do not belong to the awaited navigation. */
  #moved(frame: FrameNode): void {
    if (this.#commits.size === 0) {
      this.#movedWithinDocument ||= frame === this.#main;
      this.#movedInHistory ||= this.#historySteps.has(frame.id);
    }
    this.#check();
  }

  /** A document may be refused before it is committed, as for a download. Then nothing will arrive. */
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
        if (this.#hasComeFarEnough()) this.#arrived.resolve('new-document');
        break;
      case undefined:
    }
  }

  /** A document that is still loading is not idle, however slow it is. */
  #hasComeFarEnough(): boolean {
    const { lifecycle } = this.#main;
    return this.#quiet ? lifecycle.has('DOMContentLoaded') && this.#quiet.isQuiet : lifecycle.has(this.#name);
  }

  #checkDocument(loaderId?: string): void {
    const refused = this.#refused.find((request) => loaderId === undefined || request.loaderId === loaderId);
    if (refused) this.#arrived.reject(failedLoad(refused, this.#page.isRented));
    if (loaderId === undefined ? this.#commits.size === 0 : !this.#commits.has(loaderId)) return;
    const failure = loadFailure(this.#page);
    if (failure) this.#arrived.reject(failure);
    else if (this.#hasComeFarEnough()) this.#arrived.resolve('new-document');
    else if (this.#broken?.loaderId === this.#main.loaderId)
      this.#arrived.reject(failedLoad(this.#broken, this.#page.isRented));
  }
}

/** The error if the page shows a browser error page instead of its document. */
export function loadFailure({ frames: { main }, network, isRented }: PageTarget): DriverNavigationError | undefined {
  const request = main.isUnreachable ? network.documentRequest(main.loaderId) : undefined;
  return request && !request.response ? failedLoad(request, isRented) : undefined;
}

function failedLoad({ url, failure = '', response }: NetworkRequest, isRented: boolean): DriverNavigationError {
  const advice = adviceFor({ errorText: failure, status: response?.status, isRented });
  return new DriverNavigationError(`Cannot open ${withoutPassword(url)}: ${failure}. ${advice}`, { url });
}
