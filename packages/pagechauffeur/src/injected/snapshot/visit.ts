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

/** Cursors that invite a click or a drag. */
const HANDS: ReadonlySet<string> = new Set(
  (
    'pointer zoom-in zoom-out grab grabbing move col-resize row-resize ew-resize ns-resize nesw-resize nwse-resize ' +
    'n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize'
  ).split(' '),
);
/** Maximum number of parents that are asked recursively, to limit the call depth. After that, one reads its own style. */
const MAX_ASKED_PARENTS = 100;

/** Facts about the tree that contains an element. */
export interface VisitedTree {
  /** An open modal dialog. Elements outside receive no events. */
  readonly modal: Element | null;
  /** `null` if every element's style must be read. */
  readonly reach: StyleReach | null;
  readonly covers: Covers;
  readonly ground: DropArea;
  readonly meant: MeantKinds;
}

/**
 * An element on the walk, with cached facts. Reading a computed style is slow, so a fact that no page style affects comes from the parent
 * or the browser's style sheet.
 */
export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly tree: VisitedTree;
  /** True if it has a box and neither it nor an ancestor is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** True if it can be acted on and an opaque element covers it. */
  isCovered = false;
  /** True if an attribute says more about it than its tag. */
  readonly isMarked: boolean;
  /** The parent that style facts are inherited from; `null` if the element may be slotted, possibly into a closed root. */
  readonly #parent: Visit | null;
  /** Number of parents in a row that can be asked. */
  readonly #parents: number;
  /** Style facts that must be read. */
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
    // Without attributes, only a rule for its tag could hide it, and the page has none. Rules of an extension are not seen.
    this.isSeen = isAsParent ? !hasAny || checkVisibility(element) : isSeen(element);
  }

  /** The computed style. The walk avoids reading it where possible. */
  get style(): CSSStyleDeclaration {
    this.#style ??= getComputedStyle(this.element);
    return this.#style;
  }

  /** The computed `display`; `''` if the element is not in the rendered tree. */
  display(): string {
    this.#display ??= this.#plainDisplay() || this.style.display;
    return this.#display;
  }

  position(): string {
    this.#position ??= this.style.position;
    return this.#position;
  }

  /** True unless `visibility` hides it. */
  isVisible(): boolean {
    return this.isSeen || this.style.visibility === 'visible';
  }

  /** True if no style takes it out of the flow or clips its content. */
  isInPlace(): boolean {
    return (this.#unknown & Placed) === 0;
  }

  /** True if a style may hide its content although it is rendered. */
  mayBeVeiled(): boolean {
    return this.#mayBeVeiled;
  }

  /** True if its cursor invites a click or a drag. */
  isPointer(): boolean {
    this.#isPointer ??= this.#plainPointer() ?? HANDS.has(this.style.cursor);
    return this.#isPointer;
  }

  /** True if its text is visible. */
  drawsText(): boolean {
    this.#drawsText ??= this.#drawsAsParent() ?? drawsText(this.element, this.style);
    return this.#drawsText;
  }

  /** True if a style sheet may generate text before its content. */
  mayHaveTextBefore(): boolean {
    return (this.#unknown & TextBefore) !== 0;
  }

  /** True if a style sheet may generate text after its content. */
  mayHaveTextAfter(): boolean {
    return (this.#unknown & TextAfter) !== 0;
  }

  /** True if its text is visible and not changed by `text-transform`. */
  showsTextAsWritten(): boolean {
    return this.isSeen && this.#keepsLetters();
  }

  #keepsLetters(): boolean {
    this.#hasPlainLetters ??= this.#lettersOfParent() ?? this.style.textTransform === 'none';
    return this.#hasPlainLetters;
  }

  // If the parent transforms its text, the element must be checked: controls do not inherit `text-transform`.
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
