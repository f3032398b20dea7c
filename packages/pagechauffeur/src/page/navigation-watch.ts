import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { adviceFor, withoutPassword } from './navigation-advice.ts';
import { NetworkQuiet } from './network-quiet.ts';

/** How far a document must have come. */
export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** The browser's names for them. */
export const LIFECYCLE_NAME: Readonly<Record<LoadState, string>> = {
  commit: 'init',
  domcontentloaded: 'DOMContentLoaded',
  load: 'load',
  networkidle: 'networkIdle',
};

/** What a navigation that was started is to bring; by its loader id a document is told from those of earlier navigations. */
export type Expectation =
  | { readonly kind: 'new-document'; readonly loaderId?: string }
  | { readonly kind: 'same-document' }
  /** A step in the history: which of the two, or only a new document in a child frame, is not known before. */
  | { readonly kind: 'either' }
  /** Whatever document the page has. */
  | { readonly kind: 'current-document' };

type Arrival = 'new-document' | 'same-document';

/** Watches a page from before a navigation starts until what it is to bring has arrived, or never will. */
export class NavigationWatch implements Disposable {
  readonly #page: PageTarget;
  readonly #main: FrameNode;
  readonly #name: string;
  readonly #stops = new CleanupStack();
  readonly #arrived = deferred<Arrival>();
  /** Loader ids of the documents that came since the watch began. */
  readonly #commits = new Set<string>();
  #nextCommit: Deferred<void> = deferred();
  /** Requests for documents that were sent since then, so that what ends an earlier navigation is not taken for ours. */
  readonly #requests = new Set<NetworkRequest>();
  readonly #refused: NetworkRequest[] = [];
  /** The request of the document that is there, when its body broke off. */
  #broken: NetworkRequest | undefined;
  readonly #quiet: NetworkQuiet | undefined;
  #movedWithinDocument = false;
  /** Steps in the history that have begun: the loader ids of documents, and the frames that move within theirs. */
  readonly #historySteps = new Set<string>();
  #movedInHistory = false;
  /** A child frame that such a step brought another document. */
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

  /** Settled when what is expected is there. */
  arrival(expectation: Expectation): Promise<Arrival> {
    this.#expectation = expectation;
    if (this.#page.isClosed)
      this.#arrived.reject(new DriverClosedError('The page was closed.', this.#page.session.recovery));
    this.#check();
    return this.#arrived.promise;
  }

  /** Settled when the document of this loader is in place. */
  async committed(loaderId: string): Promise<void> {
    while (!this.#commits.has(loaderId)) await this.#nextCommit.promise;
  }

  /** Settled when another document is in place. */
  nextDocument(): Promise<void> {
    return this.#nextCommit.promise;
  }

  /** Whether a server answered a navigation, so that it was the answer that brought no document. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** Frames also navigate by themselves, which is not what a step in the history did. */
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

  /** Once a new document is there, what happens within it is no longer what was waited for. */
  #moved(frame: FrameNode): void {
    if (this.#commits.size === 0) {
      this.#movedWithinDocument ||= frame === this.#main;
      this.#movedInHistory ||= this.#historySteps.has(frame.id);
    }
    this.#check();
  }

  /** A document may be refused before it comes, as for a download: then nothing will arrive. */
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

  /** A document that is still being read is not idle, however slowly it comes. */
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

/** Why the page shows one of the browser's own in place of its document, if it does. */
export function loadFailure({ frames: { main }, network, isRented }: PageTarget): DriverNavigationError | undefined {
  const request = main.isUnreachable ? network.documentRequest(main.loaderId) : undefined;
  return request && !request.response ? failedLoad(request, isRented) : undefined;
}

function failedLoad({ url, failure = '', response }: NetworkRequest, isRented: boolean): DriverNavigationError {
  const advice = adviceFor({ errorText: failure, status: response?.status, isRented });
  return new DriverNavigationError(`Cannot open ${withoutPassword(url)}: ${failure}. ${advice}`, { url });
}
