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
  /** A page was attached. Await `ready` before using it. */
  page: PageTarget;
  pageClosed: PageTarget;
  closed: string;
}

/** Time in ms for a page to become ready. Takes a few ms unless a dialog or a script blocks it. */
const PAGE_TIMEOUT_MS = 5000;

type PerPage = 'connection' | 'initScripts' | 'control' | 'isNew';

interface BrowserTargetsSetup extends Omit<PageSetup, PerPage> {
  readonly network?: NetworkSetup;
  /** True if this driver just started the browser, so no script has run in its pages yet. */
  readonly isFresh: boolean;
}

/** Attaches to all pages of a browser, and lists them oldest first. */
export class BrowserTargets {
  readonly events: Emitter<BrowserTargetsEvents> = new Emitter();
  readonly #connection: Connection;
  readonly control: NetworkControl;
  readonly #setup: Omit<PageSetup, PerPage>;
  /**
   * True while {@link start} attaches the first pages of a fresh browser. They are new, although they do not wait for a
   * debugger.
   */
  #areNew: boolean;
  readonly #initScripts = new Set<{ readonly source: string }>();
  readonly #pageById = new Map<string, PageTarget>();
  readonly #windows = new BrowserWindows();
  /**
   * Opener ids by page id. Keeps closed pages: a page opened for a download can close before the download begins, and
   * its opener then emits the event.
   */
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

  page(targetId: string): PageTarget | undefined {
    return this.#pageById.get(targetId);
  }

  /** Returns `undefined` if the page has no opener, or the opener has closed. */
  openerOf(targetId: string): PageTarget | undefined {
    return this.#pageById.get(this.#openerIdById.get(targetId) ?? '');
  }

  /** Adds a script that runs before the page's own scripts in each document that loads from now on. */
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
   * Attaches to existing pages, and to new pages before their first script runs. Returns pages that did not become
   * ready within 5 s, for example because of an open dialog. They are moved to the end of the list.
   */
  async start(): Promise<readonly PageTarget[]> {
    const { browser } = this.#connection;
    const { ignoreHTTPSErrors } = this.#setup;
    await Promise.all([
      ...this.control.start(),
      // Shared workers and service workers do not inherit the setting of a page.
      ...(ignoreHTTPSErrors ? [browser.send('Security.setIgnoreCertificateErrors', { ignore: true })] : []),
      this.#connection.browser.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
      }),
    ]);
    this.#areNew = false;
    const answers = await Promise.all(
      this.pages.map(async (page) => ({ page, isReady: await withTimeout(PAGE_TIMEOUT_MS, isReady(page)) })),
    );
    const unresponsive = answers.filter((answer) => answer.isReady === undefined).map(({ page }) => page);
    for (const page of unresponsive) {
      this.#pageById.delete(page.id);
      this.#pageById.set(page.id, page);
    }
    return unresponsive;
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

  /** Also finds the opener of a `noopener` window, for which the browser reports only the opener's frame id. */
  #openingPage({ openerId, openerFrameId }: Protocol.Target.TargetInfo): PageTarget | undefined {
    if (openerId !== undefined) return this.#pageById.get(openerId);
    if (openerFrameId === undefined) return undefined;
    return this.pages.find((page) => page.frames.frame(openerFrameId) !== undefined);
  }
}

function unlessClosed(page: PageTarget): (error: unknown) => undefined {
  return (error) => {
    if (!page.isClosed) throw error;
  };
}

/** Resolves to false if the page closes first. */
function isReady({ ready }: PageTarget): Promise<boolean> {
  return ready.then(
    () => true,
    () => false,
  );
}
