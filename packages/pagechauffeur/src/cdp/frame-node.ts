import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { FrameWorlds } from './frame-worlds.ts';

/** A frame of the page, which keeps its identity while its document, session and children change. */
export class FrameNode {
  readonly id: string;
  readonly worlds: FrameWorlds = new FrameWorlds(this);
  readonly children: Set<FrameNode> = new Set();
  readonly lifecycle: Set<string> = new Set();
  parent: FrameNode | null;
  /** The session of the process that serves the frame. Changes when the frame moves to another process. */
  session: Session;
  /** The URL as the address bar shows it. For a failed load, this is the requested URL. */
  url = '';
  name = '';
  loaderId = '';
  /** Resolves once the parent's injected script has stored which element contains this frame. */
  adopted: Promise<void> = Promise.resolve();
  /**
   * Authenticates messages from this frame to the parent's injected script. `undefined` until the parent has stored
   * the frame. Stays `undefined` if the page could see such messages.
   */
  nonce: string | undefined;
  isDetached = false;
  /** `requested`: by the page, not yet started by the browser. `started`: by the browser. */
  navigation: 'none' | 'requested' | 'started' = 'none';
  /** True if the browser shows its error page instead of the document. */
  isUnreachable = false;

  constructor(id: string, parent: FrameNode | null, session: Session) {
    this.id = id;
    this.parent = parent;
    this.session = session;
    parent?.children.add(this);
  }

  /** True for the topmost frame of a session, which receives the input for all frames of that session. */
  get isLocalRoot(): boolean {
    return this.parent === null || this.parent.session !== this.session;
  }

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

  /** Removes the frame from the tree. Pending calls that wait for one of its worlds reject. */
  detach(): void {
    for (const child of [...this.children]) child.detach();
    this.isDetached = true;
    this.parent?.children.delete(this);
    this.worlds.fail(new DocumentGoneError(`The frame ${this.url || this.id} was removed from the page.`));
  }
}
