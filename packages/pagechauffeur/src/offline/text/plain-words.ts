import { wordList } from './word-list.ts';

/**
 * Words that only hold a sentence together. Each other word of an instruction must be borne out by the page: a verb, a name, a kind, a
 * place or a value.
 */
const LITTLE = new Set(
  wordList(`
a an the this that its it one ones my your our their his her me you we us i
is are be was were being been do does did have has had can could will would shall should may might
of in on at to from for with by as into onto within inside under over up via through about using per
please just now so also again too
which where whose who
`),
);
/** Words that join two things: both must be the element's, as in "Shipping and returns". */
const JOINTS = new Set(wordList('and or nor plus'));

/** Verbs that say only that an element is used, shown or chosen, and nothing of what it is called. */
const PLAIN_VERBS = new Set(
  wordList(`
click press tap hit push touch toggle activate launch
open go visit follow navigate show view see display look read head proceed switch jump browse
choose pick select use take
`),
);

/** Whether a word, in lower case, only holds a sentence together. */
export function isLittleWord(text: string): boolean {
  return LITTLE.has(text);
}

/** Whether a word, in lower case, joins two things. */
export function isJoint(text: string): boolean {
  return JOINTS.has(text);
}

/** Whether a verb, in lower case, says only that an element is used, shown or chosen. */
export function isPlainVerb(text: string): boolean {
  return PLAIN_VERBS.has(text);
}

const CONSENTING = new Set(wordList('allow permit keep'));

/** Whether a verb, in lower case, only agrees to a choice: "allow necessary cookies". */
export function isConsentingVerb(text: string): boolean {
  return CONSENTING.has(text);
}
