import type { Protocol } from 'devtools-protocol';
import { DriverClosedError, DriverIframeError } from '../errors.ts';
import { injectedSource } from '../generated/injected-source.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import type { Progress } from '../util/progress.ts';
import { BackgroundDrawing } from './background-drawing.ts';
import type { Connection } from './connection.ts';
import type { DownloadState } from './download-state.ts';
import type { FrameNode } from './frame-node.ts';
import { FrameTree } from './frame-tree.ts';
import { InitScripts } from './init-scripts.ts';
import { type AttachedTarget, settleCommands } from './network/attached-target.ts';
import type { NetworkControl } from './network/network-control.ts';
import { NETWORK_SETTINGS, NetworkMonitor } from './network-monitor.ts';
import { OpenDialog } from './open-dialog.ts';
import { type PageLock, sharePageLock, type Turn } from './page-lock.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import { PopupHold, SETUP_COMMANDS } from './popup-hold.ts';
import type { EventParams } from './protocol.ts';
import { ScriptReports } from './script-reports.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME } from './world.ts';

/** Time in ms in which the browser announces a popup after the action that opened it. */
const POPUP_TIMEOUT_MS = 300;

interface PageTargetEvents {
  /** The page is gone, for the reason in the payload. */
  closed: string;
  dialog: OpenDialog;
  popup: PageTarget;
  /** Reported by the browser, if its download events are enabled. */
  download: DownloadState;
  /** Reported by the page's process, even if the browser's download events are disabled. */
  downloadNoticed: { readonly suggestedFilename: string };
  /** A session was added: the page's own, or one for an out-of-process frame. */
  session: Session;
  broughtToFront: undefined;
}

/** In CSS pixels. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** Settings that apply before the page's first script runs. */
export interface PageSetup {
  readonly connection: Connection;
  /** The viewport to emulate. `undefined` keeps the window's own size. */
  readonly viewport: WindowSize | undefined;
  readonly ignoreHTTPSErrors: boolean;
  /** True if the browser can read local files, because this driver has started it. */
  readonly sharesFiles: boolean;
  readonly isRented: boolean;
  readonly control: NetworkControl;
  /** True if the page's first script has not run yet. */
  readonly isNew: boolean;
  readonly initScripts: readonly string[];
}

/** A page in CDP, with one session for itself and one for each out-of-process frame. */
export class PageTarget {
  readonly id: string;
  readonly openerId: string | undefined;
  /** True if another page opened this one, even if that page is unknown. */
  readonly isPopup: boolean;
  readonly openedUrl: string;
  readonly session: Session;
  readonly frames: FrameTree;
  readonly network: NetworkMonitor = new NetworkMonitor();
  readonly scripts: ScriptReports = new ScriptReports();
  readonly events: Emitter<PageTargetEvents> = new Emitter();
  /** Resolves once the page is usable. Rejects if it closes first. */
  readonly ready: Promise<void>;
  /**
   * Set if another library, such as Playwright, also has an object for this page: returns true if that object listens
   * for dialogs.
   */
  hasForeignDialogListener: (() => boolean) | undefined;
  /** Makes the browser draw the page while another page is in front of it. */
  readonly drawing: BackgroundDrawing;
  isClosing = false;
  openDialog: OpenDialog | undefined;
  readonly initScripts: InitScripts;
  /** Sizes that the page requested for its popups, oldest first, until the popups are attached. */
  readonly #windowSizes: (WindowSize | undefined)[] = [];
  /** Shared by all connections of this process to the target. */
  readonly lock: PageLock;
  readonly #leaveLock: () => void;
  readonly #sessions = new Set<Session>();
  readonly #wasVisible = deferred<boolean>();
  readonly #gone = new AbortController();
  #hasCrashed = false;
  #turns = 0;
  #lastTurnEnd = Number.NEGATIVE_INFINITY;
  readonly #setup: PageSetup;
  /** Present until the first script of a popup runs. */
  #hold: PopupHold | undefined;

