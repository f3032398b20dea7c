import { isSameWord } from '../text/concepts.ts';
import { isCheckable } from '../page/roles.ts';
import { isGenericNoun, isStopWord } from '../text/word-classes.ts';
import { foldText, stemsOf, wordsOf } from '../text/words.ts';
import type { Field } from './field.ts';
import { emailsIn, findDate, moneyIn, parseNumber, parseYesNo, phonesIn } from './parse-value.ts';
import type { Fact, Segment, TextLine } from './segment.ts';

/** Returns the value of a field, or `undefined` if the segment contains none or several. */
export function findValue(field: Field, segment: Segment): unknown {
  const labelled = labelledValue(field, segment);
  return labelled.isLabelled || field.isSetting ? labelled.value : valueByKind(field, segment);
}

export function isLabelled(field: Field, segment: Segment): boolean {
  return labelledValue(field, segment).isLabelled;
}

interface Labelled {
  readonly isLabelled: boolean;
  readonly value: unknown;
}

/** Returns the value with the best label. `value` is `undefined` if equally good labels have different values. */
function labelledValue(field: Field, segment: Segment): Labelled {
  const facts = segment.facts.filter((fact) => mayAnswer(field, fact));
  const fits = facts.map((fact) => ({ fact, fit: labelFit(field, fact.label) * fact.certainty }));
  const best = Math.max(0, ...fits.map(({ fit }) => fit));
  if (best === 0) return { isLabelled: false, value: undefined };
  const values = fits
    .filter(({ fit, fact }) => fit === best && hasFormOfNoun(field, fact))
    .map(({ fact }) => readAs(field, fact.text, fact.line.node.url ?? linkIn(fact)))
    .filter((value) => value !== undefined);
  return { isLabelled: values.length > 0 || !READ_OTHERWISE.has(field.kind), value: onlyOne(values) };
}

/**
 * If the label lacks the noun for the kind of value, the value must have the right format: a "passport number" contains
 * digits.
 */
function hasFormOfNoun({ stems, hints }: Field, { label, text }: Fact): boolean {
  const own = stemsOf(label);
  const leftOut = (stems.length > 0 ? stems : hints).filter((stem) => !isAmong(stem, own));
  return leftOut.every((stem) => FORM_BY_STEM.get(stem)?.test(text) ?? true);
}

const FORM_BY_STEM: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    'number count quantity amount total price cost fee percentage age': /\d/,
    'date day year month': /\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
    'phone telephone fax': /\d[\d\s().-]{3,}\d/,
    'email mail': /\S@\S/,
  }).flatMap(([words, form]) => stemsOf(words).map((stem): [string, RegExp] => [stem, form])),
);

/** Checkboxes answer only yes/no questions, and settings are read only from controls. */
function mayAnswer({ kind, isSetting = false }: Field, { line: { node } }: Fact): boolean {
  if (isCheckable(node) && kind !== 'boolean') return false;
  return !isSetting || node.ref !== undefined;
}

/** For these kinds, the whole segment is searched if the labelled text has no value. */
const READ_OTHERWISE: ReadonlySet<Field['kind']> = new Set(['boolean', 'url']);

function linkIn({ line }: Fact): string | undefined {
  return line.node.children.find(({ url }) => url !== undefined)?.url;
}

/** Returns the value if all entries are equal. */
function onlyOne<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/**
 * Returns how well a label matches a field, from 0. The label must contain every content word of the name and few
 * others.
 */
export function labelFit({ stems, hints, isNarrowed = false }: Field, label: string): number {
  const own = stemsOf(label);
  const named = stems.length > 0 ? stems : hints;
  const distinctive = named.filter((stem) => !isGenericNoun(stem));
  const needed = distinctive.length > 0 && !isNarrowed ? distinctive : named;
  if (own.length === 0 || needed.length === 0 || !needed.every((stem) => isAmong(stem, own))) return 0;
  if (isMostlyUnrequested(label, (stem) => isAmong(stem, [...stems, ...hints]))) return 0;
  return (
    shareOf(own, [...stems, ...hints]) * (1 - MIN_FIT) +
    MIN_FIT +
    (named.every((stem) => isAmong(stem, own)) ? FULL : 0)
  );
}

