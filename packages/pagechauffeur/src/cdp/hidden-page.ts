import { randomUUID } from 'node:crypto';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Connection } from './connection.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** Start URL of hidden pages. Distinguishes them from the user's pages; sites cannot guess it. */
const ADDRESS = `about:blank#${randomUUID()}`;

/** True if the target is a hidden page. */
export function isHiddenPage({ url }: { readonly url: string }): boolean {
  return url === ADDRESS;
}

/** A page that users do not see and `pages()` does not list, for work that needs a document. */
export class HiddenPage implements AsyncDisposable {
  readonly session: Session;
  readonly #connection: Connection;
  readonly #targetId: string;
  /** The only origin the page may load. All other requests are refused. */
  #origin = '';

  private constructor(connection: Connection, session: Session, targetId: string) {
    this.session = session;
    this.#connection = connection;
    this.#targetId = targetId;
  }

  /** Opens a hidden page at about:blank. */
  static async open(connection: Connection): Promise<HiddenPage> {
    const { browser } = connection;
    const { targetId } = await createTarget(browser);
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    if (!session) throw new DriverClosedError('The browser closed an internal page as soon as it was opened.');
    return new HiddenPage(connection, session, targetId);
  }

  /** Prepares for `visit`: answers every request locally, so that no network, cache or service worker is touched. */
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

  /** Navigates to an empty document of this origin. */
  async visit(origin: string): Promise<void> {
    this.#origin = origin;
    const arrived = Promise.withResolvers<void>();
    const stop = this.session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.securityOrigin === origin || frame.url.startsWith(`${origin}/`)) arrived.resolve();
    });
    try {
      const { errorText } = await this.session.send('Page.navigate', { url: `${origin}/` });
      if (errorText)
        throw new DriverNavigationError(`Cannot open an internal document of ${origin}: ${errorText}.`, {
          url: origin,
        });
      await arrived.promise;
    } finally {
      stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { browser } = this.#connection;
    if (!browser.isClosed) await browser.send('Target.closeTarget', { targetId: this.#targetId });
  }

  // A browser that upgrades http to https is refused once, and then loads http.
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
    // The wait for the document reports that the page is gone.
    answer.catch(ignoreRejection);
  }
}

/** Without any window, the browser cannot create a hidden page. Opens it in a window of its own then. */
async function createTarget(browser: Session): Promise<{ readonly targetId: string }> {
  try {
    return await browser.send('Target.createTarget', { url: ADDRESS, hidden: true });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return browser.send('Target.createTarget', { url: ADDRESS });
  }
}
