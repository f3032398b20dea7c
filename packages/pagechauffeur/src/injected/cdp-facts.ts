/** Facts about elements that only CDP can read, as Node passes them to the injected script. */

/** Mouse events that the page listens for. `press` is `mousedown` or `pointerdown`. */
export type ListenerUse = 'click' | 'double click' | 'press' | 'press and click' | 'drop';

/**
 * Elements with delegated listeners, as indexes in document order. Valid only while the document has `elementCount`
 * elements.
 */
export interface DelegatedElements {
  readonly elementCount: number;
  readonly indexes: readonly number[];
  /** True if a framework delegates events, so new elements may have listeners as well. */
  readonly isDelegating: boolean;
}

/** ARIA attributes by name, such as `role` and `aria-checked`. */
export type AriaAttributes = Readonly<Record<string, string>>;

/**
 * `isChanged`: the next snapshot may differ. `used`: indexes of the elements that set more than their attributes say.
 */
export type NotedInternals = { readonly isChanged: boolean; readonly used: readonly number[] };
