import type { Keyboard, KeySequenceKind, ValueSet } from '../contract.ts';

/** A change that a control takes. */
export interface Change {
  readonly control: Element;
  /** The values that the control has when it is done. */
  readonly values: readonly string[];
  /** Whether there is anything to change; a page is not told of a choice that it has already. */
  readonly isNeeded: boolean;
  readonly isReached: () => boolean;
  /** What a person would press for it; null when that leads nowhere, or takes too long. */
  keySequenceKind(keyboard: Keyboard): KeySequenceKind | null;
  /** Makes the change, and tells the page of it. */
  byScript(): readonly string[];
}

/** A change that can be made, or why it cannot. */
export type ChangeAnswer = { readonly kind: 'change'; readonly change: Change } | Exclude<ValueSet, { kind: 'set' }>;
