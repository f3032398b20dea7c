import type { Asked } from './clause.ts';
import { type ClauseRule, type Parts, rule } from './clause-rule.ts';
import { readClaim } from './read-claim.ts';

/** Patterns for reading, checking and forbidding. */
export const READING_RULES: readonly ClauseRule[] = [
  rule(
    `(?:check|verify|make sure|ensure|confirm|assert|see|validate|expect)(?: that| to see (?:that|if|whether))? (?<claim>(?:there(?:'s| is| are) .+|.+ (?:is|are|isn't|aren't|appears?|shows?|says|contains?|reads|has|have|exists?|equals|disappears?|was|were|does not|doesn't)(?: .+)?))`,
    check,
  ),
  rule(`(?:check|verify|make sure|ensure|confirm|assert) (?:that|if|whether) (?<claim>.+)`, check),
  rule(
    `(?:tell|give|show)(?: me| us)(?: back)? (?<question>.+)|(?:report (?:to me|back)|read(?: out| off| aloud)?|note(?: down)?|extract|find out|find(?= (?:what|which|how|who|when|where|whether)\\b)|get(?: me)?|write down|remember|memori[sz]e)(?: to me| me| back)? (?<plain>(?:the|its|their|all|each|every|what|which|how|who|when|where|whether) .+)`,
    read,
  ),
  rule(
    `(?<question>(?:what|which|who|when|how (?:much|many|long))(?:'s| is| are| was| does| do| did| costs?)? .+?)\\??`,
    read,
  ),
  rule(`(?:do not|don'?t|never|avoid|without) (?<what>.+)`, () => ({ kind: 'avoid' })),
];

function check({ written }: Parts): Asked | null {
  const said = written('claim').replace(/^(?:that|if|whether)\s+/i, '');
  return /\b(?:box|checkbox|radio|switch|option) (?:that|which|with|whose|next)\b/i.test(said)
    ? null
    : { kind: 'check', claim: readClaim(said) };
}

function read({ written, has }: Parts): Asked {
  return { kind: 'read', question: written(has('plain') ? 'plain' : 'question') };
}
