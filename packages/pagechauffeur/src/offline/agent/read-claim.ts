import type { Claim } from './clause.ts';

const PLACE = '(?:on|in|at) (?:the|this) (?:page|screen|list|table|results?)';
const SEEN = '(?:shown|visible|displayed|present|there|listed|available|open|on (?:the )?screen|in view)';
/** Patterns for "is there" and "is not there". The group `what` is the text that must be present or absent. */
const PATTERNS: readonly (readonly [pattern: RegExp, isNegated: boolean])[] = [
  [new RegExp(`^there(?:'s| is| are| was) (?:no|not an?|none of) (?<what>.+?)(?: ${PLACE})?$`, 'i'), true],
  [new RegExp(`^there(?:'s| is| are| was) (?<what>.+?)(?: ${PLACE})?$`, 'i'), false],
  [new RegExp(`^(?<what>.+?) (?:is|are) (?:not|no longer) ${SEEN}(?: ${PLACE})?$`, 'i'), true],
  [new RegExp(`^(?<what>.+?) (?:isn't|aren't|does not appear|doesn't appear)(?: ${SEEN})?(?: ${PLACE})?$`, 'i'), true],
  [/^(?<what>.+?) to (?:disappear|vanish|go away|be gone|be hidden)$/i, true],
  [
    new RegExp(`^(?<what>.+?) (?:is gone|are gone|disappears?|has disappeared|vanishes|goes away|is hidden)$`, 'i'),
    true,
  ],
  [new RegExp(`^(?<what>.+?) (?:is|are) ${SEEN}(?: ${PLACE})?$`, 'i'), false],
  [
    new RegExp(
      `^(?<what>.+?) (?:appears?|has appeared|shows? up|exists?|(?:has |have )?load(?:s|ed)?|pops? up|can be seen|comes? up)(?: ${PLACE})?$`,
      'i',
    ),
    false,
  ],
  [
    /^(?:the |this )?(?:page|site|it|screen) (?:does not|doesn't) (?:say|show|contain|display|have|read|mention)s? (?<what>.+)$/i,
    true,
  ],
  [
    /^(?:the |this )?(?:page|site|it|screen) (?:now )?(?:says|shows|contains|displays|has|reads|mentions) (?<what>.+)$/i,
    false,
  ],
  [/^(?:you|we|i) (?:can )?see (?<what>.+)$/i, false],
];

/** Parses a claim. If no pattern matches, all its words must be on the page. */
export function readClaim(said: string): Claim {
  const plain = said
    .trim()
    .replace(/[.!?]+$/, '')
    .replace(/^that\s+/i, '');
  for (const [pattern, isNegated] of PATTERNS) {
    const what = pattern.exec(plain)?.groups?.['what'];
    if (what !== undefined) return { words: what, isNegated };
  }
  return { words: plain, isNegated: false };
}
