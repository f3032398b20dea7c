import type { Keyboard, KeySequenceKind, ValueSet } from '../contract.ts';

/** A change that a control accepts. */
export interface Change {
  readonly control: Element;
  /** The values of the control after the change. */
  readonly values: readonly string[];
  /** False if the control already has these values. Then the page receives no events. */
  readonly isNeeded: boolean;
  readonly isReached: () => boolean;
  /** Returns the keys that a user would press; null if they do not produce the value or take too long. */
  keySequenceKind(keyboard: Keyboard): KeySequenceKind | null;
  /** Sets the values and dispatches the events. Returns the new values. */
  byScript(): readonly string[];
}

/** A change, or why it is not possible. */
export type ChangeAnswer = { readonly kind: 'change'; readonly change: Change } | Exclude<ValueSet, { kind: 'set' }>;
