import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverClosedError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { type EffectNote, ownNote, pageNote } from './effect-note.ts';
import { PendingRequests } from './pending-requests.ts';
import {
  countsUntil,
  type NavigationFacts,
  navigationRule,
  REQUESTED_NAVIGATION_MS,
  type RequestFacts,
  requestRule,
} from './request-rules.ts';

/** Records the page's navigations, requests, dialogs, popups and downloads since the action began. */
export class ActionTrace implements Disposable {
  readonly #page: PageTarget;
  readonly #urlBefore: string;
  readonly #stops = new CleanupStack();
  readonly #pending: PendingRequests;
  readonly #navigationByFrame = new Map<FrameNode, NavigationFacts>();
  /** Number of navigations that have started in child frames. Settling waits for the first 20. */
  #frameNavigations = 0;
  /** Frames that were navigating when the action began. Navigations of such child frames are not an effect. */
  readonly #wereNavigating: ReadonlySet<FrameNode>;
  readonly #navigatedFrames = new Set<FrameNode>();
  readonly #waiting = new Set<() => void>();
  readonly #opening = Promise.withResolvers<undefined>();
  hasNavigated = false;
  /** True if only the URL fragment changed, which may leave the visible page unchanged. */
  hasMoved = false;
  hasClosed = false;
  /** True after a JavaScript dialog, a popup or a download. */
  hasOpened = false;
  /**
   * Number of ended requests that settling waited for. An increase between two waits means that the page may still
   * render a response.
   */
  endings = 0;
  /** Dialogs are kept as objects, because a handler may answer them before the notes are read. */
  readonly #seen: (EffectNote | OpenDialog)[] = [];

