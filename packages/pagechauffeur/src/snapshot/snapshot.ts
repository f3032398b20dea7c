import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { SnapshotNode } from './snapshot-node.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import { checkFlag, checkOptions, checkString, checkStrings, describeValue } from '../util/check-argument.ts';

/** What a ref stands for: an element in one document of a frame. Invalid once that document is replaced. */
export interface RefTarget {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

/**
 * Items of partly folded lists, such as the rows of a long table. The digest of an item shows whether it has changed.
 */
export interface FoldedItems {
  /** Items with refs, by their first ref. */
  readonly byRef: ReadonlyMap<string, FoldedItem>;
  /** Items without refs, by the ref of the element that contains them. */
  readonly byHolder: ReadonlyMap<string, readonly FoldedItem[]>;
}

export interface FoldedItem {
  /** Equal for items with equal content. */
  readonly digest: string;
  readonly isShown: boolean;
}

/** A page as text for a model, and the elements to which the text refers. */
export interface Snapshot {
  /** Document of the root frame. `undefined` if the frame has none or does not respond. */
  readonly world: World | undefined;
  readonly url: string;
  readonly title: string;
  /** One line per element or text node. Each level is indented by one space. */
  readonly text: string;
  /** All lines as a tree, including folded ones. Empty without `withTree`. */
  readonly nodes: readonly SnapshotNode[];
  /** XPaths of the elements of all lines, from the root of `frame`. Empty without `withXPaths`. */
  readonly xpaths: ReadonlyMap<SnapshotNode, string>;
  readonly frame: FrameNode;
  /** Actionable elements by ref, including those in folded ranges. */
  readonly refs: ReadonlyMap<string, RefTarget>;
  readonly foldedItems: FoldedItems;
  /** URLs that are `#0`, `#1`, … in the text. */
  readonly urls: readonly string[];
  /** Estimated number of tokens in `text`; 0 without a budget. */
  readonly tokens: number;
  readonly isFolded: boolean;
  /** Refs that expand a fold, truncated text or a list of options: those in its line, and those in its range. */
  readonly foldRefs: ReadonlySet<string>;
  /**
   * Number of lines outside an open modal dialog. `text` replaces them with a single line. 0 if `text` has all lines.
   */
  readonly linesBehindModal: number;
  readonly elementCount: number;
}

/** Options for taking a snapshot. */
export interface SnapshotOptions {
  /** Includes the content of child frames. Default true. */
  readonly includeIframes?: boolean;
  /**
   * Limits the snapshot to the first match and its descendants. XPath, CSS or any locator selector; can enter frames.
   */
  readonly selector?: string;
  /**
   * Leaves out matches and their descendants, in every frame. A selector that enters a frame, such as `iframe >> .ad`,
   * applies only in that frame. An XPath from the root, such as `/html/body/nav`, applies only in the main frame if it
   * matches there.
   */
  readonly ignoreSelectors?: readonly string[];
  /**
   * Approximate maximum number of tokens. If the page has more, repeated items are folded. `Infinity` folds nothing.
   */
  readonly tokenBudget?: number;
  /** A ref in the line of a fold, or in its range. Expands the fold from this item on. */
  readonly expand?: string;
}

/** Options for internal callers. */
export interface TreeOptions {
  /** Fills `nodes`. Default false. */
  readonly withTree?: boolean;
  /** Fills `xpaths`, too. Needs `withTree`. Default false. */
  readonly withXPaths?: boolean;
  /** Fills `urls`, and writes their numbers into `text`. Default true. */
  readonly withUrls?: boolean;
  /** Keeps an image with the same name as the link around it, for callers that need its URL. Default false. */
  readonly keepsLinkedImages?: boolean;
  /** An earlier snapshot. If the document is the same, URLs keep their numbers. */
  readonly earlier?: Pick<Snapshot, 'world' | 'urls'>;
  /** The user's instruction. Items that contain its words are not folded. */
  readonly instruction?: string;
  /** Folds links and buttons in menus, sidebars and footers even if the page fits the token budget. Default false. */
  readonly foldsNavigation?: boolean;
}

export function checkSnapshotOptions(options: SnapshotOptions | undefined): void {
  checkOptions(options);
  const { includeIframes, selector, ignoreSelectors, tokenBudget, expand } = options ?? {};
  checkFlag('includeIframes', includeIframes);
  if (selector !== undefined) checkString('selector', selector);
  if (ignoreSelectors !== undefined) checkStrings('ignoreSelectors', ignoreSelectors);
  checkTokenBudget('tokenBudget', tokenBudget);
  if (expand !== undefined) checkRef('expand', expand);
}

export function checkTokenBudget(argument: string, budget: unknown): void {
  if (budget === undefined || (typeof budget === 'number' && budget > 0)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a number of tokens above 0, or Infinity. Received ${describeValue(budget)}.`,
    { argument },
  );
}

const REF = /^(?:f\d+)?e\d+$/;

/** True for a ref such as `e12`, or `f1e3` in a child frame. */
export function isRef(text: string): boolean {
  return REF.test(text);
}

function checkRef(argument: string, ref: unknown): void {
  checkString(argument, ref);
  if (isRef(ref)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a ref such as "e80" or "f2e3", from a snapshot. Received ${describeValue(ref)}.`,
    { argument },
  );
}
