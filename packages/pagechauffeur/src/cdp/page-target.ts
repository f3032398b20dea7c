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

/** The browser announces a page within this time of the action that opens it, in milliseconds. */
const OPENING_MS = 300;

interface PageTargetEvents {
  /** The page is gone; why, in words. */
  closed: string;
  dialog: OpenDialog;
  /** The page opened another page. */
  popup: PageTarget;
  /** A click in this page opened a download or the page asked for one. */
  download: DownloadState;
  /** The page's own word of a download, which comes also where the browser was not asked to report them. */
  downloadNoticed: { readonly suggestedFilename: string };
  /** Another process serves a part of the page from now on. */
  session: Session;
  /** The page was brought to the front of its window. */
  broughtToFront: undefined;
}

/** In CSS pixels. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** How a new page is set up before it runs its first script. */
export interface PageSetup {
  readonly connection: Connection;
  /** The viewport to emulate; undefined keeps the window's own. */
  readonly viewport: WindowSize | undefined;
  readonly ignoreHTTPSErrors: boolean;
  /** The browser runs on this machine and reads the same files. */
  readonly sharesFiles: boolean;
  /** A platform rents the browser out. */
  readonly isRented: boolean;
  readonly control: NetworkControl;
  /** The page has yet to run its first script. */
  readonly isNew: boolean;
  /** Scripts for every document, in their order. */
  readonly initScripts: readonly string[];
}

/** A page as the protocol sees it: its sessions (one per process), frames and requests. */
export class PageTarget {
  readonly id: string;
  readonly openerId: string | undefined;
  /** Whether another page opened it, which need not be known as its opener. */
  readonly isPopup: boolean;
  /** The address it had when it was seen first. */
  readonly openedUrl: string;
  readonly session: Session;
  readonly frames: FrameTree;
  readonly network: NetworkMonitor = new NetworkMonitor();
  readonly scripts: ScriptReports = new ScriptReports();
  readonly events: Emitter<PageTargetEvents> = new Emitter();
  /** Settled once the page can be worked with; rejected when it closed before. */
  readonly ready: Promise<void>;
  /** Whether the page's object in another library has a listener for dialogs; undefined when no such object is known. */
  hasForeignDialogListener: (() => boolean) | undefined;
  /** Keeps frames coming while another page is in front of this one. */
  readonly drawing: BackgroundDrawing;
  /** The browser was asked to close the page. */
  isClosing = false;
  /** The dialog that stands open now. */
  openDialog: OpenDialog | undefined;
  readonly initScripts: InitScripts;
  /** Sizes that windows opened by this page asked for, oldest first, until their pages are attached. */
  readonly #windowSizes: (WindowSize | undefined)[] = [];
  /** Gives actions their turns; whoever is attached to the same target in this process shares it. */
  readonly lock: PageLock;
  readonly #leaveLock: () => void;
  readonly #sessions = new Set<Session>();
  readonly #wasVisible = deferred<boolean>();
  readonly #gone = new AbortController();
  #hasCrashed = false;
  /** Actions that are under way, or wait for their turn. */
  #turns = 0;
  #lastTurnEnd = Number.NEGATIVE_INFINITY;
  readonly #setup: PageSetup;
  /** Of a popup that has yet to run its first script. */
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
    // Dialogs of frames in other processes are told here, too.
    session.on('Page.javascriptDialogOpening', (event) => this.#openDialog(event));
    session.on('Page.javascriptDialogClosed', ({ result }) => this.#closeDialog(result));
    if (setup.isNew && this.isPopup) this.#hold = new PopupHold({ answers: info.canAccessOpener });
    const started = this.#start(session, this.frames.main);
    started.catch(ignoreRejection);
    if (this.#hold) session.holdUntil(this.#firstDocumentBegun(started), SETUP_COMMANDS);
    this.ready = this.#isEmpty(session) ? this.#readyAtOnce(started) : started;
  }

  /** Asks the browser to close the page. It is the browser that is asked: a page that is changing its process answers nothing. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.#setup.connection.browser.send('Target.closeTarget', { targetId: this.id });
  }

  /**
   * The size that the next window of this page asked for by `width=…,height=…`; the browser reports windows in the order in
   * which it attaches their pages.
   */
  takeWindowSize(): WindowSize | undefined {
    return this.#windowSizes.shift();
  }

  /** Acts on the page in a turn of its own; `label` says what is done, for those that wait for theirs. */
  takeTurn<T>(progress: Progress, label: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const inputInFlight = (): Promise<unknown> | undefined => this.#inputInFlight();
    this.#turns += 1;
    return this.lock.run({ progress, label, gone: this.gone, inputInFlight }, work).finally(() => {
      this.#turns -= 1;
      this.#lastTurnEnd = performance.now();
    });
  }

  /** For how many more milliseconds an action on the page may open another page. */
  get openingTime(): number {
    return this.#turns > 0 ? OPENING_MS : Math.max(0, this.#lastTurnEnd + OPENING_MS - performance.now());
  }

  /** Whether the page was in front when it was attached to, before focus emulation made it visible to its own scripts. */
  get wasVisible(): Promise<boolean> {
    return this.#wasVisible.promise;
  }

  /** Brings the page to the front of its window. */
  async bringToFront(): Promise<void> {
    await this.session.send('Page.bringToFront');
    this.events.emit('broughtToFront', undefined);
  }

  /** The sessions of all processes that serve the page now. */
  get sessions(): readonly Session[] {
    return [...this.#sessions];
  }

  /** Waits until the browser has acknowledged all input. Until then input may still reach the page. */
  async inputTaken(): Promise<void> {
    for (let input = this.#inputInFlight(); input; input = this.#inputInFlight()) await input.catch(ignoreRejection);
  }

  #inputInFlight(): Promise<unknown> | undefined {
    return this.sessions.map((session) => session.inputInFlight).find((input) => input !== undefined);
  }

  /** What keeps the page from answering, in words, if anything is known to. */
  get obstacle(): string | undefined {
    const { openDialog } = this;
    return openDialog?.outcome === 'open'
      ? `The page shows ${openDialog.label} and nobody has answered it.`
      : undefined;
  }

  /** Whether a platform rents the browser out. */
  get isRented(): boolean {
    return this.#setup.isRented;
  }

  /** Whether other programs may be connected to the same browser. */
  get isShared(): boolean {
    return this.#setup.connection.isShared;
  }

  /** Whether the browser reads the files of this machine. */
  get sharesFiles(): boolean {
    return this.#setup.sharesFiles;
  }

  get isClosed(): boolean {
    return this.session.isClosed;
  }

  /** Throws when the page crashed, or was closed by whoever works with it: neither is what an action does to its page. */
  throwIfLost(): void {
    if (this.#hasCrashed || this.isClosing) this.gone.throwIfAborted();
  }

  /** Aborted, with a `DriverClosedError`, when the page is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Prepares a session, a page's first or one of a frame in another process: one burst, one round trip. */
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
      // Before the tree is asked for: a document may come between the two, where somebody else lets the target run.
      session.sendOnce('Page.enable'),
      session.sendInOrder('Page.getFrameTree', ({ frameTree }) => this.frames.adoptTree(session, frameTree)),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      // Makes the main world where there is none yet: it is its making that scripts run at, and they are to run once.
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
    // Frames in other processes that were there before are attached by now, and belong to the page.
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
   * Whether the page was opened for a document that it does not show yet. It need not be a popup: the browser names no opener of
   * a tab that a click with Ctrl or the middle button opens.
   */
  get awaitsFirstDocument(): boolean {
    return this.isNew && this.frames.main.url === '';
  }

  /** Whether the page was opened while the driver was connected, by whomever. */
  get isNew(): boolean {
    return this.#setup.isNew;
  }

  /** Whether the page is a popup that waits to run its first script; its listeners are told before it does. */
  get isHeld(): boolean {
    return this.#hold !== undefined;
  }

  /** A popup that has not run yet waits for this setup, so that it holds for its first document. */
  setUp(setup: Promise<unknown>): void {
    this.#hold?.add(setup);
  }

  /** Settled once a popup runs, or the browser has asked for its document: one without an opener answers only when that is there. */
  #firstDocumentBegun(started: Promise<void>): Promise<unknown> {
    const asked = deferred<void>();
    const stop = this.network.events.on('started', ({ type }) => type === 'Document' && asked.resolve());
    return Promise.race([started, asked.promise]).finally(stop);
  }

  /**
   * An empty page can be worked with before its process is there, which takes a sixth of a browser's start: what is
   * asked of it goes out when it is prepared.
   */
  async #readyAtOnce(started: Promise<void>): Promise<void> {
    this.frames.main.url = this.openedUrl;
    this.session.holdUntil(started);
    started.catch((error: unknown) => this.frames.main.worlds.fail(error));
  }

  /** Whether the session's document is the empty one of a page that nobody else has a hand in. */
  #isEmpty(session: Session): boolean {
    return session === this.session && this.#setup.isNew && !this.isPopup && EMPTY_PAGES.has(this.openedUrl);
  }

  async #makeMainWorld(session: Session): Promise<void> {
    let isVisible = false;
    try {
      // The page may have put a getter of its own there, which must not notice.
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

  /** What stands between the page and the network. */
  get control(): NetworkControl {
    return this.#setup.control;
  }

  #attachedTarget(session: Session): AttachedTarget {
    const type = session === this.session ? 'page' : 'iframe';
    return { session, targetId: this.id, type, pageId: this.id, isNew: false };
  }

  /** The address of the topmost document that the session serves. */
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

  /** Tells the parent document which of its elements holds this frame; the browser is asked, never the page. */
  #adopt(frame: FrameNode): void {
    const { parent } = frame;
    if (!parent) return;
    const { session } = parent;
    frame.adopted = adoptFrame(frame, parent, session).catch(ignoreGone);
    frame.adopted.catch(ignoreRejection);
  }

