const POLITE =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|first|and|so)[,\s]+|(?:can|could|would|will) you (?:please )?|(?:i|we) (?:want|need|would like|'d like) (?:you )?to |(?:let's|lets|let us) |go ahead and |try to |you (?:should|must) )+/i;
const NEXT_STEP =
  /[,;.]?\s+(?:and then|then|after that|afterwards)\s+|,?\s+and\s+(?=(?:press|hit|click|tap)\s)|(?<=\w{2}[.!])\s+(?=[A-Z][a-z]+\s)/;
const QUESTION = /^[^?]*\?\s+(?=\S+\s+\S)/;

/** Replaces phrases with a verb that the grammar knows. */
const PARAPHRASES: readonly (readonly [phrase: RegExp, verb: string])[] = [
  [/^(?:throw away|get rid of|do away with|toss)\b/i, 'delete'],
  [/^(?:order|arrange|rank)\b(?=.*\bby\b)/i, 'sort'],
  [/^look up\b/i, 'find'],
  [/^(turn|switch) (?!on\b|off\b)(.+?) (on|off)(?= in (?:the|my)\b| under\b|$)/i, '$1 $3 $2'],
  [/^(?:look|query|google|ask)(?= (?:again )?for\b)/i, 'search'],
  [/^(?:take|get|pull|leave) (.+?) (?:out of|off|away from)(?=\s)/i, 'remove $1 from'],
  [/^put\b(?=.*\b(?:in|into|to)\b.*\b(?:cart|basket|bag|trolley|wish ?list)\b)/i, 'add'],
];

/** One clause of a sentence. `act` runs a single clause per call. */
interface FirstClause {
  readonly clause: string;
  /** The sentence without the clause, to report what was ignored. */
  readonly rest: string;
}

/** Splits off the first clause and removes polite phrases from it. */
export function readFirstClause(sentence: string): FirstClause {
  const folded = withoutFinding(sentence.replace(/\s+/g, ' ').trim());
  const question = QUESTION.exec(folded)?.[0] ?? '';
  const steps = folded.slice(question.length);
  const clause = steps.split(NEXT_STEP)[0] ?? steps;
  const rest = `${question} ${withoutCourtesy(steps.slice(clause.length).replace(/^[\s,;.]+/, ''))}`.trim();
  return {
    clause: PARAPHRASES.reduce((text, [phrase, verb]) => text.replace(phrase, verb), withoutCourtesy(clause)),
    rest,
  };
}

const FOUND_FIRST =
  /^(?<asked>.*?)\b(?:go to|find|locate|look for|scroll to) (?<object>[^,.;]+?),? and (?:then )?(?<verb>click|press|tap|hit|open|tick|check|select)(?: on)? (?:it|that)(?=[\s.!]*$)/i;

/** Turns "find the Save button and click it" into "click the Save button", which is one action. */
export function withoutFinding(sentence: string): string {
  const { asked = '', object, verb } = FOUND_FIRST.exec(sentence)?.groups ?? {};
  return object === undefined || withoutCourtesy(asked) !== '' ? sentence : `${verb} ${object}`;
}

export function firstClause(sentence: string): string {
  return readFirstClause(sentence).clause;
}

const THANKS =
  /(?:,?\s*\b(?:please|thanks|thank you|for me|right (?:now|away)|now|immediately|at the moment|if (?:you (?:can|could|would|don'?t mind)|possible)|(?:will|would|could|can) you))+[.!?]*$/i;

/** Removes "please", "could you", "for me" and the final period. */
export function withoutCourtesy(step: string): string {
  return step
    .replace(POLITE, '')
    .replace(THANKS, '')
    .replace(/(?:(?<!\b[A-Z])\.)*$/, '')
    .trim();
}
