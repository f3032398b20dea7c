import { Connection } from 'chauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import { PageList } from './page-list.ts';
import { Screencast } from './screencast.ts';

/** Somebody who looks. */
interface Onlooker {
  /** Says what has changed. */
  tell(what: 'tabs' | 'control'): void;
  /** There is nothing more to see. */
  end(reason: string): void;
}

interface LiveViewParts {
  readonly session: LiveSession;
  readonly log: PlatformLog;
  /** Called when the last viewer has gone, or the browser. */
  readonly onEnd: () => void;
}

const CONNECT_MS = 10_000;

/** Everybody who looks at the browser of one session, on one connection to it that is there as long as they are. */
export class LiveView {
  readonly session: LiveSession;
  readonly #parts: LiveViewParts;
  readonly #connection: Connection;
  readonly #castByTarget = new Map<string, Screencast>();
  readonly #viewers = new Set<Onlooker>();
  readonly #unwatch: () => void;
  #list: PageList | undefined;

  private constructor(parts: LiveViewParts, connection: Connection) {
    this.#parts = parts;
    this.session = parts.session;
    this.#connection = connection;
    this.#unwatch = this.session.control.watch(() => this.#tellAll('control'));
    connection.browser.on('closed', () => this.#end('The browser ended.'));
  }

  /** Connects to the browser of a session. */
  static async open(parts: LiveViewParts): Promise<LiveView> {
    const connection = await Connection.open(parts.session.browser.url, { signal: AbortSignal.timeout(CONNECT_MS) });
    const view = new LiveView(parts, connection);
    view.#list = await PageList.open(connection, () => view.#changeTabs());
    return view;
  }

  get list(): PageList | undefined {
    return this.#list;
  }

  /** Somebody has come to look. */
  add(viewer: Onlooker): void {
    this.#viewers.add(viewer);
  }

  /** Somebody has gone; the last one takes the connection along. */
  remove(viewer: Onlooker): void {
    if (this.#viewers.delete(viewer) && this.#viewers.size === 0) this.#end('');
  }

  /** The pictures of a page. */
  cast(targetId: string): Screencast {
    const known = this.#castByTarget.get(targetId);
    if (known) return known;
    const cast = new Screencast({ connection: this.#connection, targetId, log: this.#parts.log });
    this.#castByTarget.set(targetId, cast);
    return cast;
  }

  #changeTabs(): void {
    for (const id of this.#castByTarget.keys()) if (!this.#list?.has(id)) this.#castByTarget.delete(id);
    this.#tellAll('tabs');
  }

  #tellAll(what: 'tabs' | 'control'): void {
    for (const viewer of this.#viewers) viewer.tell(what);
  }

  #end(reason: string): void {
    this.#unwatch();
    for (const viewer of this.#viewers) viewer.end(reason);
    this.#viewers.clear();
    this.#connection.close();
    this.#parts.onEnd();
  }
}
