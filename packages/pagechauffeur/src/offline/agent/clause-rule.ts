import type { MaskedText } from '../grammar/masked-text.ts';
import type { Asked } from './clause.ts';

/** Named groups of a matched clause: `written` keeps quotation marks, `plain` removes them. */
export interface Parts {
  readonly written: (name: string) => string;
  readonly plain: (name: string) => string;
  readonly has: (name: string) => boolean;
}

/**
 * A pattern for clauses, in which each quoted text is one character. `asked` returns what a match means, or null if the clause means
 * something else.
 */
export interface ClauseRule {
  readonly pattern: RegExp;
  readonly asked: (parts: Parts) => Asked | null;
}

/** Matches a quoted text or a `%name%` placeholder in a rule pattern. */
export const HIDDEN = '[\\uE000-\\uE3FF]';

/** Creates a rule that must match the whole clause. */
export function rule(pattern: string, asked: ClauseRule['asked']): ClauseRule {
  return { pattern: new RegExp(`^(?:${pattern})$`, 'i'), asked };
}

/** Result of the first matching rule. Null if no rule matches. */
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
