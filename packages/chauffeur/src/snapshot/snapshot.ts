import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { SnapshotNode } from './snapshot-node.ts';

/** Where a ref leads: the element's number within one document of one frame. It dies with that document. */
export interface RefTarget {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

/** A page as text for a model, with what the text stands for. */
export interface Snapshot {
  readonly url: string;
  readonly title: string;
  /** One line per element or text, indented by one space per level. */
  readonly text: string;
  /** The lines of `text` as a tree; none when the snapshot was taken without. */
  readonly nodes: readonly SnapshotNode[];
  /** Elements that can be acted on, by the ref that stands in their line. */
  readonly refs: ReadonlyMap<string, RefTarget>;
  /** Addresses that stand in the text as `#0`, `#1`, … */
  readonly urls: readonly string[];
  /** Elements walked in all frames. */
  readonly elementCount: number;
}

/** What to take a snapshot of. */
export interface SnapshotOptions {
  /** Also what is inside frames; default true. */
  readonly includeIframes?: boolean;
  /** Only the first match and what is below it: XPath, CSS or any selector of a locator, through frames. */
  readonly selector?: string;
  /** Matches are left out with all that is below them. CSS counts in every frame, XPath in the main one. */
  readonly ignoreSelectors?: readonly string[];
}

/** What else the library itself asks of a snapshot. */
export interface TreeOptions {
  /** Gives `nodes` too; default false. */
  readonly withTree?: boolean;
}
