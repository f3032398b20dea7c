import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { FrameWorlds } from './frame-worlds.ts';

/** One frame of a page: its place in the tree, the session that serves it now, and its current document. */
export class FrameNode {
  readonly id: string;
  readonly worlds: FrameWorlds = new FrameWorlds(this);
  readonly children: Set<FrameNode> = new Set();
  /** Lifecycle events that the current document has had. */
  readonly lifecycle: Set<string> = new Set();
  parent: FrameNode | null;
  /** Changes when the frame moves to another process. */
  session: Session;
  /** What a browser's address bar shows: of a page that could not be opened, the address that was asked for. */
  url = '';
  name = '';
  /** Identity of the current document, given by the browser. */
  loaderId = '';
  /** Settled when the parent document knows which of its elements this frame belongs to. */
  adopted: Promise<void> = Promise.resolve();
  /** By it the program of the parent document knows what this frame's asks; undefined while that cannot be asked unseen. */
  nonce: string | undefined;
  isDetached = false;
  /** Whether another document is on its way, or the page has asked for one. */
  navigation: 'none' | 'requested' | 'started' = 'none';
  /** The document is the browser's own, shown in place of one that could not be loaded. */
  isUnreachable = false;

  constructor(id: string, parent: FrameNode | null, session: Session) {
    this.id = id;
    this.parent = parent;
    this.session = session;
    parent?.children.add(this);
  }

  /** Whether the frame is the root of its process's part of the tree; input goes to that root's session. */
  get isLocalRoot(): boolean {
    return this.parent === null || this.parent.session !== this.session;
  }

  /** The topmost frame of the same process. */
  get localRoot(): FrameNode {
    return this.isLocalRoot || this.parent === null ? this : this.parent.localRoot;
  }

  /** This frame and all around it, the innermost first. */
  *lineage(): Generator<FrameNode> {
    yield this;
    if (this.parent) yield* this.parent.lineage();
  }

  /** This frame and all below it, parents first. */
  *subtree(): Generator<FrameNode> {
    yield this;
    for (const child of this.children) yield* child.subtree();
  }

  /** Takes the frame out of the tree; whoever waits for its worlds is told. */
  detach(): void {
    for (const child of [...this.children]) child.detach();
    this.isDetached = true;
    this.parent?.children.delete(this);
    this.worlds.fail(new DocumentGoneError(`The frame ${this.url || this.id} was removed from the page.`));
  }
}
