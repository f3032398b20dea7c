import type { LinePart } from '../places/placed-lines.ts';

/** Where data of one shape stands on pages of one shape, so that it can be read off without a model. */
export type ExtractionPlan = ValuePlan | FieldsPlan | ListPlan;

/** One value: which line says it, and how it stands in it. */
export interface ValuePlan {
  readonly kind: 'value';
  /** XPath of the line's element from that of the entry on, absolute outside of lists. */
  readonly at: string;
  /** Which of the lines of that element. */
  readonly nth: number;
  readonly role: string;
  readonly part: LinePart;
  /** What the line before says, where that is always the same. */
  readonly label?: string;
  readonly reading: Reading;
  /** What stands for a value that an entry does not have; without it every entry has one. */
  readonly absent?: 'null' | 'missing';
}

/** How a value stands in a text: after and before words that are always the same. */
export interface Reading {
  readonly before: string;
  readonly after: string;
  readonly form: 'text' | 'lower-case text' | 'number with point' | 'number with comma';
}

/** An object, field by field. */
export interface FieldsPlan {
  readonly kind: 'fields';
  readonly fields: Readonly<Record<string, ExtractionPlan>>;
}

/** Entries of which each is in an element of its own, side by side. */
export interface ListPlan {
  readonly kind: 'list';
  /** XPath of what holds the elements, from that of the entry around on. */
  readonly holder: string;
  /** The step to each element, without its index. */
  readonly step: string;
  /** What the headers of the table say that the elements are rows of. */
  readonly headers: readonly string[];
  /** The forms of elements among them that are no entries. */
  readonly skipped: readonly string[];
  /** Some of the lists that it was made from had no entry. */
  readonly mayBeEmpty: boolean;
  readonly entry: ExtractionPlan;
}
