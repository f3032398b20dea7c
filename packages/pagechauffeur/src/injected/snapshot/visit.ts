import { shadowRootOf } from '../tree/composed-tree.ts';
import { hasInternals } from '../exploration/element-internals.ts';
import { checkVisibility } from '../native.ts';
import type { Occlusion } from './visibility/painting/occlusion.ts';
import type { DropArea } from './clickable/drop-area.ts';
import type { RequestedKinds } from './clickable/requested-kinds.ts';
import type { TagFacts } from '../tree/tags.ts';
import { isOwnTextReadable, isReadable } from './visibility/painting/contrast.ts';
import { SharedStyle, type StyleKeys } from './visibility/shared-style.ts';
import type { StyleRules } from '../styles/style-rules.ts';

export interface VisitedTree {
  /** The open modal dialog. Elements outside it receive no events. */
  readonly modal: Element | null;
  /** `null` if every element's style must be read. */
  readonly rules: StyleRules | null;
  /** True if rules style the first lines of blocks. */
  readonly hasFirstLineRules: boolean;
  /** Elements that get the cursor of a control on hover. `null` if there are none. */
  readonly hoverCursors: ReadonlySet<Element> | null;
  /** Elements whose marker may have its own text. `null` if there are none. */
  readonly markers: ReadonlySet<Element> | null;
  readonly keys: StyleKeys;
  readonly occlusion: Occlusion;
  readonly dropArea: DropArea;
  readonly requestedKinds: RequestedKinds;
}

export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly facts: TagFacts;
  readonly tree: VisitedTree;
  /** The element's style, possibly shared with other elements. */
  readonly shared: SharedStyle;
  /** True if the element has a box and neither it nor an ancestor is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** True if opaque elements cover this element, or if it is a hidden frame. */
  isCovered = false;
  /** True if all text of the element is known to be rendered. */
  isTextRendered: boolean;
  /** True if the element has a shadow root that is known. */
  readonly isHost: boolean;
  /** True if an attribute may change the element's role, states or behavior. */
  readonly isMarked: boolean;
  /** True if the element has a `title`, which may name or describe it. */
  readonly hasTitle: boolean;
  /** True if a rule or a `style` attribute may set the element's `interactivity`. */
  readonly mayDeclareInteractivity: boolean;
  /** Number of attributes with the position of a cell. */
  readonly coordinates: number;

  /**
   * `parent` is `null` at the root of the walk and for a child of a slot or shadow root, which may inherit from another
   * element.
   */
  constructor(element: Element, facts: TagFacts, tree: VisitedTree, parent: Visit | null) {
    this.element = element;
    this.tag = facts.tag;
    this.facts = facts;
    this.tree = tree;
    const { key, isMarked, hasTitle, coordinates, isStyledByRules } = tree.keys.of(element, facts);
    this.isMarked = isMarked || (facts.isCustom && hasInternals(element));
    this.hasTitle = hasTitle;
    this.coordinates = coordinates;
    this.isHost = (facts.mayBeHost || facts.tag === 'body') && shadowRootOf(element) !== null;
    const rules = isStyledByRules && !this.isHost ? tree.rules : null;
    this.mayDeclareInteractivity = rules === null || rules.declared.setsInteractivity;
    // Rules such as `:host([disabled])` can depend on any attribute.
    const shared = parent === null || key === null || this.isHost ? null : parent.shared.below(key, element, rules);
    // Children of a host with an unregistered closed root may have no box, so they cannot share a style.
    this.isTextRendered = parent?.isTextRendered ?? false;
    const isRendered = (this.isTextRendered && facts.isPlain) || !parent?.facts.mayBeHost;
    const isShared = shared !== null && (isRendered || isRenderedAs(shared, element));
    this.shared = isShared ? shared : new SharedStyle(element, null, false);
    this.isSeen = this.shared.isSeen;
  }

  /** Sizes and positions may be those of another element that shares the style. */
  get style(): CSSStyleDeclaration {
    return this.shared.css;
  }

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

  isInPlace(): boolean {
    return this.shared.isInPlace;
  }

  /** True if the style may hide the text of a rendered element. */
  mayBeVeiled(): boolean {
    return this.shared.textVisibility !== 'clear';
  }

  isPointer(): boolean {
    return this.shared.isPointer;
  }

  drawsText(): boolean {
    const { element, shared, tree } = this;
    const isReadableIn = tree.hasFirstLineRules ? isOwnTextReadable : isReadable;
    return isReadableIn(element, shared.css, shared.legibility);
  }

  /** True if the element's text is visible, and neither `text-transform` nor a mask changes it. */
  showsTextAsWritten(): boolean {
    return this.isSeen && this.shared.keepsLetters;
  }
}

function isRenderedAs(shared: SharedStyle, element: Element): boolean {
  return !shared.isSeen || checkVisibility(element);
}