  constructor(session: Session, info: Protocol.Target.TargetInfo, setup: PageSetup) {
    this.id = info.targetId;
    this.openerId = info.openerId;
    this.isPopup = (info.openerId ?? info.openerFrameId) !== undefined;
    this.openedUrl = info.url;
    this.session = session;
    this.#setup = setup;
    const { lock, leave } = sharePageLock(info.targetId);
    this.lock = lock;
    this.#leaveLock = leave;
    this.initScripts = new InitScripts(setup.initScripts, () =>
      this.awaitsFirstDocument && !this.isHeld ? this.frames.main : undefined,
    );
    this.frames = new FrameTree(info.targetId, session);
    this.frames.events.on('attached', (frame) => this.#adopt(frame));
    this.drawing = new BackgroundDrawing(session);
    session.on('closed', (reason) => this.#close(reason));
    session.on('Page.downloadWillBegin', (event) => this.events.emit('downloadNoticed', event));
    // The page's session also reports dialogs of out-of-process frames.
    session.on('Page.javascriptDialogOpening', (event) => this.#openDialog(event));
    session.on('Page.javascriptDialogClosed', ({ result }) => this.#closeDialog(result));
    if (setup.isNew && this.isPopup) this.#hold = new PopupHold({ answers: info.canAccessOpener });
    const started = this.#start(session, this.frames.main);
    started.catch(ignoreRejection);
    if (this.#hold) session.holdUntil(this.#firstDocumentBegun(started), SETUP_COMMANDS);
    this.ready = this.#isEmpty(session) ? this.#readyImmediately(started) : started;
  }

  /** Uses the browser session, because a page that is changing its process does not respond. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.#setup.connection.browser.send('Target.closeTarget', { targetId: this.id });
  }

  /**
   * Returns the `width=…,height=…` that the page requested for its next popup. The browser reports requests in the
   * order in which it attaches the popups.
   */
  takeWindowSize(): WindowSize | undefined {
    return this.#windowSizes.shift();
  }

  /** Runs an action with the page lock. `label` is its name in the call logs of waiting calls. */
  takeTurn<T>(progress: Progress, label: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const inputInFlight = (): Promise<unknown> | undefined => this.#inputInFlight();
    this.#turns += 1;
    return this.lock.run({ progress, label, gone: this.gone, inputInFlight }, work).finally(() => {
      this.#turns -= 1;
      this.#lastTurnEnd = performance.now();
    });
  }

  /** Remaining time in ms in which a popup of the last action can be announced. */
  get openingTime(): number {
    return this.#turns > 0 ? POPUP_TIMEOUT_MS : Math.max(0, this.#lastTurnEnd + POPUP_TIMEOUT_MS - performance.now());
  }

  /**
   * True if the page was in front when it was attached. Read before focus emulation makes it visible to its own
   * scripts.
   */
  get wasVisible(): Promise<boolean> {
    return this.#wasVisible.promise;
  }

  async bringToFront(): Promise<void> {
    await this.session.send('Page.bringToFront');
    this.events.emit('broughtToFront', undefined);
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions];
  }

  /** Waits until the browser has acknowledged all input. Before that, input can still reach the page. */
  async inputTaken(): Promise<void> {
    for (let input = this.#inputInFlight(); input; input = this.#inputInFlight()) await input.catch(ignoreRejection);
  }

  #inputInFlight(): Promise<unknown> | undefined {
    return this.sessions.map((session) => session.inputInFlight).find((input) => input !== undefined);
  }

  get obstacle(): string | undefined {
    const { openDialog } = this;
    return openDialog?.outcome === 'open'
      ? `The page shows ${openDialog.label}. The page is blocked until the dialog is answered, for example in a \`dialog\` listener.`
      : undefined;
  }

  get isRented(): boolean {
    return this.#setup.isRented;
  }

  get connection(): Connection {
    return this.#setup.connection;
  }

  get isShared(): boolean {
    return this.#setup.connection.isShared;
  }

  get sharesFiles(): boolean {
    return this.#setup.sharesFiles;
  }

  get isClosed(): boolean {
    return this.session.isClosed;
  }

  /** Throws if the page crashed or `close()` was called, but not if the page closed itself. */
  throwIfLost(): void {
    if (this.#hasCrashed || this.isClosing) this.gone.throwIfAborted();
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Prepares a session of the page or of an out-of-process frame. Sends all commands in one burst, so this takes one
   * round trip.
   */
  async #start(session: Session, frame: FrameNode | undefined): Promise<void> {
    session.address = () => this.#addressOf(session);
    this.drawing.watch(session);
    this.frames.listen(session);
    this.network.listen(session);
    this.scripts.add(session);
    session.on('Inspector.targetCrashed', () => this.#crash(session));
    session.on('Page.windowOpen', ({ windowFeatures }) => this.#windowSizes.push(requestedSize(windowFeatures)));
    session.on('closed', () => this.#sessions.delete(session));
    this.#sessions.add(session);
    this.events.emit('session', session);
    const children: Promise<void>[] = [];
    session.on('Target.attachedToTarget', (event) => children.push(this.#attachChild(event)));
    session.on('Target.detachedFromTarget', (event) => this.#detachChild(event));
    await Promise.all([
      // Sent before the frame tree is requested. If another client resumes the target, a document may be committed in
      // between.
      session.sendOnce('Page.enable'),
      session.sendInOrder('Page.getFrameTree', ({ frameTree }) => this.frames.adoptTree(session, frameTree)),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      // Creates the main world, if there is none. Init scripts run when it is created, and must run once only.
      settleCommands([this.#makeMainWorld(session)]),
      installProgram(session, frame, { isEmpty: this.#isEmpty(session) }),
      ...this.initScripts.install(session),
      session.sendOnce('Network.enable', NETWORK_SETTINGS),
      settleCommands(this.control.attach(this.#attachedTarget(session))),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      ...this.#emulation(session),
      this.#letRun(session),
    ]);
    // Sessions of existing out-of-process frames are attached by now.
    await Promise.all(children);
  }

  async #letRun(session: Session): Promise<void> {
    const hold = session === this.session ? this.#hold : undefined;
    if (hold) {
      await hold.end();
      this.#hold = undefined;
    }
    await session.send('Runtime.runIfWaitingForDebugger');
  }

  /**
   * True until the first document of a new page is committed. Popups are not the only such pages: for a tab that a
   * Ctrl-click or middle click opened, the browser reports no opener.
   */
  get awaitsFirstDocument(): boolean {
    return this.isNew && this.frames.main.url === '';
  }

  /** True if no script of the page had run when the page was attached. */
  get isNew(): boolean {
    return this.#setup.isNew;
  }

  /** True for a popup until its first script may run. Listeners for the popup are called before that. */
  get isHeld(): boolean {
    return this.#hold !== undefined;
  }

  /**
   * Delays the first script of a popup until `setup` settles, at most 5 s, so that the setup applies to its first
   * document.
   */
  setUp(setup: Promise<unknown>): void {
    this.#hold?.add(setup);
  }

  /**
   * Settles once the popup runs or its document is requested. A popup without an opener responds only after its
   * document is committed.
   */
  #firstDocumentBegun(started: Promise<void>): Promise<unknown> {
    const requested = deferred<void>();
    const stop = this.network.events.on('started', ({ type }) => type === 'Document' && requested.resolve());
    return Promise.race([started, requested.promise]).finally(stop);
  }

  /**
   * An empty page is usable before its process exists. Waiting for the process would take a sixth of the browser's
   * start time. Commands are held until the page is prepared.
   */
  async #readyImmediately(started: Promise<void>): Promise<void> {
    this.frames.main.url = this.openedUrl;
    this.session.holdUntil(started);
    started.catch((error: unknown) => this.frames.main.worlds.fail(error));
  }

  /** True for a new blank page that no other page can access. */
  #isEmpty(session: Session): boolean {
    return session === this.session && this.#setup.isNew && !this.isPopup && EMPTY_PAGES.has(this.openedUrl);
  }

  async #makeMainWorld(session: Session): Promise<void> {
    let isVisible = false;
    try {
      // The page may have defined a getter, which must not run.
      const { result } = await session.send('Runtime.evaluate', {
        expression: 'document.visibilityState',
        throwOnSideEffect: true,
      });
      isVisible = result.value === 'visible';
    } finally {
      if (session === this.session) this.#wasVisible.resolve(isVisible);
    }
  }

  #emulation(session: Session): Promise<unknown>[] {
    const { viewport, ignoreHTTPSErrors } = this.#setup;
    const isPage = session === this.session;
    const commands: Promise<unknown>[] = [];
    if (viewport && isPage) {
      commands.push(
        session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 0, mobile: false }),
      );
    }
    if (ignoreHTTPSErrors) commands.push(session.send('Security.setIgnoreCertificateErrors', { ignore: true }));
    return commands;
  }

  get control(): NetworkControl {
    return this.#setup.control;
  }

  #attachedTarget(session: Session): AttachedTarget {
    const type = session === this.session ? 'page' : 'iframe';
    return { session, targetId: this.id, type, pageId: this.id, isNew: false };
  }

  /** The URL of the topmost document that the session serves. */
  #addressOf(session: Session): string {
    if (session === this.session) return this.frames.main.url || this.openedUrl;
    return this.frames.frames.find((frame) => frame.session === session)?.url ?? '';
  }

  async #attachChild(event: EventParams<'Target.attachedToTarget'>): Promise<void> {
    const { sessionId, targetInfo } = event;
    if (targetInfo.type !== 'iframe') {
      this.network.workerStarted(targetInfo.url);
      return this.control.attachWorker(event, this.id);
    }
    const session = this.#setup.connection.session(sessionId);
    if (!session) return;
    const frame = this.frames.frame(targetInfo.targetId);
    if (frame) this.frames.moveTo(frame, session);
    try {
      await this.#start(session, frame);
    } catch (error) {
      ignoreGone(error);
    }
  }

  #detachChild({ sessionId, targetId }: EventParams<'Target.detachedFromTarget'>): void {
    const session = this.#setup.connection.session(sessionId);
    if (session && targetId) this.frames.leaveRemote(targetId, session);
  }

  /**
   * Registers with the parent document which of its elements contains this frame. The browser provides the element,
   * because the page could fake it.
   */
  #adopt(frame: FrameNode): void {
    const { parent } = frame;
    if (!parent) return;
    const { session } = parent;
    frame.adopted = adoptFrame(frame, parent, session).catch(ignoreGone);
    frame.adopted.catch(ignoreRejection);
  }

  #crash(session: Session): void {
    // All other sessions end with the page's own.
    if (session === this.session) {
      this.#hasCrashed = true;
      return session.markClosed('The page crashed');
    }
    for (const frame of this.frames.frames) {
      if (frame.session === session)
        frame.worlds.fail(new DriverIframeError(`The frame ${frame.url || frame.id} crashed.`));
    }
    session.markClosed('The frame crashed');
  }

  #openDialog(event: EventParams<'Page.javascriptDialogOpening'>): void {
    this.openDialog = new OpenDialog(this.session, event);
    this.lock.isPageStopped = true;
    this.events.emit('dialog', this.openDialog);
  }

  #closeDialog(isAccepted: boolean): void {
    this.openDialog?.settle(isAccepted ? 'accepted' : 'dismissed');
    this.openDialog = undefined;
    this.lock.isPageStopped = false;
  }

  #close(reason: string): void {
    this.#closeDialog(false);
    const loss = new DriverClosedError(`${reason}.`, this.session.recovery);
    this.#gone.abort(loss);
    this.#leaveLock();
    for (const frame of this.frames.frames) frame.worlds.fail(loss);
    this.events.emit('closed', reason);
  }
}

