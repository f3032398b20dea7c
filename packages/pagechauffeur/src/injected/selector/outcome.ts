import type { LackingFrame } from '../contract.ts';
import { tagOf } from '../element/describe.ts';
import { mayHoldFrame } from '../tree/frames.ts';

export type QueryOutcome =
  | { readonly kind: 'elements'; readonly elements: readonly Element[]; readonly lacks?: LackingFrame }
  | { readonly kind: 'frame'; readonly element: Element; readonly rest: string }
  /** The selector enters a shadow root, but the last matched element has none. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector enters a frame, but the matched element is not a frame. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  | InvalidSelector;

/** `isProvisional`: the selector may become valid when the page changes. */
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

/** Removes the prefix "Failed to execute …" from the browser's message. */
export function engineMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^Failed to execute '\w+' on '\w+': /, '');
}

/** Returns why the selector cannot continue in a frame: the document is missing, or the element is not a frame. */
export function withoutFrame(element: Element): QueryOutcome {
  return mayHoldFrame(element)
    ? { kind: 'elements', elements: [], lacks: 'document' }
    : { kind: 'no-frame', tag: tagOf(element) };
}
