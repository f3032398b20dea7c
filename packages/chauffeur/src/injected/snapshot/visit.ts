/** An element on the walk, with what is read of it once. */
export interface Visit {
  readonly element: Element;
  readonly tag: string;
  readonly style: CSSStyleDeclaration;
  readonly display: string;
  /** Some attribute says more of it than its tag does. */
  readonly isMarked: boolean;
  /** An open modal dialog: what is outside of it takes no events. */
  readonly modal: Element | null;
}
