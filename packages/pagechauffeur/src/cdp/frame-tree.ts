import type { Protocol } from 'devtools-protocol';
import { ignoreRejection } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import { mayBringDocument } from './address-schemes.ts';
import { FrameNode } from './frame-node.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

interface FrameTreeEvents {
  attached: FrameNode;
  detached: FrameNode;
  navigated: FrameNode;
  /** The URL changed without a new document. */
  navigatedWithinDocument: FrameNode;
  /** The page requested a navigation, for example with a link. The browser may not start it. */
  navigationRequested: FrameNode;
  /** The browser started a navigation that can bring a new document. */
  navigationStarted: FrameNode;
  /** The frame stopped loading, with or without a new document. */
  navigationEnded: FrameNode;
  lifecycle: { readonly frame: FrameNode; readonly name: string };
}

/** The frame tree of a page across all processes that serve it. */
export class FrameTree {
  readonly main: FrameNode;
  readonly events: Emitter<FrameTreeEvents> = new Emitter();
  readonly #frameById = new Map<string, FrameNode>();
  /** Frames whose document called `document.open()`. The `init` event that follows is for the same document. */
  readonly #rewritten = new Set<FrameNode>();
  readonly #pendingLoaderIds = new WeakMap<FrameNode, string>();

  constructor(mainFrameId: string, session: Session) {
    this.main = new FrameNode(mainFrameId, null, session);
    this.#frameById.set(mainFrameId, this.main);
  }

  /** All frames, parents before children. */
  get frames(): readonly FrameNode[] {
    return [...this.main.subtree()];
  }

  frame(id: string): FrameNode | undefined {
    return this.#frameById.get(id);
  }

  listen(session: Session): void {
    session.on('Page.frameAttached', (event) => this.#attach(session, event.frameId, event.parentFrameId));
    session.on('Page.frameDetached', (event) => this.#detach(session, event));
    session.on('Page.frameNavigated', (event) => this.#navigate(session, event.frame));
    session.on('Page.navigatedWithinDocument', (event) => this.#navigateWithin(event));
    session.on('Page.frameRequestedNavigation', (event) => this.#requestNavigation(event));
    session.on('Page.frameStartedNavigating', (event) => this.#startNavigating(event));
    session.on('Page.frameStoppedLoading', ({ frameId }) =>
      this.#withFrame(frameId, (frame) => this.#endLoading(session, frame)),
    );
    session.on('Page.documentOpened', ({ frame: { id } }) =>
      this.#withFrame(id, (frame) => this.#rewritten.add(frame)),
    );
    session.on('Page.lifecycleEvent', (event) => this.#lifecycle(session, event));
  }

  /** Merges the tree that the browser reports for a new session. */
  adoptTree(session: Session, tree: Protocol.Page.FrameTree): void {
    const frame = this.#frameById.get(tree.frame.id) ?? this.#attach(session, tree.frame.id, tree.frame.parentId);
    if (!frame) return;
    if (frame.session !== session) this.moveTo(frame, session);
    const { loaderId } = tree.frame;
    if (frame.loaderId !== loaderId && this.#pendingLoaderIds.get(frame) === loaderId) {
      // The document was committed before its process received `Page.enable`, as for an error page or for a page that
      // another client resumed. Its lifecycle events may have been missed.
      this.#navigate(session, tree.frame);
      frame.lifecycle.add('init');
    } else if (frame.loaderId === '') Object.assign(frame, documentFacts(tree.frame));
    frame.worlds.prepare();
    for (const child of tree.childFrames ?? []) this.adoptTree(session, child);
  }

  /** Moves a frame to another session. Discards children and worlds of the old document. */
  moveTo(frame: FrameNode, session: Session): void {
    for (const child of [...frame.children]) this.#remove(child);
    frame.session = session;
    frame.worlds.forget();
  }

  /**
   * Call when the session of an out-of-process frame ended: the frame returns to its parent's process, which reports
   * the new document. A removed frame was reported as detached before.
   */
  leaveRemote(frameId: string, session: Session): void {
    const frame = this.#frameById.get(frameId);
    if (!frame?.parent || frame.session !== session) return;
    // After a crash, the worlds stay. They reject calls with the error about the crash.
    if (session.isClosed) frame.session = frame.parent.session;
    else this.moveTo(frame, frame.parent.session);
  }

  #attach(session: Session, id: string, parentId: string | undefined): FrameNode | undefined {
    const known = this.#frameById.get(id);
    if (known) {
      if (known.session !== session) this.moveTo(known, session);
      return known;
    }
    const parent = parentId === undefined ? undefined : this.#frameById.get(parentId);
    if (!parent) return undefined;
    const frame = new FrameNode(id, parent, session);
    this.#frameById.set(id, frame);
    this.events.emit('attached', frame);
    return frame;
  }

  #detach(session: Session, { frameId, reason }: EventParams<'Page.frameDetached'>): void {
    const frame = this.#frameById.get(frameId);
    // A swap only moves the frame to another process, whose session reports the rest.
    if (!frame || reason === 'swap') return;
    if (frame.session !== session && frame.parent?.session !== session) return;
    this.#remove(frame);
  }

  #remove(frame: FrameNode): void {
    for (const gone of [...frame.subtree()]) {
      this.#frameById.delete(gone.id);
      this.#rewritten.delete(gone);
    }
    frame.detach();
    this.events.emit('detached', frame);
  }

  #navigate(session: Session, payload: Protocol.Page.Frame): void {
    const frame = this.#attach(session, payload.id, payload.parentId);
    if (!frame) return;
    for (const child of [...frame.children]) this.#remove(child);
    // `init` can arrive before the commit. Then the lifecycle events since `init` are for the new document.
    if (frame.loaderId !== payload.loaderId) {
      frame.lifecycle.clear();
      frame.worlds.forget();
    }
    frame.worlds.prepare();
    Object.assign(frame, documentFacts(payload));
    frame.navigation = 'none';
    this.events.emit('navigated', frame);
  }

  #navigateWithin({ frameId, url }: EventParams<'Page.navigatedWithinDocument'>): void {
    this.#withFrame(frameId, (frame) => {
      frame.url = url;
      this.events.emit('navigatedWithinDocument', frame);
    });
  }