  #crash(session: Session): void {
    // All that belongs to the page ends with its session.
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

/** Sets pages up; those that have not run yet wait for it. */
export function setUpPages(pages: readonly PageTarget[], setup: Promise<unknown>): void {
  for (const page of pages) page.setUp(setup);
}

/** Like a browser, heeds a size only when both sides are named. */
function requestedSize(features: readonly string[]): WindowSize | undefined {
  const side = (name: string): number =>
    Number(features.find((feature) => feature.startsWith(`${name}=`))?.slice(name.length + 1) ?? 0);
  const [width, height] = [side('width'), side('height')];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

const EMPTY_PAGES: ReadonlySet<string> = new Set(['', 'about:blank']);

/**
 * Brings the in-page program into every document of a session, and asks for the world that it is in now. Compiling it
 * takes a sixth of the time that a new page takes to open: an empty document, which is left next, gets it afterwards.
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
  const isUnseen = await world.call('adoptFrame', { objectId: object.objectId }, frameId, nonce);
  if (isUnseen) frame.nonce = nonce;
  await session.send('Runtime.releaseObject', { objectId: object.objectId });
}

/** For background work on frames and pages that may be gone by then: that is no fault; anything else is thrown on. */
function ignoreGone(error: unknown): void {
  if ([ProtocolError, DriverClosedError, DocumentGoneError, DriverIframeError].some((kind) => error instanceof kind))
    return;
  throw error;
}
