import { hasMarks } from '../marks.ts';
import { checkVisibility } from '../native.ts';

const SEEN: CheckVisibilityOptions = { visibilityProperty: true, opacityProperty: true };

/** An element on the walk, with what is read of it, each thing once. */
export class Visit {
  readonly element: Element;
  readonly tag: string;
  readonly style: CSSStyleDeclaration;
  /** It has a box, and neither it nor anything around it is transparent or `visibility: hidden`. */
  readonly isSeen: boolean;
  /** Some attribute says more of it than its tag does. */
  readonly isMarked: boolean;
  /** An open modal dialog: what is outside of it takes no events. */
  readonly modal: Element | null;
  #display: string | null = null;

  constructor(element: Element, tag: string, modal: Element | null) {
    this.element = element;
    this.tag = tag;
    this.modal = modal;
    this.style = getComputedStyle(element);
    this.isSeen = checkVisibility(element, SEEN);
    this.isMarked = hasMarks(element);
  }

  /** The computed `display`; `''` for what is not part of the rendered tree at all. */
  display(): string {
    this.#display ??= this.style.display;
    return this.#display;
  }

  /** Whether `visibility` lets it be seen. */
  isVisible(): boolean {
    return this.isSeen || this.style.visibility === 'visible';
  }
}
