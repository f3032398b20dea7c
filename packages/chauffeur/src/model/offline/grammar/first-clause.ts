const POLITE =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|first|and|so)[,\s]+|(?:can|could|would|will) you (?:please )?|(?:i|we) (?:want|need|would like|'d like) (?:you )?to |(?:let's|lets|let us) |go ahead and |try to |you (?:should|must) )+/i;
const NEXT_STEP =
  /[,;.]?\s+(?:and then|then|after that|afterwards)\s+|,?\s+and\s+(?=(?:press|hit|click|tap)\s)|(?<=\w{2}[.!])\s+(?=[A-Z][a-z]+\s)/;
const QUESTION = /^[^?]*\?\s+(?=\S+\s+\S)/;

/** Turns of phrase that are one verb. */
const PARAPHRASES: readonly (readonly [phrase: RegExp, verb: string])[] = [
  [/^(?:throw away|get rid of|do away with|toss)\b/i, 'delete'],
  [/^(?:order|arrange|rank)\b(?=.*\bby\b)/i, 'sort'],
  [/^look up\b/i, 'find'],
  [/^put\b(?=.*\b(?:in|into|to)\b.*\b(?:cart|basket|bag|trolley|wish ?list)\b)/i, 'add'],
];

/** The first step of a sentence, without courtesies: one act is one step. */
export function firstClause(sentence: string): string {
  const folded = sentence.replace(/\s+/g, ' ').trim().replace(QUESTION, '');
  const clause = folded.split(NEXT_STEP)[0] ?? folded;
  return PARAPHRASES.reduce((text, [phrase, verb]) => text.replace(phrase, verb), withoutCourtesy(clause));
}

/** A step without "please", "could you" and the like, and without the full stop. */
export function withoutCourtesy(step: string): string {
  return step
    .replace(POLITE, '')
    .replace(/(?:,?\s*(?:please|thanks|thank you))?(?:(?<!\b[A-Z])\.)*$/, '')
    .trim();
}
