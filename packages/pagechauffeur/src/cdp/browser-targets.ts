import type { Protocol } from 'devtools-protocol';
import { Emitter } from '../util/emitter.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { BrowserWindows } from './browser-windows.ts';
import type { Connection } from './connection.ts';
import { isHiddenPage } from './hidden-page.ts';
import type { AddedScript } from './init-scripts.ts';
import { settleCommands } from './network/attached-target.ts';
import { NetworkControl, type NetworkSetup } from './network/network-control.ts';
import { type PageSetup, PageTarget } from './page-target.ts';
import type { EventParams } from './protocol.ts';

interface BrowserTargetsEvents {
  /** A page appeared; it may not be ready yet. */
  page: PageTarget;
  pageClosed: PageTarget;
  closed: string;
}

/** A page answers within milliseconds unless something blocks it. */
const PAGE_ANSWER_MS = 5000;

/** What is known of a page only when it comes, or is the browser's. */
type PerPage = 'connection' | 'initScripts' | 'control' | 'isNew';

interface BrowserTargetsSetup extends Omit<PageSetup, PerPage> {
  readonly network?: NetworkSetup;
  /** The browser was started for this connection: nothing has happened in its pages yet. */
  readonly isFresh: boolean;
}

/** The pages of a browser, whoever opened them, oldest first. */
export class BrowserTargets {
  readonly events: Emitter<BrowserTargetsEvents> = new Emitter();
  readonly #connection: Connection;
  /** What stands between the pages and the network. */
  readonly control: NetworkControl;
  readonly #setup: Omit<PageSetup, PerPage>;
  /** Whether pages that are attached to now are as the browser made them. */
  #areNew: boolean;
  readonly #initScripts = new Set<{ readonly source: string }>();
  readonly #pageById = new Map<string, PageTarget>();
  readonly #windows = new BrowserWindows();
  /** By the ids of pages, also of those that have closed. */
  readonly #openerIdById = new Map<string, string>();

  constructor(connection: Connection, { network = {}, isFresh, ...setup }: BrowserTargetsSetup) {
    this.#connection = connection;
    this.control = new NetworkControl(connection, network);
    this.#setup = setup;
    this.#areNew = isFresh;
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

  /** The page that opened the one with this target id, if it is still open; the other need not be. */
  openerOf(targetId: string): PageTarget | undefined {
    return this.#pageById.get(this.#openerIdById.get(targetId) ?? '');
  }

  /** Adds a script that runs in every document of every page before the page's own, from each page's next document on. */
  async addInitScript(source: string): Promise<AddedScript> {
    const script = { source };
    this.#initScripts.add(script);
    const added = await Promise.all(this.pages.map((page) => page.initScripts.add(source).catch(unlessClosed(page))));
    return {
      remove: async () => {
        this.#initScripts.delete(script);
        await Promise.all(added.filter((one) => one !== undefined).map((one) => one.remove()));
      },
    };
  }

  /**
   * Attaches to all pages that exist and, from now on, to each new one before it runs its first script. Gives the
   * pages that did not answer, which come last from then on: one may show a dialog that nobody closed, or be asleep,
   * and must not hold up the rest.
   */
  async start(): Promise<readonly PageTarget[]> {
    const { browser } = this.#connection;
    const { ignoreHTTPSErrors } = this.#setup;
    await Promise.all([
      ...this.control.start(),
      // Workers that no page owns have no such command of their own.
      ...(ignoreHTTPSErrors ? [browser.send('Security.setIgnoreCertificateErrors', { ignore: true })] : []),
      this.#connection.browser.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
      }),
    ]);
    this.#areNew = false;
    const answers = await Promise.all(
      this.pages.map(async (page) => ({ page, isReady: await withTimeout(PAGE_ANSWER_MS, isReady(page)) })),
    );
    const mute = answers.filter((answer) => answer.isReady === undefined).map(({ page }) => page);
    for (const page of mute) {
      this.#pageById.delete(page.id);
      this.#pageById.set(page.id, page);
    }
    return mute;
  }

  #attach(event: EventParams<'Target.attachedToTarget'>): void {
    const { sessionId, targetInfo, waitingForDebugger } = event;
    const session = this.#connection.session(sessionId);
    if (!session) return;
    if (isHiddenPage(targetInfo)) return void settleCommands([session.send('Runtime.runIfWaitingForDebugger')]);
    if (targetInfo.type !== 'page') return void this.control.attachWorker(event);
    const { viewport } = this.#setup;
    const requested = this.#openingPage(targetInfo)?.takeWindowSize();
    const page = new PageTarget(session, targetInfo, {
      ...this.#setup,
      viewport: viewport && (requested ?? viewport),
      connection: this.#connection,
      control: this.control,
      isNew: waitingForDebugger || this.#areNew,
      initScripts: [...this.#initScripts].map(({ source }) => source),
    });
    this.#pageById.set(page.id, page);
    page.events.on('closed', () => {
      this.#pageById.delete(page.id);
      this.#windows.remove(page);
      this.events.emit('pageClosed', page);
    });
    page.events.on('broughtToFront', () => this.#windows.bringToFront(page));
    void this.#windows.add(page);
    if (page.openerId !== undefined) this.#openerIdById.set(page.id, page.openerId);
    this.events.emit('page', page);
    this.openerOf(page.id)?.events.emit('popup', page);
  }

  /** Also the page of a window opened with `noopener`, which the browser names by its frame alone. */
  #openingPage({ openerId, openerFrameId }: Protocol.Target.TargetInfo): PageTarget | undefined {
    if (openerId !== undefined) return this.#pageById.get(openerId);
    if (openerFrameId === undefined) return undefined;
    return this.pages.find((page) => page.frames.frame(openerFrameId) !== undefined);
  }
}

/** A page that has closed needs nothing any more. */
function unlessClosed(page: PageTarget): (error: unknown) => undefined {
  return (error) => {
    if (!page.isClosed) throw error;
  };
}

/** A page that closes while it is waited for needs no answer any more. */
function isReady({ ready }: PageTarget): Promise<boolean> {
  return ready.then(
    () => true,
    () => false,
  );
}
