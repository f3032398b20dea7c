import { randomUUID } from 'node:crypto';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import type { Connection } from './connection.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** Distinguishes hidden pages from the user's. Sites cannot guess the fragment. */
const ADDRESS = `about:blank#${randomUUID()}`;

export function isHiddenPage({ url }: { readonly url: string }): boolean {
  return url === ADDRESS;
}

/** A page for work that needs a document, such as reading the storage of an origin. `pages()` does not list it. */
export class HiddenPage implements AsyncDisposable {
  readonly session: Session;
  readonly #connection: Connection;
  readonly #targetId: string;
  #origin = '';

  private constructor(connection: Connection, session: Session, targetId: string) {
    this.session = session;
    this.#connection = connection;
    this.#targetId = targetId;
  }

  static async open(connection: Connection): Promise<HiddenPage> {
    const { browser } = connection;
    const { targetId } = await createTarget(browser);
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    if (!session) throw new DriverClosedError('The browser closed an internal page as soon as it was opened.');
    return new HiddenPage(connection, session, targetId);
  }

  /** Call before `visit`. Answers every request locally, so that no network, cache or service worker is involved. */
  async goOffline(): Promise<void> {
    const { session } = this;
    session.on('Fetch.requestPaused', ({ requestId, request }) => this.#answer(requestId, request.url));
    await Promise.all([
      session.send('Page.enable'),
      session.send('Network.enable'),
      session.send('Network.setBypassServiceWorker', { bypass: true }),
      session.send('Fetch.enable', {}),
    ]);
  }

  /** Loads an empty document of the origin. */
  async visit(origin: string): Promise<void> {
    this.#origin = origin;
    const { session } = this;
    const failure = `Cannot open an internal document of ${origin}`;
    const loaded = deferred<void>();
    using stops = new CleanupStack();
    stops.defer(
      session.on('Page.frameNavigated', ({ frame }) => {
        if (frame.securityOrigin === origin || frame.url.startsWith(`${origin}/`)) loaded.resolve();
      }),
    );
    stops.defer(
      session.on('closed', (reason) =>
        loaded.reject(new DriverClosedError(`${failure}: ${reason}.`, session.recovery)),
      ),
    );
    const { errorText } = await session.send('Page.navigate', { url: `${origin}/` });
    if (errorText) throw new DriverNavigationError(`${failure}: ${errorText}.`, { url: origin });
    await loaded.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { browser } = this.#connection;
    if (!browser.isClosed) await browser.send('Target.closeTarget', { targetId: this.#targetId });
  }

  // If the browser upgrades http to https, the request fails once, and the browser then loads http.
  #answer(requestId: string, url: string): void {
    const isAllowed = url.startsWith(`${this.#origin}/`);
    const answer = isAllowed
      ? this.session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [{ name: 'content-type', value: 'text/html' }],
          body: '',
        })
      : this.session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' });
    // If the page is gone, the pending `visit` reports it.
    answer.catch(ignoreRejection);
  }
}

/** A browser without any window rejects `hidden`. The page then gets a window. */
async function createTarget(browser: Session): Promise<{ readonly targetId: string }> {
  try {
    return await browser.send('Target.createTarget', { url: ADDRESS, hidden: true });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return browser.send('Target.createTarget', { url: ADDRESS });
  }
}
