import type { MaskedText } from '../grammar/masked-text.ts';
import type { Asked } from './clause.ts';

/** The named parts of a clause, as they were written, or without their quotation marks. */
export interface Parts {
  readonly written: (name: string) => string;
  readonly plain: (name: string) => string;
  readonly has: (name: string) => boolean;
}

/** How a clause may be put, quotes being one sign each, and what it asks for then; null when it is something else after all. */
export interface ClauseRule {
  readonly pattern: RegExp;
  readonly asked: (parts: Parts) => Asked | null;
}

/** Stands for a quoted text or a `%name%` in the pattern of a rule. */
export const HIDDEN = '[\\uE000-\\uE3FF]';

/** A rule for clauses that are put like this, from beginning to end. */
export function rule(pattern: string, asked: ClauseRule['asked']): ClauseRule {
  return { pattern: new RegExp(`^(?:${pattern})$`, 'i'), asked };
}

/** What the first rule makes of a clause that fits it; null when none does. */
export function askedBy(rules: readonly ClauseRule[], text: string, masked: MaskedText): Asked | null {
  for (const { pattern, asked } of rules) {
    const groups = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : undefined);
    const found = groups && asked(partsOf(groups, masked));
    if (found) return found;
  }
  return null;
}

function partsOf(groups: Readonly<Record<string, string | undefined>>, masked: MaskedText): Parts {
  return {
    written: (name) => masked.restore(groups[name] ?? '').trim(),
    plain: (name) => masked.reveal(groups[name] ?? '').trim(),
    has: (name) => groups[name] !== undefined,
  };
}
