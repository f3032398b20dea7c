import type { LackingFrame } from '../contract.ts';

/** The result of resolving a selector within this frame. */
export type QueryOutcome =
  | { readonly kind: 'elements'; readonly elements: readonly Element[]; readonly lacks?: LackingFrame }
  /** The selector continues in the frame of `element`. */
  | { readonly kind: 'frame'; readonly element: Element; readonly rest: string }
  /** The selector continues in a shadow root that the last matched element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector continues in a frame, but the matched element is not a frame. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  | InvalidSelector;

/** An invalid selector. `isProvisional`: it may become valid after a change of the page. */
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
