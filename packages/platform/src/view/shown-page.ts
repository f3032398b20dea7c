import type { Connection, Session } from 'pagechauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import { reasonOf } from '../errors.ts';
import { PageFields } from './page-fields.ts';
import { PageRequests } from './page-requests.ts';
import { Screencast } from './screencast.ts';
import type { PageRequest } from './view-wire.ts';

interface ShownPageParts {
  readonly connection: Connection;
  readonly targetId: string;
  readonly log: PlatformLog;
  /** True if the browser has clients, which handle its pages' requests. */
  readonly hasClients: () => boolean;
  /** Called when the page requests something. */
  readonly onPageRequest: () => void;
  /** Called when the page has a new document. */
  readonly onDocument: () => void;
}

const NO_PAGE_REQUEST: PageRequest = { dialog: undefined, files: undefined, field: undefined };

/** A page for viewers and operators: its screencast and requests, on one CDP session. */
export class ShownPage {
  readonly targetId: string;
  readonly cast: Screencast;
  readonly #parts: ShownPageParts;
  #attached: Promise<Session> | undefined;
  #pageRequests: PageRequests | undefined;
  #fields: PageFields | undefined;
  #isPersonal = false;

  constructor(parts: ShownPageParts) {
    const { targetId, log } = parts;
    this.#parts = parts;
    this.targetId = targetId;
    this.cast = new Screencast({ targetId, log, session: () => this.session() });
  }

  get pageRequest(): PageRequest {
    return this.#pageRequests ? { ...this.#pageRequests.pageRequest, field: this.#fields?.shown } : NO_PAGE_REQUEST;
  }

  /** Requests of the page, once attached. */
  get pageRequests(): PageRequests | undefined {
    return this.#pageRequests;
  }

  /** Controls with browser popups. */
  get fields(): PageFields | undefined {
    return this.#fields;
  }

  /** Sets whether an operator is in control. The operator then gets requests instead of the clients. */
  setPersonal(isPersonal: boolean): void {
    this.#isPersonal = isPersonal;
    if (!isPersonal) this.#fields?.close();
    if (this.#pageRequests) this.#pageRequests.setPersonal(isPersonal);
    else if (isPersonal)
      this.session().catch((error: unknown) => {
        // The page was closed. The page list reports it.
        this.#parts.log.info({ target: this.targetId, reason: reasonOf(error) }, 'a page was closed');
      });
  }

  /** Returns the page's session. */
  session(): Promise<Session> {
    this.#attached ??= this.#attach();
    return this.#attached;
  }

  async #attach(): Promise<Session> {
    const { connection, targetId, log, hasClients, onPageRequest, onDocument } = this.#parts;
    const { sessionId } = await connection.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    if (!session) throw new TypeError('the CDP session has ended');
    this.#pageRequests = new PageRequests({ session, log, hasClients, onChange: onPageRequest });
    this.#pageRequests.setPersonal(this.#isPersonal);
    const fields = new PageFields({ session, frameId: targetId, onChange: onPageRequest });
    this.#fields = fields;
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      fields.close();
      onDocument();
    });
    return session;
  }
}
