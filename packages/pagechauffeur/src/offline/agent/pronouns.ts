import { withoutCourtesy } from '../grammar/first-clause.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import { type Line, closest } from '../page/line.ts';
import { PageIndex } from '../page/page-index.ts';
import { ITEM_ROLES } from '../page/roles.ts';
import { recordOf } from '../page/surroundings.ts';
import type { Situation } from './situation.ts';

/** Number of earlier clauses that a pronoun may refer to. */
const REACH = 3;
const OBJECT =
  /(?<=^\S+(?: \S+)?\s)(?:it|them|that|this|(?:this|that|the same) one)(?=$|[.!?]|\s)|(?<=\s(?:in|into|on|onto|to)\s)(?:it|them)(?=[.!?]*$)/i;
const PRONOUN = /\b(?:its?|their|them|there|that|this|these|those)\b/i;
const OWNER = /\b(?:its|their)\b/i;
const POINTING = /\b(?:its?|there|that|this)\b/i;

/**
 * Returns the phrase once for each thing that its pronoun may refer to, most likely first, and finally without the
 * pronoun. Without a pronoun, returns only the phrase.
 */
export function spelledOut(words: string, { earlier }: Pick<Situation, 'earlier'>): readonly string[] {
  if (!OBJECT.test(words)) return [words];
  const objects = earlier
    .slice(-REACH)
    .toReversed()
    .flatMap(({ clause }) => objectsIn(clause.words));
  return [...objects.map((thing) => words.replace(OBJECT, thing)), words.replace(OBJECT, '').trim()];
}

/** Replaces possessive pronouns: "its total" becomes "the total of the second order". */
export function ownersSpelledOut(words: string, { earlier }: Pick<Situation, 'earlier'>): readonly string[] {
  if (!OWNER.test(words)) return [words];
  const objects = earlier
    .slice(-REACH)
    .toReversed()
    .flatMap(({ clause }) => objectsIn(clause.words));
  const plain = words.replace(OWNER, 'the');
  return [...objects.map((thing) => `${plain} of ${thing}`), plain];
}

const PREPOSITION = /\s+(?:in|into|to|from|on|onto|with|as|at|for|until)\s+/i;
const WRITING = /^(?:type|enter|write|fill|put|insert|paste|drag|move|upload|add)\b/i;
const LITTLE = /^(?:up|out|in|on|for|to|over|through|down)\s+/i;

/**
 * Returns the noun phrases in a clause: object, then location. For verbs that put something into a container,
 * container, then object.
 */
function objectsIn(words: string): readonly string[] {
  const masked = new MaskedText(withoutCourtesy(words));
  const rest = masked.text.replace(/^\S+\s*/, '').replace(LITTLE, '');
  const objects = rest
    .split(PREPOSITION)
    .map((thing) =>
      masked
        .restore(thing)
        .replace(/[.!?]+$/, '')
        .trim(),
    )
    .filter((thing) => thing !== '' && !PRONOUN.test(thing));
  return WRITING.test(masked.text) ? [...objects.slice(1), ...objects.slice(0, 1)] : objects;
}

/**
 * Returns the record of the last action as a separate index, for phrases such as "its invoice". Returns `null` if the
 * phrase has no pronoun or the page has no such record.
 */
export function requestedRecord(
  words: string,
  { earlier, index, page }: Pick<Situation, 'earlier' | 'index' | 'page'>,
): PageIndex | null {
  if (!POINTING.test(new MaskedText(words).text)) return null;
  const last = earlier
    .flatMap(({ pastCalls }) => pastCalls)
    .filter(({ outcome }) => outcome === 'done')
    .at(-1);
  const ref = last?.input['ref'];
  if (typeof ref !== 'string' || last?.effect === 'navigated') return null;
  const line = index.elements.find(({ node }) => node.ref === ref);
  const record = line && (recordOf(line) ?? sectionOf(line));
  return record ? new PageIndex({ nodes: [record.node], title: '', url: page.url }) : null;
}

function sectionOf(line: Line): Line | null {
  return closest(line, ITEM_ROLES);
}
