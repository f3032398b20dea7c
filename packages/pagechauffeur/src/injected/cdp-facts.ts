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

export interface ReportedInternals {
  /** Backend node ID. */
  readonly node: number;
  /** `null` if the element is hidden. */
  readonly attributes: AriaAttributes | null;
}

/**
 * `isChanged`: the next snapshot may differ. `used`: indexes of the elements that set more than their attributes say.
 * `gone`: see `InternalsToRead`.
 */
export interface NotedInternals {
  readonly isChanged: boolean;
  readonly used: readonly number[];
  readonly gone: readonly number[];
}

/** The part of a snapshot that says what CDP should report about custom elements. */
export interface InternalsToRead {
  /** Number of custom elements whose internals are unknown; see `takeCustomElements`. */
  readonly customElements: number;
  /** Backend node IDs of elements that were reported with internals, and now are removed or have none. Returned once. */
  readonly goneInternals?: readonly number[];
  /** True if the page changed or got input since the last snapshot, so states of internals may differ. */
  readonly mayHaveNewStates?: true;
}
