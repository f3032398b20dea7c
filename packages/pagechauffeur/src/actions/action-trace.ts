import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverClosedError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { type EffectNote, ownNote, pageNote } from './effect-note.ts';
import {
  type NavigationFacts,
  navigationRule,
  REQUESTED_NAVIGATION_MS,
  type RequestFacts,
  requestRule,
  SILENT_REQUEST_MS,
} from './request-rules.ts';

/** What a page does from the moment an action begins: navigations, requests, dialogs. */
export class ActionTrace implements Disposable {
  readonly #page: PageTarget;
  readonly #urlBefore: string;
  readonly #stops = new CleanupStack();
  /** Requests that may count, with their round. */
  readonly #roundByRequest = new Map<NetworkRequest, number>();
  readonly #roundByAddress = new Map<string, { first: NetworkRequest | undefined; count: number }>();
  readonly #navigationByFrame = new Map<FrameNode, NavigationFacts>();
  /** How many navigations of frames inside the page began. */
  #frameNavigations = 0;
  /** Frames whose document was on its way already. */
  readonly #wereNavigating: ReadonlySet<FrameNode>;
  readonly #navigatedFrames = new Set<FrameNode>();
  readonly #waiting = new Set<() => void>();
  readonly #opening = Promise.withResolvers<undefined>();
  hasNavigated = false;
  /** The address changed only behind its `#`, which need not be another place for whoever looks at the page. */
  hasMoved = false;
  /** A dialog of the browser, a new page or a download appeared. */
  hasOpened = false;
  /** How many requests that count have ended. */
  endings = 0;
  /** What else happened: sentences, and dialogs, of which it is told at the end what became of them. */
  readonly #seen: (EffectNote | OpenDialog)[] = [];

