import { wordList } from './word-list.ts';

/**
 * Function words, which the page need not contain. Every other word of an instruction must be matched by the element,
 * its context or the action.
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
/** Conjunctions. In "Shipping and returns", the element must contain the words on both sides. */
const JOINTS = new Set(wordList('and or nor plus'));

/** Verbs for using, showing or choosing an element. They are usually not in its name. */
const PLAIN_VERBS = new Set(
  wordList(`
click press tap hit push touch toggle activate launch
open go visit follow navigate show view see display look read head proceed switch jump browse
choose pick select use take
`),
);

export function isLittleWord(text: string): boolean {
  return LITTLE.has(text);
}

export function isJoint(text: string): boolean {
  return JOINTS.has(text);
}

export function isPlainVerb(text: string): boolean {
  return PLAIN_VERBS.has(text);
}

const VIEWING = new Set(wordList('show view see display look read visit follow browse launch'));

/**
 * True for a lower-case verb that opens or shows something. "Show the password" is not a click on the password field.
 */
export function isViewingVerb(text: string): boolean {
  return VIEWING.has(text);
}

const CONSENTING = new Set(wordList('allow permit keep'));

/** True for a lower-case verb that only accepts an option, as in "allow necessary cookies". */
export function isConsentingVerb(text: string): boolean {
  return CONSENTING.has(text);
}
