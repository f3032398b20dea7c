import { Connection } from 'pagechauffeur/internal';
import { guardHandler } from '../guard-handler.ts';
import { faultOf, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession, SessionStop } from '../sessions/live-session.ts';
import { PageList } from './page-list.ts';
import { ShownPage } from './shown-page.ts';

/**
 * `tabs`: the list of pages; `control`: who is in control; `pageRequest`: a dialog, file chooser or popup of a page;
 * `questions`: the open questions.
 */
export type UpdateKind = 'tabs' | 'control' | 'pageRequest' | 'questions';

interface LiveViewer {
  /** Identifies the operator across reconnects. */
  readonly seat: string;
  tell(what: UpdateKind): void;
  /** Called when the session ends or moves to another server. */
  end(reason: string, how: SessionStop): void;
}

interface LiveViewParts {
  readonly session: LiveSession;
  readonly log: PlatformLog;
  /** Called when the view has closed. */
  readonly onEnd: () => void;
}

const CONNECT_MS = 10_000;
const BEAT_MS = 15_000;

/** Shows a session's browser to all its viewers over one connection, which closes with the last viewer. */
export class LiveView {
  readonly session: LiveSession;
  readonly #parts: LiveViewParts;
  readonly #connection: Connection;
  readonly #pageByTarget = new Map<string, ShownPage>();
  readonly #viewers = new Set<LiveViewer>();
  readonly #unwatch: readonly (() => void)[];
  readonly #beats: NodeJS.Timeout;
  #list: PageList | undefined;
  /** True while a ping is unanswered. */
  #isAsked = false;

  private constructor(parts: LiveViewParts, connection: Connection) {
    this.#parts = parts;
    this.session = parts.session;
    this.#connection = connection;
    this.#unwatch = [
      this.session.control.watch(() => this.#changeControl()),
      this.session.questions.watch(() => this.#tellAll('questions')),
      this.session.onHandOver(() => this.#end('Another server owns the session now.', 'handed over')),
    ];
    const facts = { session: this.session.row.id };
    const door = { name: 'live view', log: parts.log, facts, end: () => connection.close() };
    this.#beats = setInterval(
      guardHandler(door, () => this.#beat()),
      BEAT_MS,
    ).unref();
    connection.browser.on('closed', () => this.#end(this.#closeReason()));
  }

  #closeReason(): string {
    const { fault } = this.#connection;
    if (fault === undefined) return 'The browser has exited.';
    const facts = { handler: 'live view', session: this.session.row.id, reason: faultOf(fault) };
    this.#parts.log.error(facts, 'ended a connection: the browser sent an invalid message');
    return 'The browser sent an invalid message.';
  }

  static async open(parts: LiveViewParts): Promise<LiveView> {
    const connection = await Connection.open(parts.session.browser.url, { signal: AbortSignal.timeout(CONNECT_MS) });
    const view = new LiveView(parts, connection);
    try {
      view.#list = await PageList.open(connection, () => view.#changeTabs());
      return view;
    } catch (error) {
      view.#end('');
      throw error;
    }
  }

  get list(): PageList | undefined {
    return this.#list;
  }

  add(viewer: LiveViewer): void {
    this.#viewers.add(viewer);
  }

  /** Removes a viewer. Closes the connection after the last one. */
  remove(viewer: LiveViewer): void {
    if (this.#viewers.delete(viewer) && this.#viewers.size === 0) this.#end('');
  }

  /** True if a connected viewer has this seat. */
  isTaken(seat: string): boolean {
    return [...this.#viewers].some((viewer) => viewer.seat === seat);
  }

  /** Returns the page with this target id. All viewers share one object per page. */
  page(targetId: string): ShownPage {
    const known = this.#pageByTarget.get(targetId);
    if (known) return known;
    const page = new ShownPage({
      connection: this.#connection,
      targetId,
      log: this.#parts.log,
      hasClients: () => this.session.clients > 0,
      onPageRequest: () => this.#tellAll('pageRequest'),
      onDocument: () => this.#list?.revive(targetId) && page.cast.restart(),
    });
    this.#pageByTarget.set(targetId, page);
    page.setPersonal(this.session.control.isTakenOver);
    return page;
  }

  #changeTabs(): void {
    for (const id of this.#pageByTarget.keys()) if (!this.#list?.has(id)) this.#pageByTarget.delete(id);
    this.#watchAll();
    this.#tellAll('tabs');
  }

  #changeControl(): void {
    this.#watchAll();
    for (const page of this.#pageByTarget.values()) page.setPersonal(this.session.control.isTakenOver);
    this.#tellAll('control');
  }

  /**
   * Attaches to all pages while an operator is in control, because a page that nobody watches may open a dialog too.
   */
  #watchAll(): void {
    if (this.session.control.isTakenOver) for (const { id } of this.#list?.tabs ?? []) this.page(id);
  }

  #tellAll(what: UpdateKind): void {
    for (const viewer of this.#viewers) viewer.tell(what);
  }

  /** Pings the browser every 15 s. If the last ping has no response, closes the view, so that viewers reconnect. */
  async #beat(): Promise<void> {
    if (this.#isAsked) return this.#end('The connection to the browser was lost.', 'handed over');
    this.#isAsked = true;
    try {
      await this.#connection.browser.send('Browser.getVersion');
      this.#isAsked = false;
    } catch (error) {
      this.#parts.log.info({ reason: reasonOf(error) }, 'a browser did not respond to the ping of a live view');
    }
  }

  #end(reason: string, how: SessionStop = 'ended'): void {
    clearInterval(this.#beats);
    for (const unwatch of this.#unwatch) unwatch();
    const viewers = [...this.#viewers];
    this.#viewers.clear();
    for (const viewer of viewers) this.#endViewer(viewer, reason, how);
    this.#connection.close();
    this.#parts.onEnd();
  }

  /** An error while closing one viewer must not keep the others open. */
  #endViewer(viewer: LiveViewer, reason: string, how: SessionStop): void {
    try {
      viewer.end(reason, how);
    } catch (error) {
      const facts = { session: this.session.row.id, reason: reasonOf(error) };
      this.#parts.log.error(facts, 'cannot close the connection of a viewer');
    }
  }
}
