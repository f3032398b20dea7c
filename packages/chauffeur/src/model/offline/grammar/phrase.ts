import { foldText, joinVerbs, stemsOf, wordsOf, type Word } from '../text/words.ts';
import { isActionVerb, isAlsoNoun, isGenericNoun, isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { rolesNamed } from './kind-words.ts';
import { type MaskedText, withoutHidden } from './masked-text.ts';
import { findOrdinal, spellOrdinals, type Ordinal } from './ordinal.ts';

/** Where a word of the instruction should be found: in the element's own texts, around it, or either. */
export type Place = 'own' | 'around' | 'any';

/** A word that the element meant should match. */
export interface TargetWord {
  readonly stem: string;
  /** How much it counts; 0 for little words, which only tell whether a name was said in full. */
  readonly weight: number;
  readonly place: Place;
  /** The verb that the control itself is named by: without it the control is another one. */
  readonly isHead: boolean;
  /** It names a kind of element, such as "button". */
  readonly isKind?: boolean;
}

/** What an instruction says about an element. */
export interface Phrase {
  readonly words: readonly TargetWord[];
  /** Quoted texts, folded: the element or its row bears them word for word. */
  readonly quoted: readonly string[];
  /** Roles of the kind of element that is named, such as "button". */
  readonly roles: ReadonlySet<string> | null;
  readonly ordinal: Ordinal | null;
}

/** How much a word counts by its class. */
const WEIGHT = {
  head: 1.5,
  specific: 1.2,
  plain: 1,
  object: 0.7,
  generic: 0.3,
  kind: 0.25,
  kindAround: 0.1,
  weakVerb: 0.15,
  verbAside: 0.25,
};

/** Words after which the surroundings are described, the bearing text, or a nearer description. */
const RELATION = new RegExp(
  `\\b(?<around>(?:in|on|from|of|at) (?:the )?(?:same )?(?:row|line|entry|record) (?:of|with|for|where|that contains|containing|about|labell?ed|called|named)|next to|beside|near|close to|under(?:neath)?(?: the heading)?|below|inside(?: of)?|within|belonging to)\\b` +
    `|\\b(?<own>(?:with|has|bears|shows) the (?:text|label|name|title)|with (?:text|label|name|title)|called|named|labell?ed|titled|that says|saying|reading)\\b` +
    `|\\b(?<any>in|into|on|onto|of|for|from|by|about|with|as|at|using|to|where|whose|that)\\b`,
);

interface Segment {
  readonly text: string;
  /** The words of the relation itself. */
  readonly link: string;
  readonly relation: 'main' | 'around' | 'own' | 'any';
}

/** Reads a noun phrase, or a whole clause with its verb, as the description of an element. */
export function readPhrase(part: string, masked: MaskedText): Phrase {
  const segments = splitAtRelations(joinVerbs(part));
  const main = mainSegment(segments);
  const words = segments.flatMap((segment, index) =>
    wordsOfSegment(segment, { masked, isFirst: index === 0, isMain: segment === main }),
  );
  return {
    words: withGenericsPromoted(withObjectsLightened(withVerbAsName(words))),
    quoted: masked
      .quotesIn(part)
      .map(foldText)
      .filter((text) => text !== ''),
    roles: rolesIn(main?.text ?? ''),
    ordinal: findOrdinal(withoutHidden(part)),
  };
}

/** A phrase whose verb says what is done, not what the control is called. */
export function withoutHead(phrase: Phrase): Phrase {
  if (!phrase.words.some(({ isHead }) => isHead)) return phrase;
  const lightened = new Map([
    [WEIGHT.head, WEIGHT.verbAside],
    [WEIGHT.object, WEIGHT.plain],
  ]);
  return {
    ...phrase,
    words: phrase.words.map((word) => ({ ...word, isHead: false, weight: lightened.get(word.weight) ?? word.weight })),
  };
}

/** A phrase that the words of another one narrow down as surroundings. */
export function withSurroundings(phrase: Phrase, around: Phrase): Phrase {
  const words = around.words.map((word) => ({ ...word, place: 'around' as const, isHead: false }));
  return {
    ...phrase,
    words: [...phrase.words, ...words],
    quoted: [...phrase.quoted, ...around.quoted],
    ordinal: phrase.ordinal ?? around.ordinal,
  };
}

function splitAtRelations(part: string): readonly Segment[] {
  const segments: Segment[] = [];
  let rest = part;
  let relation: Segment['relation'] = 'main';
  let link = '';
  for (let match = RELATION.exec(rest); match; match = RELATION.exec(rest)) {
    segments.push({ text: rest.slice(0, match.index), relation, link });
    link = match[0];
    relation = match.groups?.around ? 'around' : match.groups?.own ? 'own' : 'any';
    rest = rest.slice(match.index + match[0].length);
  }
  return [...segments, { text: rest, relation, link }];
}

function wordsOfSegment(
  { text, relation, link }: Segment,
  { masked, isFirst, isMain }: { masked: MaskedText; isFirst: boolean; isMain: boolean },
): TargetWord[] {
  const place: Place = relation === 'around' ? 'around' : relation === 'own' ? 'own' : 'any';
  const plain = wordsOf(spellOrdinals(withoutHidden(text)));
  const words = plain.map((word, index) =>
    targetWord(word, {
      place,
      isOpening: isFirst && isInOpening(plain, index),
      isVerb: isFirst && index === 0 && DETERMINERS.has(plain[1]?.text ?? ''),
      isLeading: isFirst && index === 0,
      isAside: !isMain && relation !== 'main' && relation !== 'own',
    }),
  );
  const quoted = masked.quotesIn(text).flatMap((quote) => wordsOf(quote));
  const linking = stemsOf(link).map((stem) => ({ stem, weight: 0, place, isHead: false }));
  return [...linking, ...words, ...quoted.map(({ stem }) => ({ stem, weight: WEIGHT.specific, place, isHead: false }))];
}

/** Whether only verbs and little words stand before this one. */
function isInOpening(words: readonly Word[], index: number): boolean {
  return words.slice(0, index).every(({ text }) => isStopWord(text) || isWeakVerb(text));
}

/** Words that begin a noun phrase; what stands before one is a verb. */
const DETERMINERS: ReadonlySet<string> = new Set([
  'the',
  'a',
  'an',
  'my',
  'your',
  'our',
  'this',
  'these',
  'that',
  'those',
  'all',
  'every',
  'another',
]);
/** "close all" is not "close". */
const QUANTIFIERS: ReadonlySet<string> = new Set([
  'all',
  'every',
  'each',
  'everything',
  'everyone',
  'everybody',
  'none',
  'entire',
  'whole',
]);

interface WordPlace {
  readonly place: Place;
  readonly isOpening: boolean;
  /** A determiner follows: "deploy the flows". */
  readonly isVerb: boolean;
  readonly isLeading: boolean;
  /** It stands in a part that only narrows down. */
  readonly isAside: boolean;
}

function targetWord(
  { stem, text, isCapitalized }: Word,
  { place, isOpening, isVerb, isLeading, isAside }: WordPlace,
): TargetWord {
  const word = (weight: number, isHead = false): TargetWord => ({ stem, weight, place, isHead });
  if (isStopWord(text)) return word(isCapitalized && !isLeading ? WEIGHT.specific : 0);
  if (isOpening && isWeakVerb(text)) return word(isCapitalized && !isLeading ? WEIGHT.specific : WEIGHT.weakVerb);
  if (isVerb || (isOpening && isActionVerb(stem) && (isLeading || isCapitalized || !isAlsoNoun(stem))))
    return word(WEIGHT.head, true);
  if (rolesNamed(stem) && text !== 'options')
    return { ...word(isAside ? WEIGHT.kindAround : WEIGHT.kind), isKind: !isAside };
  if (QUANTIFIERS.has(text)) return { ...word(WEIGHT.specific), place: 'own' };
  if (/\d/.test(text) || (isCapitalized && !isOpening)) return word(WEIGHT.specific);
  if (isGenericNoun(stem)) return word(isAside ? WEIGHT.kindAround : WEIGHT.generic);
  return word(WEIGHT.plain);
}

/** "click go": when nothing else is said, a second verb is what the control is called. */
function withVerbAsName(words: readonly TargetWord[]): readonly TargetWord[] {
  if (words.some(({ weight }) => weight > WEIGHT.weakVerb)) return words;
  const first = words.findIndex(({ weight }) => weight > 0);
  return words.map((word, index) => (index > first && word.weight > 0 ? { ...word, weight: WEIGHT.plain } : word));
}

/** After a verb that names the control, a plain noun is only its object: "pause the music". */
function withObjectsLightened(words: readonly TargetWord[]): readonly TargetWord[] {
  if (!words.some((word) => word.isHead)) return words;
  return words.map((word) =>
    word.weight === WEIGHT.plain && word.place === 'any' ? { ...word, weight: WEIGHT.object } : word,
  );
}

/** The first part that says anything: "the about me box" begins with a little word. */
function mainSegment(segments: readonly Segment[]): Segment | undefined {
  return segments.find(({ text }) => telling(text).length > 0);
}

/** When only nouns like "order" and "list" are said, they are the name. */
function withGenericsPromoted(words: readonly TargetWord[]): readonly TargetWord[] {
  const isTelling = ({ weight, isKind }: TargetWord): boolean => isKind === true || weight > WEIGHT.generic;
  if (words.some(isTelling)) return words;
  return words.map((word) =>
    word.weight === WEIGHT.generic || word.weight === WEIGHT.kindAround ? { ...word, weight: WEIGHT.plain } : word,
  );
}

/** The words of a part that may name something: not the verb it opens with, nor "options", which names a menu. */
function telling(text: string): readonly Word[] {
  const words = wordsOf(withoutHidden(text));
  const start = words.findIndex((word) => !isStopWord(word.text) && !isWeakVerb(word.text));
  return start < 0 ? [] : words.slice(start).filter((word) => !isStopWord(word.text) && word.text !== 'options');
}

function rolesIn(text: string): ReadonlySet<string> | null {
  const kinds = telling(text)
    .map(({ stem }) => rolesNamed(stem))
    .filter((roles) => roles !== undefined);
  return kinds.at(-1) ?? null;
}
