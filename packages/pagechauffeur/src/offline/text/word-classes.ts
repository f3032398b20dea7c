import { wordList } from './word-list.ts';
import { stemsOf } from './words.ts';

/** Words that do not describe an element. Includes everyday verbs and pronouns. */
const STOP = wordList(`
a an the this that these those my your our their his her its it me you we us i they them there here
is are be was were do does did have has had can could would should will shall may please just then now so also again too
of in on at to from for with by as into onto about within inside under over up via through during than
and or but if only some such least most
lets let want need how what which who when where why
`);

/** Nouns for a kind of item, which occur on most pages and identify nothing. */
const GENERIC = stemsOf(`
page product item entry thing element section category area part one content website screen list post site view version article
app application field box value name kind type step bit card record row column line option mode control widget panel tool user
message order icon sign label chip swatch tile text file folder menu window form state number result account mail email
`);

/** Generic verbs such as "click" and "open", which are usually not in the name of an element. */
const WEAK_VERBS = wordList(`
click press tap hit open go visit follow navigate show view see display look read choose pick select use switch jump try get take
activate launch make do perform want give push bring mark turn set move put use say answer tell toggle check tick enter
scroll head proceed find locate hover focus include manage allow permit
`);

/** Verbs that name controls. If an instruction has one, the control's name usually has the verb, too. */
const ACTION_VERBS = stemsOf(`
delete remove erase discard add create edit modify rename reply forward archive star like dislike follow unfollow share download upload
export import print save cancel submit send play pause stop mute unmute shuffle repeat buy purchase order subscribe unsubscribe register
login logout signin signout signup apply reset clear undo redo copy paste cut report refund reserve book accept reject decline confirm
search filter sort zoom expand collapse close quit exit dismiss refresh reload compose invite deactivate disable enable block ban approve
publish write schedule deploy run start change resume duplicate restore retry pay checkout rate review connect disconnect install uninstall insert attach rent swap favourite
favorite bookmark increase decrease continue request post flag hide unsubscribe watch redeem claim contact call forget forgot lost recover
`);

/** Action verbs that are also nouns, such as "order" in "open order 7". */
const ALSO_NOUNS = stemsOf(
  'order book post report request review rate call contact star share claim comment record filter',
);

const stop = new Set(STOP);
const alsoNouns = new Set(ALSO_NOUNS);
const generic = new Set(GENERIC);
const weakVerbs = new Set(WEAK_VERBS);
const actionVerbs = new Set(ACTION_VERBS);

export function isStopWord(text: string): boolean {
  return stop.has(text);
}

export function isGenericNoun(stem: string): boolean {
  return generic.has(stem);
}

export function isWeakVerb(text: string): boolean {
  return weakVerbs.has(text);
}

export function isActionVerb(stem: string): boolean {
  return actionVerbs.has(stem);
}

export function isAlsoNoun(stem: string): boolean {
  return alsoNouns.has(stem);
}
