import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { SnapshotNode } from './snapshot-node.ts';

/** Target of a ref: the number of an element in one document of one frame. Invalid once that document is gone. */
export interface RefTarget {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

/** Items of lists that are partly folded, such as the rows of a long table. A digest of each item shows whether it changed. */
export interface FoldedThings {
  /** Items with refs, by the first ref in each. */
  readonly byRef: ReadonlyMap<string, FoldedThing>;
  /** Items without refs, by the ref of their container. */
  readonly byHolder: ReadonlyMap<string, readonly FoldedThing[]>;
}

/** One item of a repeated structure. */
export interface FoldedThing {
  /** Equal for items with the same content. */
  readonly digest: string;
  readonly isShown: boolean;
}

/** A page as text for a model, and the elements that the text refers to. */
export interface Snapshot {
  /** Document of the root frame. `undefined` if it is gone. */
  readonly world: World | undefined;
  readonly url: string;
  readonly title: string;
  /** One line per element or text. Each level is indented by one space. */
  readonly text: string;
  /** All lines as a tree, including folded ones. Empty without `withTree`. */
  readonly nodes: readonly SnapshotNode[];
  /** XPath of each line's element, starting at the root of `frame`. Empty without `withPlaces`. */
  readonly places: ReadonlyMap<SnapshotNode, string>;
  /** Root frame of the snapshot. */
  readonly frame: FrameNode;
  /** Actionable elements by ref, including refs inside folded ranges. */
  readonly refs: ReadonlyMap<string, RefTarget>;
  /** Items of lists that the text shows only in part. */
  readonly foldedThings: FoldedThings;
  /** URLs that the text refers to as `#0`, `#1`, … */
  readonly urls: readonly string[];
  /** Estimated number of tokens in `text`; 0 without a budget. */
  readonly tokens: number;
  /** True if repeated items are folded. */
  readonly isFolded: boolean;
  /** Number of lines outside an open modal dialog, which `text` replaces by a single line. 0 if all lines are shown. */
  readonly linesBehindModal: number;
  /** Number of elements visited in all frames. */
  readonly elementCount: number;
}

/** Options of a snapshot. */
export interface SnapshotOptions {
  /** Includes the content of child frames. Default true. */
  readonly includeIframes?: boolean;
  /** Limits the snapshot to the first match and its descendants. XPath, CSS or any locator selector; may cross frames. */
  readonly selector?: string;
  /**
   * Omits matches and their descendants in every frame. A selector that enters a frame, such as `iframe >> .ad`, applies only in that
   * frame. An XPath from the root, such as `/html/body/nav`, applies only in the main frame if it matches there.
   */
  readonly ignoreSelectors?: readonly string[];
  /** Approximate maximum number of tokens. Repeated items are folded above it. `Infinity` shows everything. */
  readonly tokenBudget?: number;
  /** A ref from the line of a fold, or one in its range. Shows the folded items from there on. */
  readonly expand?: string;
}

/** Options for internal callers. */
export interface TreeOptions {
  /** Fills `nodes`. Default false. */
  readonly withTree?: boolean;
  /** With `withTree`, fills `places`. Default false. */
  readonly withPlaces?: boolean;
  /** Fills `urls`, and shows their numbers in `text`. Default true. */
  readonly withUrls?: boolean;
  /** Keeps an image that has the same name as the link around it, because its URL is needed. Default false. */
  readonly keepsAddresses?: boolean;
  /** An earlier snapshot of the same document. Its URLs keep their numbers. */
  readonly earlier?: Pick<Snapshot, 'world' | 'urls'>;
  /** Instruction for the page. Items that contain its words are not folded. */
  readonly instruction?: string;
  /** Folds links and buttons of menus, sidebars and footers even if the text fits the token budget. Default false. */
  readonly foldsNavigation?: boolean;
}