  /** With `countsInFlight`, requests that are already pending count too. */
  constructor(page: PageTarget, { countsInFlight = false }: { countsInFlight?: boolean } = {}) {
    this.#page = page;
    this.#urlBefore = page.frames.main.url;
    const { frames, network } = page;
    this.#wereNavigating = new Set(frames.frames.filter(({ navigation }) => navigation !== 'none'));
    this.#pending = new PendingRequests(page, 'action');
    if (countsInFlight) for (const request of network.inFlight) this.#pending.start(request);
    this.#stops.defer(network.events.on('started', (request) => this.#pending.start(request)));
    this.#stops.defer(network.events.on('response', (request) => this.#change(() => this.#pending.respond(request))));
    this.#stops.defer(network.events.on('ended', (request) => this.#change(() => this.#ended(request))));
    this.#stops.defer(
      frames.events.on('navigationRequested', (frame) => {
        const known = this.#navigationByFrame.get(frame);
        // A navigation that the browser has started stays "started". As "requested", settling would give it up after
        // 500 ms.
        if (!known || known.requestedAt !== undefined) this.#noteNavigation(frame, { requestedAt: performance.now() });
      }),
    );
    this.#stops.defer(frames.events.on('navigationStarted', (frame) => this.#startNavigating(frame)));
    this.#stops.defer(frames.events.on('navigated', (frame) => this.#change(() => this.#navigated(frame))));
    this.#stops.defer(frames.events.on('navigatedWithinDocument', (frame) => this.#movedWithin(frame)));
    this.#stops.defer(frames.events.on('navigationEnded', (frame) => this.#change(() => this.#endNavigating(frame))));
    this.#stops.defer(frames.events.on('detached', (frame) => this.#change(() => this.#endNavigating(frame))));
    this.#stops.defer(page.events.on('dialog', (dialog) => this.#opened(dialog)));
    this.#stops.defer(page.events.on('popup', () => this.#opened(POPUP_NOTE)));
    for (const event of ['download', 'downloadNoticed'] as const)
      this.#stops.defer(page.events.on(event, (download) => this.#opened(downloadNote(download))));
    this.#stops.defer(page.events.on('closed', () => this.#change(() => this.#closed())));
  }

  /** Pending requests since the action began, excluding those that no action waits for, such as beacons. */
  get requests(): readonly RequestFacts[] {
    return this.#pending.facts;
  }

  /** Pending navigations that were requested or started since the action began, in all frames. */
  get navigations(): readonly NavigationFacts[] {
    return [...this.#navigationByFrame.values()];
  }

  get isBusy(): boolean {
    const now = performance.now();
    return (
      this.requests.some((request) => requestRule('action', request, now) === undefined) ||
      this.navigations.some((navigation) => navigationRule(navigation, now) === undefined)
    );
  }

  get opening(): Promise<undefined> {
    return this.#opening.promise;
  }

  get notes(): readonly EffectNote[] {
    return this.#seen.map((seen) => ('quotesPage' in seen ? seen : dialogNote(seen)));
  }

  /**
   * Waits until the browser acknowledges the input. Returns `undefined` if that fails because the document was replaced
   * or the page closed itself. Rethrows if the caller closed the page or the connection to the browser was lost, because
   * then the page may have received only a part of the input.
   */
  async ignoreIfNavigated<T>(sent: Promise<T>): Promise<T | undefined> {
    try {
      return await sent;
    } catch (error) {
      if (!this.#hasEndedDocument(error)) throw error;
      return undefined;
    }
  }

  /** Waits at most `ms` until a pending request or navigation may have ended or stopped counting. */
  async nextChange(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await withTimeout(Math.min(ms, this.#nextRuleChange()), promise);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** True if the command failed because the document was replaced or the page closed itself. */
  #hasEndedDocument(error: unknown): boolean {
    if (error instanceof DocumentGoneError) return true;
    const { isClosed, isClosing, session } = this.#page;
    if (!(error instanceof DriverClosedError) || isClosing || session.browser.isClosed) return false;
    return isClosed || this.hasNavigated;
  }

  /** Milliseconds until a pending request or navigation stops counting. `Infinity` if none will. */
  #nextRuleChange(): number {
    const now = performance.now();
    const requested = this.navigations.flatMap(({ requestedAt }) => requestedAt ?? []);
    const changes = [
      ...this.requests.map((request) => countsUntil('action', request)),
      ...requested.map((requestedAt) => requestedAt + REQUESTED_NAVIGATION_MS),
    ];
    return Math.min(...changes.map((time) => time - now).filter((left) => left > 0));
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

  #ended(request: NetworkRequest): void {
    if (this.#pending.end(request)) this.endings += 1;
  }

  #navigated(frame: FrameNode): void {
    this.#endNavigating(frame);
    if (frame === this.#page.frames.main) this.hasNavigated = true;
    else if (!this.#wereNavigating.has(frame)) this.#navigatedFrames.add(frame);
  }

  /**
   * `this`: the given frame or one of its ancestors navigated. `other`: only other child frames did. `undefined`: no
   * child frame navigated.
   */
  frameThatNavigated(acted: FrameNode): 'this' | 'other' | undefined {
    if (this.#navigatedFrames.size === 0) return undefined;
    return [...acted.lineage()].some((frame) => this.#navigatedFrames.has(frame)) ? 'this' : 'other';
  }

  #movedWithin(frame: FrameNode): void {
    const { main } = this.#page.frames;
    if (frame !== main || !isSameView(main.url, this.#urlBefore)) return this.#navigated(frame);
    this.hasMoved = main.url !== this.#urlBefore;
  }

  #opened(what: EffectNote | OpenDialog): void {
    this.hasOpened = true;
    this.#opening.resolve(undefined);
    this.#seen.push(what);
  }

  #closed(): void {
    this.#navigationByFrame.clear();
    this.#pending.clear();
    this.hasClosed = true;
    this.#seen.push(ownNote('the page closed'));
  }

  #change(apply: () => void): void {
    apply();
    for (const wake of this.#waiting) wake();
  }
}

// A fragment that starts with `/` or `!` is a route of a single-page app, so changing it shows another view.
function isSameView(url: string, before: string): boolean {
  const [address, fragment = ''] = url.split('#', 2);
  return address === before.split('#', 1)[0] && !/^[/!]/.test(fragment);
}

const POPUP_NOTE: EffectNote = { ...ownNote('a new page opened and is now the active page'), opened: 'page' };

function downloadNote({ suggestedFilename }: { readonly suggestedFilename: string }): EffectNote {
  return { ...pageNote(`a download of ${JSON.stringify(suggestedFilename)} started`), opened: 'download' };
}

function dialogNote(dialog: OpenDialog): EffectNote {
  return { ...dialogText(dialog), opened: 'dialog' };
}

function dialogText({ type, message, outcome }: OpenDialog): EffectNote {
  if (type === 'beforeunload')
    return ownNote(
      `the page asked to confirm leaving it, and the driver ${outcome === 'accepted' ? 'left' : 'stayed'}`,
    );
  const answer = outcome === 'open' ? ' and is still open' : ` and was ${outcome}`;
  return pageNote(
    `a dialog (${type}) said ${JSON.stringify(message)}${type === 'alert' && outcome !== 'open' ? '' : answer}`,
  );
}
