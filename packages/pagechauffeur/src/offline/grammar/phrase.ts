import { foldText, joinVerbs, wordsOf, type Word } from '../text/words.ts';
import { isActionVerb, isAlsoNoun, isGenericNoun, isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { isJoint, isLittleWord } from '../text/plain-words.ts';
import { isPictureNoun, rolesNamed } from './kind-words.ts';
import { type MaskedText, withoutHidden } from './masked-text.ts';
import { findOrdinal, spellOrdinals, type Ordinal } from './ordinal.ts';

/** Where the page must contain a word. `own`: on the element; `around`: near it; `any`: in either place. */
export type MatchScope = 'own' | 'around' | 'any';

/**
 * The role of a word in its sentence. `little`: function word; `joint`: conjunction; `verb`: generic verb such as
 * "click"; `head`: verb that names a control; `kind`: kind of element; `kindAround`: kind of something nearby; `noun`:
 * generic noun; `content`: any other word.
 */
export type WordSort = 'little' | 'joint' | 'verb' | 'head' | 'kind' | 'kindAround' | 'noun' | 'content';

export interface TargetWord {
  /** See {@link Word.text}. */
  readonly text: string;
  readonly stem: string;
  readonly sort: WordSort;
  /** True for names, numbers and quoted words. Synonyms do not match them. */
  readonly isName: boolean;
  /** True for words that describe the element itself, usually those before the first preposition. */
  readonly isMain: boolean;
  /** Weight in the ranking. Stop words have weight 0 and only help to match a complete name. */
  readonly weight: number;
  readonly place: MatchScope;
  /** True for a verb that names the control. A control without this verb is a different one. */
  readonly isHead: boolean;
  /** True for a noun that names a kind of element, such as "button". */
  readonly isKind?: boolean;
  /** True for words that name the element's container, as in "the link in Education". */
  readonly isContainerName?: boolean;
}

/** A description of one element, parsed from an instruction. */
export interface Phrase {
  readonly words: readonly TargetWord[];
  /** Quoted strings, normalized. The element or the text near it must contain them. */
  readonly quoted: readonly string[];
  /** Roles that fit the noun, such as those for "button". `null` if no kind is named. */
  readonly roles: ReadonlySet<string> | null;
  readonly ordinal: Ordinal | null;
  /** True if the ordinal counts containers, as in "in the second row". */
  readonly isOrdinalAside: boolean;
}

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

const IN_PLACE: ReadonlySet<string> = new Set(['in', 'on', 'from', 'at']);

/** Phrases that introduce context (`around`), the element's own text (`own`) or something undecided (`any`). */
const RELATION = new RegExp(
  `\\b(?<around>(?:in|on|from|of|at) (?:the )?(?:same )?(?:row|line|entry|record) (?:of|with|for|where|that contains|containing|about|labell?ed|called|named)|next to|beside|near|close to|under(?:neath)?(?: the heading)?|below|inside(?: of)?|within|belonging to)\\b` +
    `|\\b(?<own>(?:with|has|bears|shows) the (?:text|label|name|title)|with (?:text|label|name|title)|called|named|labell?ed|titled|saying|reading|showing|displaying|(?:that|which) (?:currently )?(?:says|reads|shows|displays))\\b` +
    `|\\b(?<any>(?:that|which) (?:leads?|goes|links|points|takes (?:me|you|us)) to|(?:that costs?|which costs?|costing|priced at)(?= \\D?\\d)|in|into|on|onto|of|for|from|by|about|with|as|at|using|to|where|whose|that)\\b`,
);

interface Segment {
  readonly text: string;
  /** The relation phrase before this segment, for example "next to". Empty for the first one. */
  readonly link: string;
  readonly relation: 'main' | 'around' | 'own' | 'any';
}

/** Parses a noun phrase, or a clause with a verb, as the description of an element. */
export function readPhrase(part: string, masked: MaskedText): Phrase {
  const segments = splitAtRelations(joinVerbs(part));
  const main = mainSegment(segments);
  const words = segments.flatMap((segment, index) =>
    wordsOfSegment(segment, {
      masked,
      isFirst: index === 0,
      isMain: segment === main,
      isContainerName: main !== undefined && segments.indexOf(main) < index && isContainerOf(main, segment),
    }),
  );
  return {
    words: withGenericsPromoted(withObjectsLightened(withVerbAsName(words))),
    quoted: masked
      .quotesIn(part)
      .map(foldText)
      .filter((text) => text !== ''),
    roles: rolesIn(main?.text ?? ''),
    ordinal: findOrdinal(withoutHidden(part)),
    isOrdinalAside: segments.some(
      (segment) => segment !== main && segment.relation !== 'main' && findOrdinal(withoutHidden(segment.text)) !== null,
    ),
  };
}

/**
 * True if the segment names a container, as in "the link of Education". False for "the page of the red mug", which may
 * be a name, and "the picture of the red mug", which describes the image.
 */
function isContainerOf(main: Segment, { link }: Segment): boolean {
  const relation = link.toLowerCase();
  if (IN_PLACE.has(relation)) return true;
  return (
    relation === 'of' && rolesIn(main.text) !== null && !distinctive(main.text).some(({ stem }) => isPictureNoun(stem))
  );
}

/** Turns the head verb into a plain verb, for intents in which it names the action and not the control. */
export function withoutHead(phrase: Phrase): Phrase {
  if (!phrase.words.some(({ isHead }) => isHead)) return phrase;
  const downweighted = new Map([
    [WEIGHT.head, WEIGHT.verbAside],
    [WEIGHT.object, WEIGHT.plain],
  ]);
  return {
    ...phrase,
    words: phrase.words.map((word) => ({
      ...word,
      isHead: false,
      weight: downweighted.get(word.weight) ?? word.weight,
    })),
  };
}

export function withSurroundings(phrase: Phrase, around: Phrase): Phrase {
  const words = around.words.map((word) => ({ ...word, ...asSurroundings(word), isHead: false, isMain: false }));
  return {
    ...phrase,
    words: [...phrase.words, ...words],
    quoted: [...phrase.quoted, ...around.quoted],
    ordinal: phrase.ordinal ?? around.ordinal,
    isOrdinalAside: phrase.ordinal ? phrase.isOrdinalAside : around.ordinal !== null,
  };
}

function asSurroundings({ sort }: TargetWord): Pick<TargetWord, 'place' | 'sort'> {
  return { place: 'around', sort: sort === 'kind' ? 'kindAround' : sort === 'head' ? 'content' : sort };
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

interface SegmentContext {
  readonly masked: MaskedText;
  readonly isFirst: boolean;
  readonly isMain: boolean;
  readonly isContainerName: boolean;
}

function wordsOfSegment(
  { text, relation, link }: Segment,
  { masked, isFirst, isMain, isContainerName }: SegmentContext,
): TargetWord[] {
  const place: MatchScope = relation === 'around' ? 'around' : relation === 'own' ? 'own' : 'any';
  const plain = wordsOf(spellOrdinals(withoutHidden(text)));
  const words = plain.map((word, index) =>
    targetWord(word, {
      place,
      isOpening: isFirst && isInOpening(plain, index),
      isVerb: isFirst && index === 0 && isVerbBefore(word, plain[1]),
      isLeading: isFirst && index === 0,
      isAside: !isMain && relation !== 'main' && relation !== 'own',
      isMain: isMain || relation === 'main',
    }),
  );
  const quoted = masked.quotesIn(text).flatMap((quote) => wordsOf(quote));
  const given = { place, isHead: false, isMain: isMain || relation === 'main' || relation === 'own' };
  const linking = wordsOf(link).map(({ text: said, stem }) => ({
    ...given,
    ...({ text: said, stem, sort: 'little', isName: false, weight: 0 } as const),
  }));
  const all: TargetWord[] = [
    ...linking,
    ...words,
    ...quoted.map(({ text: said, stem }) => ({
      ...given,
      ...({ text: said, stem, sort: 'content', isName: true, weight: WEIGHT.specific } as const),
    })),
  ];
  return isContainerName ? all.map((word) => ({ ...word, isContainerName })) : all;
}

/** True if the first word is a verb, because an article or the recipient of a message follows. */
function isVerbBefore({ text }: Word, next: Word | undefined): boolean {
  if (!next) return false;
  return DETERMINERS.has(next.text) || (MESSAGING.has(text) && next.isCapitalized);
}

/** Nouns that are verbs before a name, as in "email Ada Lovelace". */
const MESSAGING: ReadonlySet<string> = new Set(['email', 'mail', 'message', 'text', 'phone', 'call', 'ping']);

function isInOpening(words: readonly Word[], index: number): boolean {
  return words.slice(0, index).every(({ text }) => isStopWord(text) || isWeakVerb(text));
}

/** Words that start a noun phrase, so that the word before is a verb. */
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
/** Words that the element itself must contain: "close all" does not match "Close". */
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

/** Particles, which the element itself must contain, too: "take it out" does not match "Take it". */
const PARTICLES: ReadonlySet<string> = new Set(['out', 'off', 'away']);

interface WordContext {
  readonly place: MatchScope;
  readonly isOpening: boolean;
  /** True for the verb in "deploy the flows", which is followed by a determiner. */
  readonly isVerb: boolean;
  readonly isLeading: boolean;
  readonly isAside: boolean;
  readonly isMain: boolean;
}

function targetWord(
  { stem, text, isCapitalized }: Word,
  { place, isOpening, isVerb, isLeading, isAside, isMain }: WordContext,
): TargetWord {
  // The pronoun "I" is always capitalized.
  const isCapital = isCapitalized && !isLeading && text !== 'i';
  const isName = (isCapital && text.length > 1) || /\d/.test(text);
  const word = (sort: WordSort, weight: number): TargetWord => ({
    ...{ text, stem, sort, isName, isMain, weight, place },
    isHead: sort === 'head',
  });
  if (isStopWord(text) || isLittleWord(text))
    return word(isCapital ? 'content' : stopWordSort(text), isCapital ? WEIGHT.specific : 0);
  if (isOpening && isWeakVerb(text))
    return isCapital ? word('content', WEIGHT.specific) : word('verb', WEIGHT.weakVerb);
  if (isVerb || (isOpening && isActionVerb(stem) && (isLeading || isCapitalized || !isAlsoNoun(stem))))
    return word('head', WEIGHT.head);
  if (rolesNamed(stem) && text !== 'options')
    return isAside ? word('kindAround', WEIGHT.kindAround) : { ...word('kind', WEIGHT.kind), isKind: true };
  if (QUANTIFIERS.has(text) || PARTICLES.has(text)) return { ...word('content', WEIGHT.specific), place: 'own' };
  if (/\d/.test(text) || (isCapitalized && !isOpening)) return word('content', WEIGHT.specific);
  if (isGenericNoun(stem)) return word('noun', isAside ? WEIGHT.kindAround : WEIGHT.generic);
  return word('content', WEIGHT.plain);
}

/** Stop words that change what a sentence means, such as "most", "but" and "if", count as content. */
function stopWordSort(text: string): WordSort {
  if (isJoint(text)) return 'joint';
  return isLittleWord(text) ? 'little' : 'content';
}

/** If there are only verbs, the ones after the first are the name of the control, as in "click go". */
function withVerbAsName(words: readonly TargetWord[]): readonly TargetWord[] {
  if (words.some(({ weight }) => weight > WEIGHT.weakVerb)) return words;
  const first = words.findIndex(({ weight }) => weight > 0);
  return words.map((word, index) =>
    index > first && word.weight > 0 ? { ...word, weight: WEIGHT.plain, sort: 'content' } : word,
  );
}

/** Lowers the weight of nouns after a head verb, because they are only its object, as in "pause the music". */
function withObjectsLightened(words: readonly TargetWord[]): readonly TargetWord[] {
  if (!words.some((word) => word.isHead)) return words;
  return words.map((word) =>
    word.weight === WEIGHT.plain && word.place === 'any' ? { ...word, weight: WEIGHT.object } : word,
  );
}

/** Returns the first segment with a content word. In "the about me box", skips the empty segment before "about". */
function mainSegment(segments: readonly Segment[]): Segment | undefined {
  return segments.find(({ text }) => distinctive(text).length > 0);
}

/**
 * If there are no other words, generic nouns such as "order" and "list" are the name. In "the Widgets page", only the
 * capitalized one is.
 */
function withGenericsPromoted(words: readonly TargetWord[]): readonly TargetWord[] {
  const isDistinctive = ({ weight, isKind }: TargetWord): boolean => isKind === true || weight > WEIGHT.generic;
  if (words.some(isDistinctive)) return words;
  const isGeneric = ({ weight }: TargetWord): boolean => weight === WEIGHT.generic || weight === WEIGHT.kindAround;
  const hasName = words.some((word) => isGeneric(word) && word.isName);
  return words.map((word) =>
    isGeneric(word) && (word.isName || !hasName)
      ? { ...word, weight: WEIGHT.plain, sort: word.sort === 'noun' ? 'content' : word.sort }
      : word,
  );
}

/** Returns the words that may be a name: no leading verbs, and no "options", which is usually a menu. */
function distinctive(text: string): readonly Word[] {
  const words = wordsOf(withoutHidden(text));
  const start = words.findIndex((word) => !isStopWord(word.text) && !isWeakVerb(word.text));
  return start < 0 ? [] : words.slice(start).filter((word) => !isStopWord(word.text) && word.text !== 'options');
}

function rolesIn(text: string): ReadonlySet<string> | null {
  const kinds = distinctive(text)
    .map(({ stem }) => rolesNamed(stem))
    .filter((roles) => roles !== undefined);
  return kinds.at(-1) ?? null;
}
