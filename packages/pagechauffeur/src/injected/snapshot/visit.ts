import { checkVisibility } from '../native.ts';
import type { Covers } from './covers.ts';
import type { DropArea } from './drop-area.ts';
import { mayHostShadowRoot } from './host-candidates.ts';
import type { MeantKinds } from './meant-kinds.ts';
import { lookOf, SharedStyle } from './shared-style.ts';
import type { StyleRules } from './style-rules.ts';

/** Properties of the tree that contains an element. */
export interface VisitedTree {
  /** The open modal dialog. Elements outside it receive no events. */
  readonly modal: Element | null;
  /** `null` if the style of every element must be read. */
  readonly rules: StyleRules | null;
  readonly covers: Covers;
  readonly ground: DropArea;
  readonly meant: MeantKinds;
}

/** An element being visited, with its style. */
export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly tree: VisitedTree;
  /** The style, possibly shared with other elements. */
  readonly shared: SharedStyle;
  /** True if the element has a box and neither it nor an ancestor is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** True if the element can be acted on and an opaque element covers it. */
  isCovered = false;
  /** True if an attribute may change the element's role, state or behavior. */
  readonly isMarked: boolean;

  /**
   * `parent` is `null` if the element may inherit styles from another element: at the root of the walk, in a slot or in
   * a shadow root.
   */
  constructor(element: Element, tag: string, tree: VisitedTree, parent: Visit | null) {
    this.element = element;
    this.tag = tag;
    this.tree = tree;
    const { look, isMarked } = lookOf(element, tag, tree.rules);
    this.isMarked = isMarked;
    const shared = parent === null || look === null ? null : parent.shared.below(look, element);
    // Children of a host with an unregistered closed shadow root may have no box, so they cannot share a style.
    const isShared = shared !== null && (!mayHostShadowRoot(parent?.tag ?? '') || isRenderedAs(shared, element));
    this.shared = isShared ? shared : new SharedStyle(element);
    this.isSeen = this.shared.isSeen;
  }

  /** The computed style. Sizes and positions may be those of another element that shares it. */
  get style(): CSSStyleDeclaration {
    return this.shared.css;
  }

  /** The computed `display`; `''` if the element is not in the flat tree. */
  display(): string {
    return this.shared.display;
  }

  position(): string {
    return this.shared.position;
  }

  /** True unless `visibility` hides the element. */
  isVisible(): boolean {
    return this.isSeen || this.style.visibility === 'visible';
  }

  /** True if no style positions the element or clips its content. */
  isInPlace(): boolean {
    return this.shared.isInPlace;
  }

  /** True if the style may hide the element's text although the element is rendered. */
  mayBeVeiled(): boolean {
    return this.shared.textVisibility !== 'clear';
  }

  /** True if the element's cursor suggests a click or a drag. */
  isPointer(): boolean {
    return this.shared.isPointer;
  }

  /** True if the element's text is visible. */
  drawsText(): boolean {
    return this.shared.drawsText;
  }

  /** True if the element's text is visible and `text-transform` does not change it. */
  showsTextAsWritten(): boolean {
    return this.isSeen && this.shared.keepsLetters;
  }
}

function isRenderedAs(shared: SharedStyle, element: Element): boolean {
  return !shared.isSeen || checkVisibility(element);
}
