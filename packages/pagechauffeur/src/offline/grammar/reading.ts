import type { Phrase } from './phrase.ts';

/** The kind of action. */
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
  /** Fills a field and submits it. */
  | 'search'
  | 'clear'
  | 'press'
  | 'check'
  | 'uncheck'
  | 'choose'
  | 'option'
  | 'upload'
  | 'drag';

/** One interpretation of an instruction. Which one is right depends on the page. */
export interface Reading {
  readonly intent: Intent;
  readonly target: Phrase;
  /** The text, option, key or file. For `scrollPage`, the direction. */
  readonly value: string | null;
  /** The drop target of a drag. For `choose`, the option if the target is the list. */
  readonly object: Phrase | null;
  /** Words that this reading ignores. Readings with such words are rejected. */
  readonly unread: readonly string[];
  /** Probability of this reading regardless of the page; at most 1. */
  readonly prior: number;
}
