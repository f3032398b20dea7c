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
  /** True if clients are connected, which handle dialogs themselves. */
  readonly hasClients: () => boolean;
  /** Called when a dialog, file chooser or control popup opens or closes. */
  readonly onPageRequest: () => void;
  readonly onDocument: () => void;
}

const NO_PAGE_REQUEST: PageRequest = { dialog: undefined, files: undefined, field: undefined };

/** A page in the live view: its screencast, dialogs and popups, on one CDP session. */
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

  /** Undefined until `session` has attached to the page. */
  get pageRequests(): PageRequests | undefined {
    return this.#pageRequests;
  }

  /** Undefined until `session` has attached to the page. */
  get fields(): PageFields | undefined {
    return this.#fields;
  }

  /** While an operator is in control, dialogs and file choosers go to the operator instead of the clients. */
  setPersonal(isPersonal: boolean): void {
    this.#isPersonal = isPersonal;
    if (!isPersonal) this.#fields?.close();
    if (this.#pageRequests) this.#pageRequests.setPersonal(isPersonal);
    else if (isPersonal)
      this.session().catch((error: unknown) => {
        // The page has closed. `PageList` reports that.
        this.#parts.log.info({ target: this.targetId, reason: reasonOf(error) }, 'a page was closed');
      });
  }

  /** Attaches to the page on the first call. */
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
