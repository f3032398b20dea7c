import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { deferred, handledElsewhere } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { Response } from './response.ts';

/** How far a document must have come. */
export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

const LIFECYCLE_NAME: Readonly<Record<LoadState, string>> = {
  commit: 'init',
  domcontentloaded: 'DOMContentLoaded',
  load: 'load',
  networkidle: 'networkIdle',
};

/** Loads an address in a page. No response for addresses that only change the fragment. */
export async function gotoUrl(progress: Progress, page: PageTarget, { url, waitUntil, referer }: { url: string; waitUntil: LoadState; referer?: string }): Promise<Response | null> {
  const address = validUrl(url);
  return navigate(progress, page, waitUntil, async () => {
    const { loaderId, errorText, isDownload } = await page.session.send('Page.navigate', { url: address, ...(referer === undefined ? {} : { referrer: referer }) });
    if (isDownload) throw new DriverNavigationError(`${url} is a download, not a page.`, { url, callLog: progress.callLog });
    if (errorText) throw new DriverNavigationError(`Cannot open ${url}: ${errorText}. ${adviceFor(errorText)}`, { url, callLog: progress.callLog });
    return loaderId === undefined ? 'same-document' : 'new-document';
  });
}

/** Loads the page's address again. */
export async function reloadPage(progress: Progress, page: PageTarget, waitUntil: LoadState): Promise<Response | null> {
  return navigate(progress, page, waitUntil, async () => {
    await page.session.send('Page.reload');
    return 'new-document';
  });
}

/** Goes back or forward in the page's history; null when there is nothing in that direction. */
export async function goInHistory(progress: Progress, page: PageTarget, { waitUntil, steps }: { waitUntil: LoadState; steps: -1 | 1 }): Promise<Response | null> {
  const { currentIndex, entries } = await progress.race(page.session.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex + steps];
  if (!entry) return null;
  return navigate(progress, page, waitUntil, async () => {
    await page.session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
    return 'unknown';
  });
}

type Expectation = 'new-document' | 'same-document' | 'unknown';

/** Starts a navigation and waits until its document, or the one it was redirected to, has come far enough. */
async function navigate(progress: Progress, page: PageTarget, waitUntil: LoadState, start: () => Promise<Expectation>): Promise<Response | null> {
  const frame = page.frames.main;
  const earlierLoader = frame.loaderId;
  using watch = new NavigationWatch(page, waitUntil, earlierLoader);
  try {
    const expectation = await progress.race(start());
    progress.log(`the navigation of ${frame.url} began`);
    if (expectation === 'same-document') return null;
    const arrived = await progress.race(watch.arrival(expectation === 'unknown'));
    return arrived === 'same-document' ? null : responseOf(page, frame.loaderId);
  } catch (error) {
    if (progress.signal.aborted && !page.isClosed) page.session.send('Page.stopLoading').catch(handledElsewhere);
    throw error;
  }
}

class NavigationWatch implements Disposable {
  readonly #stops = new CleanupStack();
  readonly #frame: FrameNode;
  readonly #name: string;
  readonly #earlierLoader: string;
  readonly #arrived = deferred<'new-document' | 'same-document'>();
  #wentWithinDocument = false;

  constructor(page: PageTarget, waitUntil: LoadState, earlierLoader: string) {
    this.#frame = page.frames.main;
    this.#name = LIFECYCLE_NAME[waitUntil];
    this.#earlierLoader = earlierLoader;
    const { events } = page.frames;
    this.#stops.defer(events.on('lifecycle', () => this.#check()));
    this.#stops.defer(events.on('navigated', () => this.#check()));
    this.#stops.defer(events.on('navigatedWithinDocument', () => (this.#wentWithinDocument = true)));
    this.#stops.defer(page.events.on('closed', (reason) => this.#arrived.reject(new DriverClosedError(`The page was closed while it was loading: ${reason}.`))));
  }

  arrival(mayStayInDocument: boolean): Promise<'new-document' | 'same-document'> {
    this.#check();
    if (mayStayInDocument && this.#wentWithinDocument) this.#arrived.resolve('same-document');
    return this.#arrived.promise;
  }

  #check(): void {
    if (this.#frame.loaderId !== this.#earlierLoader && this.#frame.lifecycle.has(this.#name)) this.#arrived.resolve('new-document');
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }
}

function responseOf(page: PageTarget, loaderId: string): Response | null {
  const request = page.network.documentRequest(loaderId);
  return request ? new Response(request, page.network) : null;
}

/** Waits until the current document of a page has come far enough; at once when it already has. */
export async function waitForLoadState(progress: Progress, page: PageTarget, state: LoadState): Promise<void> {
  const name = LIFECYCLE_NAME[state];
  const { main, events } = page.frames;
  const reached = deferred<void>();
  const stop = events.on('lifecycle', () => main.lifecycle.has(name) && reached.resolve());
  try {
    if (!main.lifecycle.has(name)) await progress.race(reached.promise);
  } finally {
    stop();
  }
}

function validUrl(url: string): string {
  if (URL.canParse(url)) return url;
  const guess = /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? ` Did you mean https://${url}?` : '';
  throw new DriverNavigationError(`${JSON.stringify(url)} is not a whole address; it needs a scheme such as https://.${guess}`, { url });
}

function adviceFor(errorText: string): string {
  if (errorText.includes('ERR_NAME_NOT_RESOLVED')) return 'The host name is not known here.';
  if (errorText.includes('ERR_CONNECTION_REFUSED')) return 'Nothing listens at that address; is the server running?';
  if (errorText.includes('ERR_CERT')) return 'Its certificate is not trusted; `ignoreHTTPSErrors` in `localBrowserLaunchOptions` accepts it.';
  if (errorText.includes('ERR_ABORTED')) return 'The navigation was cancelled, as by a download, a 204 answer or a newer navigation.';
  return 'The text after net:: is the browser\'s own reason.';
}
