import type { Keyboard, KeySequenceKind, ValueSet } from '../contract.ts';

export interface Change {
  readonly control: Element;
  readonly values: readonly string[];
  /** False if the control already has these values. The page then receives no events. */
  readonly isNeeded: boolean;
  readonly isReached: () => boolean;
  /** Returns `null` if a user's keys do not produce the values or take too long. */
  keySequenceKind(keyboard: Keyboard): KeySequenceKind | null;
  /** Sets the values, dispatches the events and returns the new values. */
  byScript(): readonly string[];
}

export type ChangeAnswer = { readonly kind: 'change'; readonly change: Change } | Exclude<ValueSet, { kind: 'set' }>;
