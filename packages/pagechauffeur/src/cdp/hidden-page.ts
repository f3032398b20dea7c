import { randomUUID } from 'node:crypto';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Connection } from './connection.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** Where such a page begins, which tells it from the user's pages; no site can guess it. */
const ADDRESS = `about:blank#${randomUUID()}`;

/** Whether a target is a page of this kind. */
export function isHiddenPage({ url }: { readonly url: string }): boolean {
  return url === ADDRESS;
}

/** A page that no person and no `pages()` sees, for what needs a document without disturbing the user's. */
export class HiddenPage implements AsyncDisposable {
  readonly session: Session;
  readonly #connection: Connection;
  readonly #targetId: string;
  /** Where the page may be; requests for anything else are refused. */
  #origin = '';

  private constructor(connection: Connection, session: Session, targetId: string) {
    this.session = session;
    this.#connection = connection;
    this.#targetId = targetId;
  }

  /** Opens one at about:blank. */
  static async open(connection: Connection): Promise<HiddenPage> {
    const { browser } = connection;
    const { targetId } = await createTarget(browser);
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    if (!session) throw new DriverClosedError('The browser closed a page of the library as soon as it was opened.');
    return new HiddenPage(connection, session, targetId);
  }

  /** Lets `visit` work: every request is answered here, so that nothing reaches a network, a cache or a worker of a site. */
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

  /** Goes to an empty document of this origin. */
  async visit(origin: string): Promise<void> {
    this.#origin = origin;
    const arrived = Promise.withResolvers<void>();
    const stop = this.session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.securityOrigin === origin || frame.url.startsWith(`${origin}/`)) arrived.resolve();
    });
    try {
      const { errorText } = await this.session.send('Page.navigate', { url: `${origin}/` });
      if (errorText)
        throw new DriverNavigationError(`The browser does not open a document of ${origin}: ${errorText}.`, {
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

  // A browser that first tries https where http was asked for is refused that, and then does what was asked.
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
    // Whoever waits for the document learns by itself that the page is gone.
    answer.catch(ignoreRejection);
  }
}

/** Without any window the browser makes no hidden page; then it is one in a window of its own. */
async function createTarget(browser: Session): Promise<{ readonly targetId: string }> {
  try {
    return await browser.send('Target.createTarget', { url: ADDRESS, hidden: true });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return browser.send('Target.createTarget', { url: ADDRESS });
  }
}
