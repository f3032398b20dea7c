import type { Phrase } from './phrase.ts';

/** What the instruction asks for. `use` is a click on a control, `option` a click on a visible choice. */
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
  /** Fills a field, then submits it. */
  | 'search'
  | 'clear'
  | 'press'
  | 'check'
  | 'uncheck'
  | 'choose'
  | 'option'
  | 'upload'
  | 'drag';

/** One interpretation of an instruction. Which one applies depends on the page. */
export interface Reading {
  readonly intent: Intent;
  readonly target: Phrase;
  /** The text, option, key or file. For `scrollPage`, the direction. */
  readonly value: string | null;
  /** The drop target for `drag`. For `choose`, the option; `target` is then the list. */
  readonly object: Phrase | null;
  /** Words that this reading does not cover. A reading with such words is never acted on. */
  readonly unread: readonly string[];
  /** Probability from 0 to 1, independent of the page. */
  readonly prior: number;
}
