import { withoutCourtesy } from '../grammar/first-clause.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import { beginsClause, beginsWithVerb, lacksObject } from './clause-verbs.ts';

/** Splits an instruction into clauses, in order and in the words of the user. */
export function splitClauses(instruction: string): readonly string[] {
  const masked = new MaskedText(instruction);
  const clauses = linesOf(masked.text).flatMap(sentencesOf).flatMap(turnsOf).flatMap(partsOf).flatMap(withoutWhen);
  return withLocations(withVerbs(clauses.map(withoutLead).filter((clause) => clause !== ''))).map((clause) =>
    withoutCourtesy(masked.restore(clause)),
  );
}

const BULLET = /^\s*(?:[-*•–]|\(?\d{1,2}[.)]|step \d{1,2}\s*[:.)]?)\s+/i;
const NUMBERS = /\s+\(?\d{1,2}[.)]\s+(?=\p{L}|[\uE000-\uE3FF])/u;

/**
 * Splits at line breaks and at numbers such as "2." within a line. Joins a line with the one before if it does not
 * start a clause.
 */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isList = lines.some((line) => BULLET.test(line));
  const joined: string[] = [];
  for (const line of lines) {
    const begins = BULLET.test(line) || (!isList && beginsWithVerb(withoutLead(line.trim())));
    if (begins || joined.length === 0) joined.push(line);
    else joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
  }
  return joined.flatMap((line) => {
    const isNumbered = /^\s*\(?1[.)]\s/.test(line);
    const plain = line.replace(BULLET, '');
    return isNumbered ? plain.split(NUMBERS) : [plain];
  });
}

const ABBREVIATED = /\b(?:mr|mrs|ms|dr|st|no|nr|vs|e\.g|i\.e|etc|approx|inc|ltd|co|[a-z])\.$/i;

function sentencesOf(line: string): readonly string[] {
  const sentences: string[] = [];
  let rest = '';
  const pieces = line.split(/(?<=[.!?])\s+|(?<=;)\s*/);
  for (const [index, piece] of pieces.entries()) {
    rest = rest === '' ? piece : `${rest} ${piece}`;
    const isOneList = piece.endsWith(';') && !beginsWithVerb(withoutLead(pieces[index + 1] ?? 'do'));
    if (ABBREVIATED.test(piece) || isOneList) continue;
    sentences.push(rest);
    rest = '';
  }
  return [...sentences, rest].map((sentence) => sentence.trim().replace(/;$/, ''));
}

/** Words such as ", then" that start the next clause. */
const TURN =
  /[,:]?\s+(?:and\s+|but\s+)?(?:then|after (?:that|this|which)|afterwards?|subsequently|thereafter|once (?:that(?:'s| is)|you(?:'re| are)|it(?:'s| is)) done|when (?:that(?:'s| is)|you(?:'re| are)|it(?:'s| is)) done)\b[,:]?\s+(?=\S)/i;

function turnsOf(sentence: string): readonly string[] {
  return sentence.split(TURN).map(withoutLead);
}

const JOINT = /\s*,\s+(?:and\s+|but\s+)?|\s+(?:and|&)\s+/g;
/** Number of characters after a joint that are checked for the start of a clause. */
const LOOK_AHEAD = 200;
/** A condition ends at its first comma, which does not start a new clause. */
const CONDITION = /^(?:if|unless|when|once|as soon as|after)\s/i;
/** The button may have a name with two verbs, as in "click Save and close". */
const TWO_VERBS = /^(?:click|press|hit|tap|push|choose|select)(?: on)?(?: the)? \S+$/i;

/** Splits a sentence at commas and "and" before a verb that starts a clause. */
function partsOf(sentence: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isConditional = CONDITION.test(withoutLead(sentence));
  for (const joint of sentence.matchAll(JOINT)) {
    const before = sentence.slice(start, joint.index);
    const begin = joint.index + joint[0].length;
    const after = withoutLead(sentence.slice(begin, begin + LOOK_AHEAD));
    if (isConditional && joint[0].trimStart().startsWith(',')) {
      isConditional = false;
      continue;
    }
    if (!beginsClause(after) || isPartOf(withoutLead(before), after)) continue;
    parts.push(before);
    start = begin;
  }
  return [...parts, sentence.slice(start)];
}

/** Splits "when the results appear, open the first" into a wait and an action. */
function withoutWhen(part: string): readonly string[] {
  const { event, rest } = /^(?:when|once|as soon as|after) (?<event>[^,]+),\s*(?<rest>.+)$/i.exec(part)?.groups ?? {};
  if (event === undefined || rest === undefined) return [part];
  const done = /^(?:logging|signing)( in| out)(.*)$/i.exec(event);
  return [done ? `log${done[1] ?? ''}${done[2] ?? ''}` : `wait until ${event}`, rest];
}

/**
 * True if an apparent clause is part of the one before: it shares the object, completes a name with two verbs, or
 * starts with the adjective "open".
 */
function isPartOf(before: string, after: string): boolean {
  const isName = TWO_VERBS.test(before) && /^[\w-]+[.!?]*$/.test(after);
  return isName || lacksObject(before) || (/^open\s/.test(after) && STATES.test(before));
}

/** Adjectives before "open", as in "show new, paid and open orders". */
const STATES = /\b(?:\w+ed|new|active|pending|all)$/i;

const LEAD =
  /^(?:(?:and|but|or|then|next|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|finally|lastly|also|now|afterwards?|after (?:that|this)|to (?:begin|start) with|in the end)(?:,\s*|\s+)(?!(?:link|button|tab|page|one|result|name)\b))+/i;

/** Removes words that only give the order, such as "then". */
function withoutLead(part: string): string {
  const clause = part
    .trim()
    .replace(/^[,;:.]+\s*/, '')
    .replace(LEAD, '');
  return withoutCourtesy(clause).replace(LEAD, '');
}

const PLACE = /^(?:in|on|under|within|inside|from|at|for)\s/i;
/** A verb after the location, as in "in the cart click Remove". The location then needs no other clause. */
const VERB_AFTER_LOCATION =
  /,|(?<!\b(?:in|on|under|the|my|our|your))\s(?:click|press|type|enter|fill|choose|select|pick|set|check|tick|open|delete|remove|add|edit)\s/i;

/** Joins a location with the clause after it: "in the billing address, set the city to Bonn". */
function withLocations(clauses: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const clause of clauses) {
    const before = whole.at(-1);
    if (before !== undefined && PLACE.test(before) && !VERB_AFTER_LOCATION.test(before))
      whole.splice(-1, 1, `${before}, ${clause}`);
    else whole.push(clause);
  }
  return whole;
}

/** Repeats the verb for a clause without one: "click Edit, then Save". */
function withVerbs(clauses: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const clause of clauses) {
    const before = whole.at(-1);
    const verb =
      before && /^(?:click|press|open|choose|select|tick|check|hover over|go to)(?: on)?\b/i.exec(before)?.[0];
    whole.push(verb && GOES_ON.test(clause) && !beginsWithVerb(clause) ? `${verb} ${clause}` : clause);
  }
  return whole;
}

/** The start of a noun phrase: an article, or a capitalized or quoted name. */
const GOES_ON = /^(?:the|a|an|its|my|your|[\uE000-\uE3FF]|\p{Lu})/u;
