import type { FrameNode } from '../cdp/frame-node.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { waitForLoadState } from './navigation.ts';
import { isCancelled, loadFailure, NavigationWatch } from './navigation-watch.ts';

/**
 * Time in ms for the browser to start a navigation that the opener requested. If none has started by then and the page
 * is idle, the navigation was refused.
 */
const REQUESTED_NAVIGATION_MS = 500;
/** A page that responds to a command within this time in ms counts as idle. */
const QUICK_ANSWER_MS = 100;
/** Maximum time in ms to wait for that response. */
const MAX_ANSWER_MS = 5000;

/**
 * Waits for the `domcontentloaded` event of a popup's first document. Returns earlier if the popup has none, for
 * example because it was opened for a download. Does not wait for content that the opener writes into about:blank,
 * because the opener may never finish.
 */
export async function waitForFirstDocument(progress: Progress, page: PageTarget): Promise<void> {
  const { main } = page.frames;
  progress.log('waiting for the document of the page that was opened');
  await followOpener(progress, page);
  const failure = loadFailure(page);
  if (failure) throw failure;
  if (main.url !== '' && main.url !== 'about:blank') await waitForLoadState(progress, page, 'domcontentloaded');
}

/**
 * Waits until the navigation that the opener requested has ended. The browser may refuse or cancel it without an event,
 * hence the timeouts.
 */
async function followOpener(progress: Progress, page: PageTarget): Promise<void> {
  const { main } = page.frames;
  // Events arrive in order: by the time of this response, the browser has reported navigations that the opener
  // requested immediately.
  if (main.url === 'about:blank' && main.navigation === 'none') await progress.race(answerTime(page));
  // The initial empty document has no URL, not even about:blank.
  while (main.url === '' || main.navigation !== 'none') {
    using change = new NavigationChange(page);
    if (isLoadingDocument(page)) {
      if (main.url === '') await progress.race(change.promise);
      else if (!(await progress.race(withTimeout(progress.remaining, change.promise)))) return;
    } else if (!(await progress.race(withTimeout(REQUESTED_NAVIGATION_MS, change.promise)))) {
      if ((await progress.race(answerTime(page))) < QUICK_ANSWER_MS && !isLoadingDocument(page)) return;
    }
  }
}

function isLoadingDocument({ frames: { main }, network }: PageTarget): boolean {
  return (
    main.navigation === 'started' ||
    network.inFlight.some((request) => bringsDocument(request, main) && request.loaderId !== main.loaderId)
  );
}

function bringsDocument({ type, frameId }: NetworkRequest, main: FrameNode): boolean {
  return type === 'Document' && frameId === main.id;
}

/** Resolves at the next navigation event in the main frame: a start, a commit, or the end of it or its request. */
class NavigationChange implements Disposable {
  readonly #stops = new CleanupStack();
  readonly #change = deferred<true>();

  constructor(page: PageTarget) {
    const { frames, network } = page;
    const ofFrame = (frame: FrameNode): unknown => frame === frames.main && this.#change.resolve(true);
    const ofRequest = (request: NetworkRequest): unknown =>
      bringsDocument(request, frames.main) && this.#change.resolve(true);
    const watch = new NavigationWatch(page, 'commit');
    this.#stops.defer(() => watch[Symbol.dispose]());
    this.#stops.defer(frames.events.on('navigationStarted', ofFrame));
    this.#stops.defer(frames.events.on('navigationEnded', ofFrame));
    this.#stops.defer(network.events.on('ended', ofRequest));
    watch.arrival({ kind: 'new-document' }).then(
      () => this.#change.resolve(true),
      // Not an error here: after a cancelled navigation the page may start another one, or close.
      (error: unknown) => (isCancelled(error) ? this.#change.resolve(true) : this.#change.reject(error)),
    );
    this.promise.catch(ignoreRejection);
  }

  get promise(): Promise<true> {
    return this.#change.promise;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }
}

/** Returns the round-trip time of a command in ms. A busy page responds late. */
async function answerTime({ session }: PageTarget): Promise<number> {
  const start = performance.now();
  await withTimeout(MAX_ANSWER_MS, session.send('Page.getFrameTree'));
  return performance.now() - start;
}
