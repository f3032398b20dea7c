import type { LackingFrame } from '../contract.ts';

/** The result of a selector within this frame. */
export type QueryOutcome =
  | { readonly kind: 'elements'; readonly elements: readonly Element[]; readonly lacks?: LackingFrame }
  /** The selector continues in the frame of this element. */
  | { readonly kind: 'frame'; readonly element: Element; readonly rest: string }
  /** The selector continues in a shadow root that the last matched element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector continues in a frame, but the element does not hold one. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  | InvalidSelector;

/** An invalid selector. `isProvisional`: it may become valid when the page changes. */
export interface InvalidSelector {
  readonly kind: 'invalid';
  readonly message: string;
  readonly isXPath?: true;
  readonly isProvisional?: boolean;
}

export function invalidSelector(message: string): InvalidSelector {
  return { kind: 'invalid', message };
}

export function invalidXPath(message: string): InvalidSelector {
  return { kind: 'invalid', message, isXPath: true };
}

/** Returns the browser's error message without its "Failed to execute …" prefix. */
export function engineMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^Failed to execute '\w+' on '\w+': /, '');
}