/** Delays the first scripts of new popups until `setup` settles. */
export function setUpPages(pages: readonly PageTarget[], setup: Promise<unknown>): void {
  for (const page of pages) page.setUp(setup);
}

/** As in browsers, a size counts only if it has both width and height. */
function requestedSize(features: readonly string[]): WindowSize | undefined {
  const side = (name: string): number =>
    Number(features.find((feature) => feature.startsWith(`${name}=`))?.slice(name.length + 1) ?? 0);
  const [width, height] = [side('width'), side('height')];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

const EMPTY_PAGES: ReadonlySet<string> = new Set(['', 'about:blank']);

/**
 * Adds the injected script to every document of a session, and requests the world of the current one. Compiling the
 * script takes a sixth of the time that a new page needs to open, so a blank page, which is usually left next, gets it
 * later.
 */
function installProgram(
  session: Session,
  frame: FrameNode | undefined,
  { isEmpty }: { readonly isEmpty: boolean },
): Promise<unknown> {
  const installed = session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: injectedSource,
    worldName: ISOLATED_WORLD_NAME,
    runImmediately: !isEmpty,
  });
  if (isEmpty) frame?.worlds.installLater();
  else frame?.worlds.prepare();
  return installed;
}

async function adoptFrame(frame: FrameNode, parent: FrameNode, session: Session): Promise<void> {
  const frameId = frame.id;
  const nonce = crypto.randomUUID();
  const [{ backendNodeId }, world] = await Promise.all([
    session.send('DOM.getFrameOwner', { frameId }),
    parent.worlds.isolated,
  ]);
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: world.contextId });
  if (object.objectId === undefined) return;
  const isNonceUnknown = await world.call('adoptFrame', { objectId: object.objectId }, frameId, nonce);
  if (isNonceUnknown) frame.nonce = nonce;
  await session.send('Runtime.releaseObject', { objectId: object.objectId });
}

/** For background work on frames and pages that may be gone by now. */
function ignoreGone(error: unknown): void {
  if ([ProtocolError, DriverClosedError, DocumentGoneError, DriverIframeError].some((kind) => error instanceof kind))
    return;
  throw error;
}
