import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { FrameWorlds } from './frame-worlds.ts';

/** A frame: its place in the tree, the session that serves it, and its current document. */
export class FrameNode {
  readonly id: string;
  readonly worlds: FrameWorlds = new FrameWorlds(this);
  readonly children: Set<FrameNode> = new Set();
  /** Lifecycle events of the current document. */
  readonly lifecycle: Set<string> = new Set();
  parent: FrameNode | null;
  /** Changes when the frame moves to another process. */
  session: Session;
  /** The URL that the address bar shows. For a page that failed to load, this is the requested URL. */
  url = '';
  name = '';
  /** The browser's id of the current document. */
  loaderId = '';
  /** Settles when the parent document knows which of its elements contains this frame. */
  adopted: Promise<void> = Promise.resolve();
  /**
   * Identifies messages of this frame to the parent's injected script. Undefined while it cannot be exchanged without
   * the page noticing.
   */
  nonce: string | undefined;
  isDetached = false;
  /** State of a navigation: requested or started. */
  navigation: 'none' | 'requested' | 'started' = 'none';
  /** True if the browser shows an error page because the document could not be loaded. */
  isUnreachable = false;

  constructor(id: string, parent: FrameNode | null, session: Session) {
    this.id = id;
    this.parent = parent;
    this.session = session;
    parent?.children.add(this);
  }

  /** True for the topmost frame of a process. Its session receives the input for all frames of the process. */
  get isLocalRoot(): boolean {
    return this.parent === null || this.parent.session !== this.session;
  }

  /** The topmost frame of the same process. */
  get localRoot(): FrameNode {
    return this.isLocalRoot || this.parent === null ? this : this.parent.localRoot;
  }

  /** This frame and its ancestors, innermost first. */
  *lineage(): Generator<FrameNode> {
    yield this;
    if (this.parent) yield* this.parent.lineage();
  }

  /** This frame and its descendants, parents first. */
  *subtree(): Generator<FrameNode> {
    yield this;
    for (const child of this.children) yield* child.subtree();
  }

  /** Removes the frame from the tree and rejects pending waits for its worlds. */
  detach(): void {
    for (const child of [...this.children]) child.detach();
    this.isDetached = true;
    this.parent?.children.delete(this);
    this.worlds.fail(new DocumentGoneError(`The frame ${this.url || this.id} was removed from the page.`));
  }
}