const MIN_FIT = 0.5;
/** Minimum fraction of the label's words that must be requested. */
const MIN_SHARE = 0.4;

/** True if most words of the label were not requested. "Hello from placeholder" does not label a placeholder. */
export function isMostlyUnrequested(label: string, isMentioned: (stem: string) => boolean): boolean {
  const distinctive = wordsOf(label).filter(({ text }) => !isStopWord(text));
  return distinctive.filter(({ stem }) => isMentioned(stem)).length < distinctive.length * MIN_SHARE;
}
/** Bonus for a label that contains every word of the field name, including generic nouns such as "number". */
const FULL = 0.1;

function isAmong(stem: string, others: readonly string[]): boolean {
  return others.some((other) => isSameWord(stem, other));
}

function shareOf(wanted: readonly string[], present: readonly string[]): number {
  return wanted.length === 0 ? 0 : wanted.filter((stem) => isAmong(stem, present)).length / wanted.length;
}

/** Converts labelled text to the type of the field. Returns `undefined` if it has the wrong format. */
function readAs({ kind, schema, choices }: Field, text: string, url?: string): unknown {
  switch (kind) {
    case 'number':
      return withinBounds(schema, parseNumber(text));
    case 'boolean':
      return parseYesNo(text);
    case 'url':
      return url ?? /https?:\/\/\S+/.exec(text)?.[0];
    case 'choice':
      return (
        choices.find((choice) => foldText(String(choice)) === foldText(text)) ??
        onlyOne(choices.filter((choice) => holdsWords(text, String(choice))))
      );
    default:
      return asText(schema, text);
  }
}

function withinBounds({ type, minimum, maximum }: Field['schema'], value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof minimum === 'number' && value < minimum) return undefined;
  if (typeof maximum === 'number' && value > maximum) return undefined;
  return type === 'integer' && !Number.isInteger(value) ? undefined : value;
}

function asText({ format }: Field['schema'], text: string): string | undefined {
  if (format === 'email') return onlyOne(emailsIn(text));
  const date = format === 'date' || format === 'date-time' ? findDate(text) : undefined;
  if (format === 'date') return date?.iso;
  if (format === 'date-time') return date && `${date.iso}T${date.time ?? '00:00:00Z'}`;
  return text === '' ? undefined : text;
}

function holdsWords(text: string, words: string): boolean {
  return ` ${foldText(text)} `.includes(` ${foldText(words)} `);
}

/** Finds an unlabelled value by its format. Returns `undefined` if several values have the format. */
function valueByKind(field: Field, segment: Segment): unknown {
  switch (field.kind) {
    case 'url':
      return findUrl(field, segment);
    case 'boolean':
      return findBoolean(field, segment);
    case 'choice':
      return findChoice(field, segment);
    case 'number':
      return findNumber(field, segment);
    default:
      return findText(field, segment);
  }
}

function findChoice({ choices }: Field, { texts }: Segment): unknown {
  const mentioned = new Set(texts.map(({ text }) => foldText(text)));
  return onlyOne(choices.filter((choice) => mentioned.has(foldText(String(choice)))));
}

const IMAGE_NAMES = stemsOf('image picture photo img thumbnail avatar logo icon src cover');

function findUrl(field: Field, { lines }: Segment): string | undefined {
  const isImage = means(field, IMAGE_NAMES);
  const withUrl = lines.filter(({ node }) => node.url !== undefined && (node.role === 'img') === isImage);
  const named = withUrl.filter((line) => [...line.words.keys()].some((stem) => field.stems.includes(stem)));
  const inHeading = withUrl.filter(({ parent }) => parent?.node.role === 'heading');
  const matching = [named, inHeading, withUrl].find((lines_) => lines_.length > 0) ?? [];
  return onlyOne(matching.map(({ node }) => node.url));
}

