import type { LackingFrame } from '../contract.ts';

/** What a selector led to within this frame. */
export type QueryOutcome =
  | { readonly kind: 'elements'; readonly elements: readonly Element[]; readonly lacks?: LackingFrame }
  /** It goes on in the frame that this element holds. */
  | { readonly kind: 'frame'; readonly element: Element; readonly rest: string }
  /** It goes on in a shadow root that the last matched element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** It goes on in the document of an element that holds none. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  | InvalidSelector;

/** A selector that cannot be used; `isProvisional` when that is only so for the page as it is now. */
export interface InvalidSelector {
  readonly kind: 'invalid';
  readonly message: string;
  readonly isXPath?: true;
  readonly isProvisional?: boolean;
}

/** An {@link InvalidSelector} with this reason. */
export function invalidSelector(message: string): InvalidSelector {
  return { kind: 'invalid', message };
}

/** An {@link InvalidSelector} whose wrong part is an XPath. */
export function invalidXPath(message: string): InvalidSelector {
  return { kind: 'invalid', message, isXPath: true };
}

/** The sentence of something the browser threw, without its "Failed to execute …" preamble. */
export function engineMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^Failed to execute '\w+' on '\w+': /, '');
}
