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

/** Things of runs of which some are folded away, such as the rows of a long table: whether one of them changed is seen by its digest. */
export interface FoldedThings {
  /** Those with refs, by the first ref in each. */
  readonly byRef: ReadonlyMap<string, FoldedThing>;
  /** Those without, by the ref of the element that holds them. */
  readonly byHolder: ReadonlyMap<string, readonly FoldedThing[]>;
}

/** One of things that repeat. */
export interface FoldedThing {
  /** Equal for things that say the same. */
  readonly digest: string;
  readonly isShown: boolean;
}

/** A page as text for a model, with what the text stands for. */
export interface Snapshot {
  /** The document that it starts in; undefined when that went away. */
  readonly world: World | undefined;
  readonly url: string;
  readonly title: string;
  /** One line per element or text, indented by one space per level. */
  readonly text: string;
  /** All lines as a tree, also those that `text` folds; none when the snapshot was taken without. */
  readonly nodes: readonly SnapshotNode[];
  /** XPath of each line's element from the root of `frame` on; empty when the snapshot was taken without. */
  readonly places: ReadonlyMap<SnapshotNode, string>;
  /** The frame that it starts in. */
  readonly frame: FrameNode;
  /** Elements that can be acted on, by the ref that stands in their line or in the range that a fold's line tells. */
  readonly refs: ReadonlyMap<string, RefTarget>;
  /** What runs say of which the text shows only some. */
  readonly foldedThings: FoldedThings;
  /** Addresses that stand in the text as `#0`, `#1`, … */
  readonly urls: readonly string[];
  /** Tokens of `text` by estimate; 0 when it was taken without a budget. */
  readonly tokens: number;
  /** Something that repeats is folded away. */
  readonly isFolded: boolean;
  /** Lines outside of an open modal dialog, for which one line of `text` stands; 0 where all lines are shown. */
  readonly linesBehindModal: number;
  /** Elements walked in all frames. */
  readonly elementCount: number;
}

/** What to take a snapshot of. */
export interface SnapshotOptions {
  /** Also what is inside frames; default true. */
  readonly includeIframes?: boolean;
  /** Only the first match and what is below it: XPath, CSS or any selector of a locator, through frames. */
  readonly selector?: string;
  /**
   * Matches are left out with all that is below them, in every frame. A selector that goes on in a frame, such as
   * `iframe >> .ad`, counts there alone, and a path from the root, such as `/html/body/nav`, in the page's own document if it leads somewhere there.
   */
  readonly ignoreSelectors?: readonly string[];
  /** About how many tokens the text may have; above that, what repeats is folded. `Infinity` shows everything. */
  readonly tokenBudget?: number;
  /** A ref that a fold's line names, or one between those: what was folded is shown from there on. */
  readonly expand?: string;
}

/** What else the library itself asks of a snapshot. */
export interface TreeOptions {
  /** Gives `nodes` too; default false. */
  readonly withTree?: boolean;
  /** With the tree, also where each of its lines comes from; default false. */
  readonly withPlaces?: boolean;
  /** Shows a picture also where its name is that of the link around it, for its address; default false. */
  readonly keepsAddresses?: boolean;
  /** A snapshot of the same document from before, whose addresses keep their numbers. */
  readonly earlier?: Pick<Snapshot, 'world' | 'urls'>;
  /** What is to be done in the page: what has its words is not folded away. */
  readonly instruction?: string;
  /** Also folds links and buttons of menus, sidebars and footers, under any budget; default false. */
  readonly foldsNavigation?: boolean;
}