const NEGATION = /\b(?:not|no|out of|sold out|without|never|non|un\w+|isn'?t|none)\b/i;

/** Returns `true` if the shortest text with the words of the field has no negation, and `false` if it has one. */
function findBoolean({ stems, hints }: Field, { texts }: Segment): boolean | undefined {
  const wanted = (stems.length > 0 ? stems : hints).filter((stem) => !AUXILIARIES.has(stem));
  const mentioned = texts.filter(({ text }) => wanted.length > 0 && shareOf(wanted, stemsOf(text)) === 1);
  const shortest = mentioned.toSorted((left, right) => left.text.length - right.text.length)[0];
  return shortest && !NEGATION.test(shortest.text);
}

const AUXILIARIES: ReadonlySet<string> = new Set(['is', 'has', 'was', 'can', 'are', 'be']);
/** Nouns for a price. Totals, fees and balances are not prices and need a label. */
const PRICE_NAMES = stemsOf('price cost');
const RATING_NAMES = stemsOf('rating stars score rated');

function findNumber(field: Field, segment: Segment): number | undefined {
  const texts = withRest(field, segment.texts, [PRICE_NAMES, RATING_NAMES]);
  const candidates = means(field, PRICE_NAMES)
    ? standaloneAmounts(texts)
    : means(field, RATING_NAMES)
      ? texts.flatMap(({ text }) => ratingIn(text))
      : segment.texts.flatMap(({ text }) => countBeside(field, text));
  return onlyOne(
    candidates.map((text) => withinBounds(field.schema, parseNumber(text))).filter((value) => value !== undefined),
  );
}

/** Prefers amounts that are the whole text, such as a price tag, over amounts within sentences. */
function standaloneAmounts(texts: readonly TextLine[]): readonly string[] {
  const sums = texts.flatMap(({ text }) =>
    moneyIn(text).map((sum) => ({ sum, isAlone: text.replace(sum, '').trim().length <= 1 })),
  );
  const alone = sums.filter(({ isAlone }) => isAlone);
  return (alone.length > 0 ? alone : sums).map(({ sum }) => sum);
}

/** Keeps the text that contains the other words of the name, as in "the old price". */
function withRest(
  field: Field,
  texts: readonly TextLine[],
  kinds: readonly (readonly string[])[],
): readonly TextLine[] {
  const rest = restOfName(field, kinds.flat());
  return rest.length === 0 ? texts : texts.filter(({ text }) => rest.every((stem) => isAmong(stem, stemsOf(text))));
}

function restOfName({ stems }: Field, kinds: readonly string[]): readonly string[] {
  return stems.filter((stem) => !kinds.includes(stem) && !isGenericNoun(stem));
}

/** Returns a number next to the field's word: "128 reviews", "Reviews (12)", "Serves 6". */
function countBeside({ stems, hints }: Field, text: string): readonly string[] {
  const wanted = (stems.length > 0 ? stems : hints).filter((stem) => !COUNT_WORDS.has(stem));
  const isWanted = (word: string): boolean =>
    stemsOf(word).some((other) => wanted.every((stem) => isSameWord(stem, other)));
  const beside = [
    ...text.matchAll(/(?<number>\d[\d.,]*)\s+(?<word>[\p{L}²]+)/gu),
    ...text.matchAll(/(?<word>\p{L}+)\s+\(?(?<number>\d[\d.,]*)\)?/gu),
  ];
  return wanted.length === 0
    ? []
    : beside.flatMap(({ groups }) => (groups?.number && isWanted(groups.word ?? '') ? [groups.number] : []));
}

const COUNT_WORDS: ReadonlySet<string> = new Set(stemsOf('count number total amount of num'));

function ratingIn(text: string): readonly string[] {
  const rating =
    /(\d+(?:[.,]\d+)?)\s*(?:(?:out )?of|\/)\s*\d+(?!\d)|(\d+(?:[.,]\d+)?)\s*(?:stars?|★)|★\s*(\d+(?:[.,]\d+)?)/i.exec(
      text,
    );
  return rating ? [rating[1] ?? rating[2] ?? rating[3] ?? ''] : [];
}

export const TITLE_NAMES: readonly string[] = stemsOf(
  'name title heading headline label subject product caption question',
);
const DESCRIPTION_NAMES = stemsOf(
  'description summary text body content snippet excerpt details comment message about',
);
const DATE_NAMES = stemsOf('date day published created updated modified released posted time deadline');
const DURATION_NAMES = stemsOf('duration length runtime');
const AUTHOR_NAMES = stemsOf('author writer by creator');
const EMAIL_NAMES = stemsOf('email mail');
const PHONE_NAMES = stemsOf('phone telephone mobile tel');

/** Nouns for values with a known format, each with a function that finds them. */
const TEXT_KINDS: readonly (readonly [names: readonly string[], find: (text: string) => readonly string[]])[] = [
  [EMAIL_NAMES, emailsIn],
  [PHONE_NAMES, phonesIn],
  [PRICE_NAMES, moneyIn],
  [DURATION_NAMES, (text) => text.match(/\b\d{1,2}:\d{2}(?::\d{2})?\b/g) ?? []],
  [AUTHOR_NAMES, (text) => [...(/^by\s+([^·|,]+?)\s*(?:[·|,]|$)/i.exec(text)?.slice(1, 2) ?? [])]],
];

function findText(field: Field, segment: Segment): string | undefined {
  const { schema, stems, hints } = field;
  if (schema['format'] === 'email') return onlyOne(all(segment.texts, emailsIn));
  if (schema['format'] !== undefined || means(field, DATE_NAMES))
    return onlyOne(all(withRest(field, segment.texts, [DATE_NAMES]), (text) => dateAs(field, text) ?? []));
  for (const [names, find] of TEXT_KINDS) {
    if (!means(field, names)) continue;
    const texts = withRest(field, segment.texts, [names]);
    return onlyOne(names === PRICE_NAMES ? standaloneAmounts(texts) : all(texts, find));
  }
  if (means(field, DESCRIPTION_NAMES)) return onlyProse(segment);
  const isOwnName = stems.length === 0 && hints.length === 0;
  const isTitle = means(field, TITLE_NAMES) && isKnownName(field, segment);
  // The first text on a page is rarely the name of an item.
  return (isTitle && !segment.isWholePage) || isOwnName ? titleOf(segment) : undefined;
}

/** True for "company name" only if the context says that the record is a company. */
function isKnownName(field: Field, { contextStems }: Segment): boolean {
  return restOfName(field, TITLE_NAMES).every((stem) => isAmong(stem, [...contextStems]));
}

function dateAs({ schema }: Field, text: string): string | undefined {
  return schema['format'] === undefined ? findDate(text)?.text : asText(schema, text);
}

/** The heading of the record, else its link, else its first text. */
export function titleOf({ texts, lines }: Segment): string | undefined {
  const heading = lines.find(({ node }) => node.role === 'heading');
  const inHeading = heading && texts.find(({ line }) => line.index >= heading.index && line.index < heading.end);
  const link = texts.find(({ line }) => line.node.role === 'link' && wordsOf(line.node.name).length > 0);
  return (inHeading ?? link ?? texts[0])?.text;
}

/** Minimum number of words in prose. */
const SHORTEST_PROSE = 4;
/** Shorter text is prose too if it ends like a sentence. */
const SENTENCE = /\p{Ll}{2} .*\p{Ll}[.!?]$/u;

function onlyProse({ texts }: Segment): string | undefined {
  const prose = texts.filter(
    ({ text, line }) =>
      line.node.ref === undefined &&
      line.node.role !== 'heading' &&
      (wordsOf(text).length >= SHORTEST_PROSE || SENTENCE.test(text)),
  );
  return onlyOne(prose.map(({ text }) => text));
}

function all(texts: readonly TextLine[], find: (text: string) => string | readonly string[]): readonly string[] {
  return texts.flatMap(({ text }) => find(text));
}

/** True if the name of the field contains one of these words. For a generic name, checks the description. */
export function means({ stems, hints }: Field, names: readonly string[]): boolean {
  const own = stems.length > 0 ? stems : hints;
  return own.some((stem) => names.includes(stem));
}
