import { once } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import { DriverDomainPolicyError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { pause } from '../util/pause.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { manifestAnswered } from './manifest-answered.ts';
import {
  CANCELLED,
  type Expectation,
  isCancelled,
  LIFECYCLE_NAME,
  loadError,
  type LoadState,
  NavigationWatch,
} from './navigation-watch.ts';
import { platformFailure, validAddress, printedUrl } from './navigation-advice.ts';
import { RefusedLeave } from './refused-leave.ts';

/**
 * The browser's error for an error status without a body, such as an empty 404. The server did respond, so the
 * navigation succeeds.
 */
const EMPTY_ERROR_ANSWER = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';
/** Maximum time in ms until the browser's error page replaces the previous document. */
const ERROR_PAGE_MS = 1000;
/** Maximum time in ms to find out why a navigation was cancelled, for example because the page closes. */
const CLOSING_MS = 1000;

/** Returns the request of the document. `null` if there is none, for example if only the fragment changes. */
export async function gotoUrl(
  progress: Progress,
  page: PageTarget,
  { url, waitUntil, referer }: { url: string; waitUntil: LoadState; referer?: string },
): Promise<NetworkRequest | null> {
  const address = validAddress(url);
  if (page.control.policy?.refusesPage(address)) throw refusal(progress, url, url);
  progress.log(`navigating to ${printedUrl(url)}`);
  await manifestAnswered(progress, page, address);
  const start = async (watch: NavigationWatch): Promise<Expectation> => {
    using refused = new RefusedDocument(page);
    using answers = new AnswerStatuses(page);
    using asked = new RequestedUrls(page);
    const { loaderId, errorText, isDownload } = await sendNavigate(progress, page, { url, address, referer });
    if (isDownload)
      throw navigationError(
        progress,
        url,
        `${printedUrl(url)} started a download instead of loading a page. Wait for it with \`page.waitForEvent('download')\`.`,
      );
    if (errorText && errorText !== EMPTY_ERROR_ANSWER) {
      if (loaderId !== undefined && errorText !== CANCELLED)
        await withTimeout(ERROR_PAGE_MS, watch.committed(loaderId));
      if (refused.url !== undefined) throw refusal(progress, url, refused.url);
      const named = page.control.names?.failureOf(asked.of(loaderId) ?? address, errorText);
      if (named?.kind === 'refused') throw nameRefusal(progress, url);
      throw loadError({
        url,
        errorText: named?.errorText ?? errorText,
        status: answers.of(loaderId),
        isRented: page.isRented,
        callLog: progress.callLog,
      });
    }
    return loaderId === undefined ? { kind: 'same-document' } : { kind: 'new-document', loaderId };
  };
  const request = await navigate(progress, page, { waitUntil, start });
  const failure = page.isRented ? platformFailure(request?.response?.headers ?? {}) : undefined;
  if (failure !== undefined) throw navigationError(progress, url, `Cannot open ${printedUrl(url)}: ${failure}`);
  return request;
}

/** Converts the error if the browser or the platform rejects `Page.navigate`. */
async function sendNavigate(
  progress: Progress,
  page: PageTarget,
  { url, address, referer }: { readonly url: string; readonly address: string; readonly referer: string | undefined },
): Promise<Protocol.Page.NavigateResponse> {
  try {
    return await page.session.send('Page.navigate', {
      url: address,
      // The default policy would shorten the referrer to its origin for another site.
      ...(referer === undefined ? {} : { referrer: referer, referrerPolicy: 'unsafeUrl' as const }),
    });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const who = page.isRented ? 'the platform' : 'the browser';
    throw navigationError(
      progress,
      url,
      `Cannot open ${printedUrl(url)}: ${who} rejected the navigation: ${error.reason}`,
      error,
    );
  }
}

function navigationError({ callLog }: Progress, url: string, message: string, cause?: unknown): DriverNavigationError {
  return new DriverNavigationError(message, { url, callLog, cause });
}

/**
 * Records the HTTP status of document responses by loader id, because `Page.navigate` does not report it for a failed
 * navigation.
 */
class AnswerStatuses implements Disposable {
  readonly #statusByLoader = new Map<string, number>();
  readonly #stop: () => void;

  constructor({ session }: PageTarget) {
    this.#stop = session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
      this.#statusByLoader.set(requestId, statusCode),
    );
  }

  of(loaderId: string | undefined): number | undefined {
    return this.#statusByLoader.get(loaderId ?? '');
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

function refusal({ callLog }: Progress, url: string, refused: string): DriverDomainPolicyError {
  const how =
    new URL(refused).href === new URL(url).href
      ? 'The domain policy refuses this URL'
      : `This URL leads to ${refused}, which the domain policy refuses`;
  return new DriverDomainPolicyError(
    `Cannot open ${printedUrl(url)}: net::ERR_BLOCKED_BY_CLIENT. ${how}. Check allowedDomains and blockedDomains of the driver, and context.setDomainPolicy().`,
    { url: refused, callLog },
  );
}

function nameRefusal({ callLog }: Progress, url: string): DriverDomainPolicyError {
  return new DriverDomainPolicyError(
    `Cannot open ${printedUrl(url)}: its host name resolves to an IP address that blockedDomains of the driver refuses, or does not resolve. Check the name, or remove that entry from blockedDomains.`,
    { url, callLog },
  );
}

/** Records the latest URL of each document request, by loader id. Redirects change it. */
class RequestedUrls implements Disposable {
  readonly #urlByLoader = new Map<string, string>();
  readonly #stop: () => void;

  constructor({ session }: PageTarget) {
    this.#stop = session.on('Network.requestWillBeSent', ({ requestId, loaderId, request }) => {
      if (requestId === loaderId) this.#urlByLoader.set(loaderId, request.url);
    });
  }

  of(loaderId: string | undefined): string | undefined {
    return this.#urlByLoader.get(loaderId ?? '');
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Remembers the URL that the domain policy refuses during a navigation. */
class RefusedDocument implements Disposable {
  url: string | undefined;
  readonly #stop: () => void;

  constructor(page: PageTarget) {
    this.#stop = page.control.events.on('documentRefused', ({ frameId, url }) => {
      if (frameId === page.id) this.url = url;
    });
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

export async function reloadPage(
  progress: Progress,
  page: PageTarget,
  waitUntil: LoadState,
): Promise<NetworkRequest | null> {
  progress.log(`reloading ${page.frames.main.url}`);
  const start = async (): Promise<Expectation> => {
    await retryReload(progress, page);
    return { kind: 'new-document' };
  };
  return navigate(progress, page, { waitUntil, start });
}

/**
 * Right after a commit the browser may still have the previous document, or be switching processes. It then rejects the
 * reload, which is retried every 20 ms.
 */
async function retryReload(progress: Progress, page: PageTarget): Promise<void> {
  let hasBegun = false;
  using stops = new CleanupStack();
  stops.defer(
    page.session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      hasBegun ||= frameId === page.id && navigationType.startsWith('reload');
    }),
  );
  for (;;) {
    const { loaderId } = page.frames.main;
    try {
      await progress.race(page.session.send('Page.reload', { ...(loaderId !== '' && { loaderId }) }));
      return;
    } catch (error) {
      if (!(error instanceof ProtocolError && BETWEEN_DOCUMENTS.test(error.reason))) throw error;
      // The reload has started. The browser sent the command again to the new process, which already has the reloaded
      // document.
      if (hasBegun) return;
      await pause(progress, ACTIVATION_PAUSE_MS);
    }
  }
}

