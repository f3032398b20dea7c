import { checkVisibility } from '../native.ts';
import type { Covers } from './covers.ts';
import type { DropArea } from './drop-area.ts';
import { mayHostShadowRoot } from './host-candidates.ts';
import type { MeantKinds } from './meant-kinds.ts';
import { lookOf, SharedStyle } from './shared-style.ts';
import type { StyleRules } from './style-rules.ts';

/** Facts about the tree that contains an element. */
export interface VisitedTree {
  /** An open modal dialog. Elements outside receive no events. */
  readonly modal: Element | null;
  /** `null` if every element's style must be read. */
  readonly rules: StyleRules | null;
  readonly covers: Covers;
  readonly ground: DropArea;
  readonly meant: MeantKinds;
}

/** An element on the walk, with its style. */
export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly tree: VisitedTree;
  /** Its style, which other elements may share. */
  readonly shared: SharedStyle;
  /** True if it has a box and neither it nor an ancestor is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** True if it can be acted on and an opaque element covers it. */
  isCovered = false;
  /** True if an attribute says more about it than its tag. */
  readonly isMarked: boolean;

  /** `parent` is `null` if the element may inherit from another one: at the start of the walk, in a slot or a shadow root. */
  constructor(element: Element, tag: string, tree: VisitedTree, parent: Visit | null) {
    this.element = element;
    this.tag = tag;
    this.tree = tree;
    const { look, isMarked } = lookOf(element, tag, tree.rules);
    this.isMarked = isMarked;
    const shared = parent === null || look === null ? null : parent.shared.below(look, element);
    // A closed shadow root that is not known yet leaves some children of its host without a box.
    const isShared = shared !== null && (!mayHostShadowRoot(parent?.tag ?? '') || isRenderedAs(shared, element));
    this.shared = isShared ? shared : new SharedStyle(element);
    this.isSeen = this.shared.isSeen;
  }

  /** The computed style. Sizes and places in it may be those of another element with the same style. */
  get style(): CSSStyleDeclaration {
    return this.shared.css;
  }

  /** The computed `display`; `''` if the element is not in the rendered tree. */
  display(): string {
    return this.shared.display;
  }

  position(): string {
    return this.shared.position;
  }

  /** True unless `visibility` hides it. */
  isVisible(): boolean {
    return this.isSeen || this.style.visibility === 'visible';
  }

  /** True if no style takes it out of the flow or clips its content. */
  isInPlace(): boolean {
    return this.shared.isInPlace;
  }

  /** True if a style may hide its content although it is rendered. */
  mayBeVeiled(): boolean {
    return this.shared.textVisibility !== 'clear';
  }

  /** True if its cursor invites a click or a drag. */
  isPointer(): boolean {
    return this.shared.isPointer;
  }

  /** True if its text is visible. */
  drawsText(): boolean {
    return this.shared.drawsText;
  }

  /** True if its text is visible and not changed by `text-transform`. */
  showsTextAsWritten(): boolean {
    return this.isSeen && this.shared.keepsLetters;
  }
}

function isRenderedAs(shared: SharedStyle, element: Element): boolean {
  return !shared.isSeen || checkVisibility(element);
}
