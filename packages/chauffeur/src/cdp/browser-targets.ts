import { handledElsewhere } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import type { Connection } from './connection.ts';
import { type PageSetup, PageTarget } from './page-target.ts';
import type { EventParams } from './protocol.ts';

interface BrowserTargetsEvents {
  /** A page appeared; it may not be ready yet. */
  page: PageTarget;
  pageClosed: PageTarget;
  closed: string;
}

/** The pages of a browser, whoever opened them, oldest first. */
export class BrowserTargets {
  readonly events: Emitter<BrowserTargetsEvents> = new Emitter();
  readonly #connection: Connection;
  readonly #setup: PageSetup;
  readonly #pageById = new Map<string, PageTarget>();

  constructor(connection: Connection, setup: PageSetup) {
    this.#connection = connection;
    this.#setup = setup;
    const { browser } = connection;
    browser.on('Target.attachedToTarget', (event) => this.#attach(event));
    browser.on('closed', (reason) => this.events.emit('closed', reason));
  }

  get pages(): readonly PageTarget[] {
    return [...this.#pageById.values()];
  }

  /** The page with this target id. */
  page(targetId: string): PageTarget | undefined {
    return this.#pageById.get(targetId);
  }

  /** Attaches to all pages that exist and, from now on, to each new one before it runs its first script. */
  async start(): Promise<void> {
    await this.#connection.browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    await Promise.all(this.pages.map((page) => page.ready));
  }

  #attach({ sessionId, targetInfo }: EventParams<'Target.attachedToTarget'>): void {
    const session = this.#connection.session(sessionId);
    if (!session) return;
    if (targetInfo.type !== 'page') {
      void session.send('Runtime.runIfWaitingForDebugger').catch(handledElsewhere);
      return;
    }
    const page = new PageTarget(this.#connection, session, targetInfo, this.#setup);
    this.#pageById.set(page.id, page);
    page.events.on('closed', () => {
      this.#pageById.delete(page.id);
      this.events.emit('pageClosed', page);
    });
    this.events.emit('page', page);
    if (page.openerId !== undefined) this.#pageById.get(page.openerId)?.events.emit('popup', page);
  }
}
