import type { Phrase } from './phrase.ts';

/** What is to be done, before it is known with which element. */
export type Intent =
  | 'use'
  | 'doubleClick'
  | 'rightClick'
  | 'hover'
  | 'focus'
  | 'tap'
  | 'scrollTo'
  | 'scrollPage'
  | 'write'
  /** Written into a field, and sent. */
  | 'search'
  | 'clear'
  | 'press'
  | 'check'
  | 'uncheck'
  | 'choose'
  | 'option'
  | 'upload'
  | 'drag';

/** One way to understand an instruction; the page decides which one is right. */
export interface Reading {
  readonly intent: Intent;
  readonly target: Phrase;
  /** What is typed, chosen, pressed or uploaded; for `scrollPage` the direction. */
  readonly value: string | null;
  /** Where something is dragged to, or what is chosen where the target is the list. */
  readonly object: Phrase | null;
  /** Words of the sentence that this reading takes no notice of; with any, it is not understood. */
  readonly unread: readonly string[];
  /** How likely the sentence means this, the page aside; at most 1. */
  readonly prior: number;
}