/** Chromium rejects a reload between two documents with these messages. There is no error code and no event. */
const BETWEEN_DOCUMENTS = /Not attached to an active page|(page|document) already navigated/i;
const ACTIVATION_PAUSE_MS = 20;

/**
 * Returns the request of the document. Returns `null` if the history has no such entry or the document stays the same.
 */
export async function goInHistory(
  progress: Progress,
  page: PageTarget,
  { waitUntil, steps }: { waitUntil: LoadState; steps: -1 | 1 },
): Promise<NetworkRequest | null> {
  const { currentIndex, entries } = await progress.race(page.session.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex + steps];
  if (!entry) return null;
  progress.log(`going ${steps < 0 ? 'back' : 'forward'} to ${entry.url}`);
  await manifestAnswered(progress, page, entry.url);
  const start = async (): Promise<Expectation> => {
    await page.session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
    return { kind: 'either' };
  };
  return navigate(progress, page, { waitUntil, start });
}

/**
 * Starts a navigation and waits until the document reaches `waitUntil`, after redirects. Returns the document's
 * request, or `null` for a navigation within the document.
 */
async function navigate(
  progress: Progress,
  page: PageTarget,
  { waitUntil, start }: { waitUntil: LoadState; start: (watch: NavigationWatch) => Promise<Expectation> },
): Promise<NetworkRequest | null> {
  using watch = new NavigationWatch(page, waitUntil);
  using refused = new RefusedLeave(page);
  const stayed = refused.stayed.then(() => Promise.reject(navigationCancelled(progress, page)));
  try {
    const expectation = await progress.race(Promise.race([start(watch), stayed]));
    const arrived = await progress.race(Promise.race([watch.arrival(expectation), stayed]));
    return arrived === 'same-document' ? null : documentRequest(page);
  } catch (error) {
    // Waits for a better reason than `ERR_ABORTED`: the page closes, or its `beforeunload` dialog was dismissed.
    if (!page.isClosed && (page.isClosing || (isCancelled(error) && !watch.wasAnswered)))
      await withTimeout(CLOSING_MS, Promise.race([once(page.gone, 'abort'), watch.nextDocument(), stayed]));
    if (progress.signal.aborted && !page.isClosed) stopLoading(page);
    progress.throwIfEnded();
    throw error;
  }
}

function navigationCancelled({ callLog }: Progress, { frames }: PageTarget): DriverNavigationError {
  const { url } = frames.main;
  return new DriverNavigationError(
    `Cannot leave the page ${url}: its beforeunload dialog was dismissed. Accept it in the \`dialog\` listener, or remove the listener: then the driver accepts it.`,
    { url, callLog },
  );
}

/** Not awaited, because the call has already ended. Fails only if the page has closed. */
function stopLoading(page: PageTarget): void {
  page.session.send('Page.stopLoading').catch(ignoreRejection);
}

function documentRequest({ network, frames }: PageTarget): NetworkRequest | null {
  return network.documentRequest(frames.main.loaderId) ?? null;
}

export async function waitForLoadState(progress: Progress, page: PageTarget, state: LoadState): Promise<void> {
  const { main } = page.frames;
  progress.throwIfEnded();
  if (state !== 'networkidle' && main.lifecycle.has(LIFECYCLE_NAME[state])) return;
  progress.log(`waiting for the document ${main.url} to reach the state ${state}`);
  using watch = new NavigationWatch(page, state);
  await progress.race(watch.arrival({ kind: 'current-document' }));
}