  #requestNavigation({ frameId, url, disposition }: EventParams<'Page.frameRequestedNavigation'>): void {
    if (disposition !== 'currentTab' || !mayBringDocument(url)) return;
    this.#withFrame(frameId, (frame) => {
      frame.navigation = 'requested';
      this.events.emit('navigationRequested', frame);
    });
  }

  #startNavigating(event: EventParams<'Page.frameStartedNavigating'>): void {
    const { frameId, url, loaderId, navigationType } = event;
    if (/sameDocument/i.test(navigationType) || !mayBringDocument(url)) return;
    this.#withFrame(frameId, (frame) => {
      frame.navigation = 'started';
      this.#pendingLoaderIds.set(frame, loaderId);
      this.events.emit('navigationStarted', frame);
    });
  }

  /** A document that stopped loading before `load` never fires it, so pending waits must end here. */
  #endLoading(session: Session, frame: FrameNode): void {
    frame.navigation = 'none';
    this.events.emit('navigationEnded', frame);
    if (frame.session !== session || frame.lifecycle.has('load')) return;
    const { loaderId } = frame;
    // A closing page also stops loading. It does not respond to this command, and its waits end when it closes.
    const answered = session.send('Runtime.evaluate', { expression: '0' });
    answered.then(() => frame.loaderId === loaderId && this.#stopWaiting(frame), ignoreRejection);
  }

  #stopWaiting(frame: FrameNode): void {
    for (const name of ['DOMContentLoaded', 'load']) {
      if (frame.lifecycle.has(name)) continue;
      frame.lifecycle.add(name);
      this.events.emit('lifecycle', { frame, name });
    }
  }

  #lifecycle(session: Session, { frameId, loaderId, name }: EventParams<'Page.lifecycleEvent'>): void {
    const frame = this.#frameById.get(frameId);
    if (!frame || frame.session !== session) return;
    if (name === 'init') {
      frame.lifecycle.clear();
      if (!this.#rewritten.delete(frame)) frame.worlds.forget({ isSameDocument: frame.loaderId === loaderId });
      frame.loaderId = loaderId;
    }
    if (frame.loaderId !== loaderId) return;
    frame.lifecycle.add(name);
    this.events.emit('lifecycle', { frame, name });
  }

  #withFrame(id: string, use: (frame: FrameNode) => void): void {
    const frame = this.#frameById.get(id);
    if (frame) use(frame);
  }
}

function documentFacts({
  url,
  urlFragment = '',
  unreachableUrl,
  name = '',
  loaderId,
}: Protocol.Page.Frame): Pick<FrameNode, 'url' | 'name' | 'loaderId' | 'isUnreachable'> {
  return { url: unreachableUrl ?? url + urlFragment, name, loaderId, isUnreachable: unreachableUrl !== undefined };
}