  /** Watches from now on; with `countsInFlight`, requests that are already on their way count too. */
  constructor(page: PageTarget, { countsInFlight = false }: { countsInFlight?: boolean } = {}) {
    this.#page = page;
    this.#urlBefore = page.frames.main.url;
    const { frames, network } = page;
    this.#wereNavigating = new Set(frames.frames.filter(({ navigation }) => navigation !== 'none'));
    if (countsInFlight) for (const request of network.inFlight) this.#started(request);
    this.#stops.defer(network.events.on('started', (request) => this.#started(request)));
    this.#stops.defer(network.events.on('response', (request) => this.#change(() => this.#answered(request))));
    this.#stops.defer(network.events.on('ended', (request) => this.#change(() => this.#ended(request))));
    this.#stops.defer(
      frames.events.on('navigationRequested', (frame) => {
        const known = this.#navigationByFrame.get(frame);
        // One that the browser has begun goes on.
        if (!known || known.requestedAt !== undefined) this.#noteNavigation(frame, { requestedAt: performance.now() });
      }),
    );
    this.#stops.defer(frames.events.on('navigationStarted', (frame) => this.#startNavigating(frame)));
    this.#stops.defer(frames.events.on('navigated', (frame) => this.#change(() => this.#navigated(frame))));
    this.#stops.defer(frames.events.on('navigatedWithinDocument', (frame) => this.#movedWithin(frame)));
    this.#stops.defer(frames.events.on('navigationEnded', (frame) => this.#change(() => this.#endNavigating(frame))));
    this.#stops.defer(frames.events.on('detached', (frame) => this.#change(() => this.#endNavigating(frame))));
    this.#stops.defer(page.events.on('dialog', (dialog) => this.#opened(dialog)));
    this.#stops.defer(
      page.events.on('popup', () => this.#opened(ownNote('a new page opened and is the active one now'))),
    );
    for (const event of ['download', 'downloadNoticed'] as const)
      this.#stops.defer(page.events.on(event, (download) => this.#opened(downloadNote(download))));
    this.#stops.defer(page.events.on('closed', () => this.#change(() => this.#closed())));
  }

  /** Requests that the action caused and that are under way. */
  get requests(): readonly RequestFacts[] {
    return [...this.#roundByRequest].map(([request, round]) => this.#factsOf(request, round));
  }

  /** Navigations that the action caused and that are under way. */
  get navigations(): readonly NavigationFacts[] {
    return [...this.#navigationByFrame.values()];
  }

  /** True if a document or a request that the action caused is still on its way. */
  get isBusy(): boolean {
    const now = performance.now();
    return (
      this.requests.some((request) => requestRule(request, now) === undefined) ||
      this.navigations.some((navigation) => navigationRule(navigation, now) === undefined)
    );
  }

  /** Resolves when a dialog of the browser, a new page or a download appears. */
  get opening(): Promise<undefined> {
    return this.#opening.promise;
  }

  /** Sentences about what else happened. */
  get notes(): readonly EffectNote[] {
    return this.#seen.map((seen) => ('quotesPage' in seen ? seen : dialogNote(seen)));
  }

  /** Waits until input was sent. A page that navigates or closes meanwhile may never acknowledge it; that is an effect, not an error. */
  async ignoreIfNavigated<T>(sent: Promise<T>): Promise<T | undefined> {
    try {
      return await sent;
    } catch (error) {
      if (!this.#hasEndedDocument(error)) throw error;
      return undefined;
    }
  }

  /** Waits until one of them ends, or for `ms` at most. */
  async nextChange(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      const now = performance.now();
      const due = this.navigations.filter((navigation) => navigationRule(navigation, now) === undefined);
      const isRequested = due.some(({ requestedAt }) => requestedAt !== undefined);
      await withTimeout(Math.min(ms, isRequested ? REQUESTED_NAVIGATION_MS : SILENT_REQUEST_MS), promise);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** True if this error of a command only says that its document or page is gone, as after a navigation. */
  #hasEndedDocument(error: unknown): boolean {
    if (error instanceof DocumentGoneError) return true;
    return error instanceof DriverClosedError && (this.#page.isClosed || this.hasNavigated);
  }

  #noteNavigation(frame: FrameNode, navigation: NavigationFacts): void {
    const isInside = frame.parent !== null;
    this.#navigationByFrame.set(frame, {
      ...navigation,
      ...(isInside && { frameNavigations: this.#frameNavigations }),
    });
  }

  #startNavigating(frame: FrameNode): void {
    this.#noteNavigation(frame, {});
    if (frame.parent) this.#frameNavigations += 1;
  }

  #endNavigating(frame: FrameNode): void {
    this.#navigationByFrame.delete(frame);
  }

  #factsOf(request: NetworkRequest, round: number): RequestFacts {
    const { type, frameId, loaderId, lastActivity, response } = request;
    const frame = this.#page.frames.frame(frameId);
    const hasLeftDocument = frame !== undefined && loaderId !== '' && frame.loaderId !== loaderId;
    return { type, round, lastActivity, hasLeftDocument, mimeType: response?.mimeType };
  }

  /** True if the request does not count and never will. */
  #isOutOfCount(request: NetworkRequest, round: number): boolean {
    return requestRule(this.#factsOf(request, round), performance.now())?.isFinal === true;
  }

  #started(request: NetworkRequest): void {
    // What is of a kind that does not count is no round either.
    if (this.#isOutOfCount(request, 1)) return;
    const round = this.#roundOf(request);
    if (!this.#isOutOfCount(request, round)) this.#roundByRequest.set(request, round);
  }

  /** How often the request's address was asked; what is asked before the first of a round is answered belongs to that round. */
  #roundOf(request: NetworkRequest): number {
    const address = addressOf(request);
    const round = this.#roundByAddress.get(address) ?? { first: undefined, count: 0 };
    this.#roundByAddress.set(address, round);
    if (round.first === undefined) {
      round.first = request;
      round.count += 1;
    }
    return round.count;
  }

  #answered(request: NetworkRequest): void {
    const round = this.#roundByRequest.get(request);
    if (round !== undefined && this.#isOutOfCount(request, round)) this.#roundByRequest.delete(request);
  }

  #ended(request: NetworkRequest): void {
    const round = this.#roundByAddress.get(addressOf(request));
    if (round?.first === request) round.first = undefined;
    if (this.#roundByRequest.delete(request)) this.endings += 1;
  }

  #navigated(frame: FrameNode): void {
    this.#endNavigating(frame);
    if (frame === this.#page.frames.main) this.hasNavigated = true;
    else if (!this.#wereNavigating.has(frame)) this.#navigatedFrames.add(frame);
  }

  /** Whether a frame within the page went elsewhere: the one that was acted in or one around it, or any other. */
  frameThatNavigated(acted: FrameNode): 'this' | 'other' | undefined {
    if (this.#navigatedFrames.size === 0) return undefined;
    return [...acted.lineage()].some((frame) => this.#navigatedFrames.has(frame)) ? 'this' : 'other';
  }

  #movedWithin(frame: FrameNode): void {
    const { main } = this.#page.frames;
    if (frame !== main || !isSamePlace(main.url, this.#urlBefore)) return this.#navigated(frame);
    this.hasMoved = main.url !== this.#urlBefore;
  }

  #opened(what: EffectNote | OpenDialog): void {
    this.hasOpened = true;
    this.#opening.resolve(undefined);
    this.#seen.push(what);
  }

  #closed(): void {
    this.#navigationByFrame.clear();
    this.#roundByRequest.clear();
    this.#seen.push(ownNote('the page closed'));
  }

  #change(apply: () => void): void {
    apply();
    for (const wake of this.#waiting) wake();
  }
}

/** The address without what often differs from one time to the next. */
function addressOf({ url }: NetworkRequest): string {
  return url.replace(/[?#].*$/s, '');
}

// A fragment that looks like a path is the address of a page that a script shows.
function isSamePlace(url: string, before: string): boolean {
  const [address, fragment = ''] = url.split('#', 2);
  return address === before.split('#', 1)[0] && !/^[/!]/.test(fragment);
}

function downloadNote({ suggestedFilename }: { readonly suggestedFilename: string }): EffectNote {
  return pageNote(`a download of ${JSON.stringify(suggestedFilename)} began`);
}

function dialogNote({ type, message, outcome }: OpenDialog): EffectNote {
  if (type === 'beforeunload')
    return ownNote(`the page asked whether to leave it, and was ${outcome === 'accepted' ? 'left' : 'not left'}`);
  const answer = outcome === 'open' ? ' and is still open' : ` and was ${outcome}`;
  return pageNote(
    `a dialog (${type}) said ${JSON.stringify(message)}${type === 'alert' && outcome !== 'open' ? '' : answer}`,
  );
}
