import { hasMarks } from '../marks.ts';
import { checkVisibility, hasAttribute, hasAttributes } from '../native.ts';
import { isSeen } from '../visibility.ts';
import type { Covers } from './covers.ts';
import type { DropArea } from './drop-area.ts';
import type { MeantKinds } from './meant-kinds.ts';
import { drawsText } from './ink.ts';
import { hasOwnCursor, isPlainTag, keepsDisplayOfChildren, mayHaveOwnInk, plainDisplay } from './plain-tags.ts';
import { AllFacts, Cursor, Ink, Letters, Placed, Shown, TextAfter, TextBefore, Veiled } from './style-facts.ts';
import type { StyleReach } from './style-reach.ts';

/** Pointers that say: click here, or: take hold of this and move it. */
const HANDS: ReadonlySet<string> = new Set(
  (
    'pointer zoom-in zoom-out grab grabbing move col-resize row-resize ew-resize ns-resize nesw-resize nwse-resize ' +
    'n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize'
  ).split(' '),
);
/** After so many parents that ask their own parent, one asks the browser: calls go only so deep. */
const MAX_ASKED_PARENTS = 100;

/** What the walk knows of the tree that an element is in. */
export interface VisitedTree {
  /** An open modal dialog: what is outside of it takes no events. */
  readonly modal: Element | null;
  /** Null when each element has to be asked for its style. */
  readonly reach: StyleReach | null;
  readonly covers: Covers;
  readonly ground: DropArea;
  readonly meant: MeantKinds;
}

/**
 * An element on the walk, with what is read of it, each thing once. Reading style is slow: what no style of the page
 * is about is as it is with the parent, or as the browser's own style sheet has it.
 */
export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly tree: VisitedTree;
  /** It has a box, and neither it nor anything around it is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** It can be acted on, and something opaque lies over it. */
  isCovered = false;
  /** Some attribute says more of it than its tag does. */
  readonly isMarked: boolean;
  /** The parent, whose style it takes; null when it may stand in a slot, which a closed root may have. */
  readonly #parent: Visit | null;
  /** How many parents in a row a question may go up from here. */
  readonly #parents: number;
  /** Facts of its style that have to be read. */
  readonly #unknown: number;
  readonly #mayBeVeiled: boolean;
  #style: CSSStyleDeclaration | null = null;
  #display: string | null = null;
  #position: string | null = null;
  #isPointer: boolean | null = null;
  #drawsText: boolean | null = null;
  #hasPlainLetters: boolean | null = null;

  constructor(element: Element, tag: string, tree: VisitedTree, parent: Visit | null) {
    this.element = element;
    this.tag = tag;
    this.tree = tree;
    const hasAny = hasAttributes(element);
    this.isMarked = hasAny && hasMarks(element);
    const hasPlainParent = parent !== null && isPlainTag(parent.tag) && parent.#parents < MAX_ASKED_PARENTS;
    this.#parent = hasPlainParent ? parent : null;
    this.#parents = this.#parent === null ? 0 : this.#parent.#parents + 1;
    const isStyledItself = hasAny && hasAttribute(element, 'style');
    this.#unknown = this.#parent === null || isStyledItself ? AllFacts : unknownFacts(element, tag, tree.reach);
    this.#mayBeVeiled = isStyledItself || ((tree.reach ? (tree.reach.get(element) ?? 0) : AllFacts) & Veiled) !== 0;
    const isAsParent = (this.#unknown & Shown) === 0 && this.#parent?.isSeen === true;
    // Without attributes only a rule for tags could hide it, and the page has none that does. One of an extension could be missed.
    this.isSeen = isAsParent ? !hasAny || checkVisibility(element) : isSeen(element);
  }

  /** The computed style; asking for it is what the walk avoids where it can. */
  get style(): CSSStyleDeclaration {
    this.#style ??= getComputedStyle(this.element);
    return this.#style;
  }

  /** The computed `display`; `''` for what is not part of the rendered tree at all. */
  display(): string {
    this.#display ??= this.#plainDisplay() || this.style.display;
    return this.#display;
  }

  /** The computed `position`. */
  position(): string {
    this.#position ??= this.style.position;
    return this.#position;
  }

  /** Whether `visibility` lets it be seen. */
  isVisible(): boolean {
    return this.isSeen || this.style.visibility === 'visible';
  }

  /** Whether it stands where the text around it puts it, and shows all that it contains. */
  isInPlace(): boolean {
    return (this.#unknown & Placed) === 0;
  }

  /** Whether some style may keep what it holds from being seen although it is rendered. */
  mayBeVeiled(): boolean {
    return this.#mayBeVeiled;
  }

  /** Whether the pointer over it is a hand, that points or that takes hold. */
  isPointer(): boolean {
    this.#isPointer ??= this.#plainPointer() ?? HANDS.has(this.style.cursor);
    return this.#isPointer;
  }

  /** Whether text in it leaves marks. */
  drawsText(): boolean {
    this.#drawsText ??= this.#drawsAsParent() ?? drawsText(this.element, this.style);
    return this.#drawsText;
  }

  /** Whether a style sheet may put text before what it contains. */
  mayHaveTextBefore(): boolean {
    return (this.#unknown & TextBefore) !== 0;
  }

  /** Whether a style sheet may put text after what it contains. */
  mayHaveTextAfter(): boolean {
    return (this.#unknown & TextAfter) !== 0;
  }

  /** Whether text in it is seen in the letters that it is written in. */
  showsTextAsWritten(): boolean {
    return this.isSeen && this.#keepsLetters();
  }

  #keepsLetters(): boolean {
    this.#hasPlainLetters ??= this.#lettersOfParent() ?? this.style.textTransform === 'none';
    return this.#hasPlainLetters;
  }

  // Letters that the parent changes may be as written here: controls do not take them from around.
  #lettersOfParent(): true | null {
    return this.#parent !== null && (this.#unknown & Letters) === 0 && this.#parent.#keepsLetters() ? true : null;
  }

  #plainDisplay(): string {
    if (!this.isSeen || this.#parent === null || (this.#unknown & Shown) !== 0) return '';
    return keepsDisplayOfChildren(this.#parent.display()) ? plainDisplay(this.tag) : '';
  }

  #plainPointer(): boolean | null {
    if ((this.#unknown & Cursor) !== 0) return null;
    if (hasOwnCursor(this.tag)) return false;
    if (this.tag === 'a' && hasAttribute(this.element, 'href')) return true;
    return this.#parent && this.#parent.isPointer();
  }

  #drawsAsParent(): boolean | null {
    if (this.#parent === null || (this.#unknown & Ink) !== 0 || mayHaveOwnInk(this.element, this.tag)) return null;
    return this.#parent.drawsText() || null;
  }
}

function unknownFacts(element: Element, tag: string, reach: StyleReach | null): number {
  if (reach === null || !isPlainTag(tag) || !(element instanceof HTMLElement)) return AllFacts;
  return reach.get(element) ?? 0;
}
