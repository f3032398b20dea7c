import type { FrameNode } from '../../cdp/frame-node.ts';
import type { NetworkRequest } from '../../cdp/network-monitor.ts';
import type { OpenDialog } from '../../cdp/open-dialog.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import { DriverClosedError } from '../../errors.ts';
import { CleanupStack } from '../../util/cleanup-stack.ts';
import { withTimeout } from '../../util/with-timeout.ts';
import { type EffectNote, ownNote, pageNote } from './effect-note.ts';

/** Requests of these kinds keep a page from being settled; beacons, streams, sockets, pictures and media do not. */
const KINDS_THAT_COUNT = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);
/** A request of which nothing was heard for this long is a stream or a long poll. */
const SILENT_REQUEST_MS = 2000;
/** An address that is asked again and again, each time after the answer, more often than this is polled by the page and no answer to an action. */
const ROUNDS_THAT_COUNT = 3;
/** What comes in these forms comes as long as the page is open. */
const STREAMS = /^(text\/event-stream|application\/(x-)?ndjson|multipart\/x-mixed-replace)/;
/** A navigation that the page asked for and the browser has not begun after this long was refused. */
const REQUESTED_NAVIGATION_MS = 500;

/** How many navigations of child frames an action waits for. A page that starts more does so on its own, such as one that rotates advertisements. */
const FRAME_NAVIGATIONS_THAT_COUNT = 20;

/** What a page does from the moment an action begins: navigations, requests, dialogs. */
export class ActionTrace implements Disposable {
  readonly #page: PageTarget;
  readonly #urlBefore: string;
  readonly #stops = new CleanupStack();
  readonly #requests = new Set<NetworkRequest>();
  readonly #roundByAddress = new Map<string, { first: NetworkRequest | undefined; count: number }>();
  /** When each frame that waits for the browser to begin its navigation asked for it, on `performance.now()`'s clock. */
  readonly #requestedAt = new Map<FrameNode, number>();
  readonly #navigating = new Set<FrameNode>();
  /** How many navigations of frames within the page have counted. */
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
        if (this.#countsNavigations(frame)) this.#requestedAt.set(frame, performance.now());
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

  /** Whether a document or a request that the action caused is still on its way. */
  get isBusy(): boolean {
    return this.#navigating.size > 0 || this.#isNavigationDue() || this.#liveRequests().length > 0;
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
      await withTimeout(Math.min(ms, this.#isNavigationDue() ? REQUESTED_NAVIGATION_MS : SILENT_REQUEST_MS), promise);
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

  #isNavigationDue(): boolean {
    const now = performance.now();
    return [...this.#requestedAt.values()].some((requestedAt) => now - requestedAt < REQUESTED_NAVIGATION_MS);
  }

  #endNavigating(frame: FrameNode): void {
    this.#requestedAt.delete(frame);
    this.#navigating.delete(frame);
  }

  #startNavigating(frame: FrameNode): void {
    this.#requestedAt.delete(frame);
    if (!this.#countsNavigations(frame)) return;
    this.#navigating.add(frame);
    if (frame.parent) this.#frameNavigations += 1;
  }

  #countsNavigations({ parent }: FrameNode): boolean {
    return parent === null || this.#frameNavigations < FRAME_NAVIGATIONS_THAT_COUNT;
  }

  #liveRequests(): NetworkRequest[] {
    const now = performance.now();
    return [...this.#requests].filter(
      (request) => now - request.lastActivity < SILENT_REQUEST_MS && !this.#hasLostDocument(request),
    );
  }

  /** What becomes of a request whose document has been replaced changes nothing that is to be seen, and is not always told. */
  #hasLostDocument({ type, frameId, loaderId }: NetworkRequest): boolean {
    const frame = this.#page.frames.frame(frameId);
    return type !== 'Document' && frame !== undefined && loaderId !== '' && frame.loaderId !== loaderId;
  }

  #started(request: NetworkRequest): void {
    if (request.type === undefined || !KINDS_THAT_COUNT.has(request.type)) return;
    if (this.#roundOf(request) <= ROUNDS_THAT_COUNT) this.#requests.add(request);
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
    if (STREAMS.test(request.response?.mimeType ?? '')) this.#requests.delete(request);
  }

  #ended(request: NetworkRequest): void {
    const round = this.#roundByAddress.get(addressOf(request));
    if (round?.first === request) round.first = undefined;
    if (this.#requests.delete(request)) this.endings += 1;
  }

  #navigated(frame: FrameNode): void {
    this.#requestedAt.delete(frame);
    this.#navigating.delete(frame);
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
    this.#requestedAt.clear();
    this.#navigating.clear();
    this.#requests.clear();
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
