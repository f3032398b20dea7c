import { similarity } from '../text/concepts.ts';
import { foldText, stemsOf, wordsOf } from '../text/words.ts';
import type { Field } from './field.ts';
import { findDate, findEmail, findMoney, findPhone, parseNumber, parseYesNo } from './parse-value.ts';
import type { Fact, Segment, TextLine } from './segment.ts';

const LEAST_LABEL_FIT = 0.6;
const SAME_WORD = 0.8;

/** Looks for a field's value in a segment; undefined when it is not there. */
export function findValue(field: Field, segment: Segment): unknown {
  for (const fact of factsFor(field, segment)) {
    const value = readAs(field, fact.text, fact.line.node.url ?? linkIn(fact));
    if (value !== undefined) return value;
  }
  return byKind(field, segment);
}

function linkIn({ line }: Fact): string | undefined {
  return line.node.children.find(({ url }) => url !== undefined)?.url;
}

/** Labelled values whose label means the field, the best first. */
function factsFor(field: Field, segment: Segment): readonly Fact[] {
  const fits = segment.facts.map((fact) => ({ fact, fit: labelFit(field, fact.label) * fact.certainty }));
  return fits
    .filter(({ fit }) => fit >= LEAST_LABEL_FIT)
    .toSorted((left, right) => right.fit - left.fit)
    .map(({ fact }) => fact);
}

/** How well a label says a field's name; its description helps a little. */
export function labelFit({ stems, hints }: Field, label: string): number {
  const own = stemsOf(label);
  if (own.length === 0 || (stems.length === 0 && hints.length === 0)) return 0;
  const named = stems.length > 0 ? stems : hints;
  const recall = shareOf(named, own);
  const precision = shareOf(own, [...stems, ...hints]);
  return recall === 0 ? 0 : recall * 0.7 + precision * 0.3;
}

function shareOf(wanted: readonly string[], present: readonly string[]): number {
  const sum = wanted.reduce(
    (total, stem) => total + present.reduce((best, other) => Math.max(best, similarity(stem, other)), 0),
    0,
  );
  return wanted.length === 0 ? 0 : sum / wanted.length;
}

/** A labelled text as a value of the field's kind. */
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
        choices.find((choice) => holdsWords(text, String(choice)))
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
  if (format === 'email') return findEmail(text);
  const date = format === 'date' || format === 'date-time' ? findDate(text) : undefined;
  if (format === 'date') return date?.iso;
  if (format === 'date-time') return date && `${date.iso}T${date.time ?? '00:00:00Z'}`;
  return text === '' ? undefined : text;
}

function holdsWords(text: string, words: string): boolean {
  return ` ${foldText(text)} `.includes(` ${foldText(words)} `);
}

/** Without a label: what a value of this name looks like. */
function byKind(field: Field, segment: Segment): unknown {
  switch (field.kind) {
    case 'url':
      return findUrl(field, segment);
    case 'boolean':
      return findBoolean(field, segment);
    case 'choice':
      return segment.texts.map(({ text }) => readAs(field, text)).find((value) => value !== undefined);
    case 'number':
      return findNumber(field, segment);
    default:
      return findText(field, segment);
  }
}

const IMAGE_NAMES = stemsOf('image picture photo img thumbnail avatar logo icon src cover');

function findUrl(field: Field, { lines }: Segment): string | undefined {
  const isImage = means(field, IMAGE_NAMES);
  const withUrl = lines.filter(({ node }) => node.url !== undefined && (node.role === 'img') === isImage);
  const named = withUrl.find((line) => [...line.words.keys()].some((stem) => field.stems.includes(stem)));
  const inHeading = withUrl.find(({ parent }) => parent?.node.role === 'heading');
  return (named ?? inHeading ?? withUrl[0])?.node.url;
}

const NEGATION = /\b(?:not|no|out of|sold out|without|never|non|un\w+|isn'?t|none)\b/i;

/** A text with the field's words says yes, unless it denies them; a control with them tells its state. */
function findBoolean({ stems, hints }: Field, { texts }: Segment): boolean | undefined {
  const wanted = (stems.length > 0 ? stems : hints).filter((stem) => !AUXILIARIES.has(stem));
  const said = texts.filter(({ text }) => wanted.length > 0 && shareOf(wanted, stemsOf(text)) >= SAME_WORD);
  const shortest = said.toSorted((left, right) => left.text.length - right.text.length)[0];
  return shortest && !NEGATION.test(shortest.text);
}

const AUXILIARIES: ReadonlySet<string> = new Set(['is', 'has', 'was', 'can', 'are', 'be']);
const MONEY_NAMES = stemsOf('price cost amount total fee sum subtotal revenue balance salary deposit rate');
const RATING_NAMES = stemsOf('rating stars score rate');

function findNumber(field: Field, segment: Segment): number | undefined {
  const { texts } = segment;
  const candidates = [
    ...texts.flatMap(({ text }) => countBeside(field, text)),
    ...(means(field, RATING_NAMES) ? texts.flatMap(({ text }) => ratingIn(text)) : []),
    ...(means(field, MONEY_NAMES) ? texts.flatMap(({ text }) => findMoney(text) ?? []) : []),
  ];
  return candidates.map((text) => withinBounds(field.schema, parseNumber(text))).find((value) => value !== undefined);
}

/** "128 reviews", "Reviews (12)", "Serves 6": a number beside the field's word. */
function countBeside({ stems, hints }: Field, text: string): readonly string[] {
  const wanted = (stems.length > 0 ? stems : hints).filter((stem) => !COUNT_WORDS.has(stem));
  const isWanted = (word: string): boolean =>
    wanted.some((stem) => stemsOf(word).some((other) => similarity(stem, other) >= SAME_WORD));
  const beside = [
    ...text.matchAll(/(?<number>\d[\d.,]*)\s+(?<word>[\p{L}²]+)/gu),
    ...text.matchAll(/(?<word>\p{L}+)\s+\(?(?<number>\d[\d.,]*)\)?/gu),
  ];
  return beside.flatMap(({ groups }) => (groups?.number && isWanted(groups.word ?? '') ? [groups.number] : []));
}

const COUNT_WORDS: ReadonlySet<string> = new Set(stemsOf('count number total amount of num'));

function ratingIn(text: string): readonly string[] {
  const rating = /(\d+(?:[.,]\d+)?)\s*(?:out of|\/)\s*\d+|(\d+(?:[.,]\d+)?)\s*(?:stars?|★)/i.exec(text);
  return rating ? [rating[1] ?? rating[2] ?? ''] : [];
}

/** Words for what a thing is called. */
export const TITLE_NAMES: readonly string[] = stemsOf(
  'name title heading headline label subject product caption question',
);
const DESCRIPTION_NAMES = stemsOf(
  'description summary text body content snippet excerpt details comment message about',
);
const DATE_NAMES = stemsOf('date day published created updated modified released posted time deadline');
const DURATION_NAMES = stemsOf('duration length runtime');
const AUTHOR_NAMES = stemsOf('author writer by creator');

function findText(field: Field, segment: Segment): string | undefined {
  const { texts } = segment;
  const isNamed = (names: readonly string[]): boolean => means(field, names);
  if (field.schema['format'] === 'email' || field.stems.includes('email')) return first(texts, findEmail);
  if (isNamed(stemsOf('phone telephone mobile'))) return first(texts, findPhone);
  if (field.schema['format'] !== undefined || isNamed(DATE_NAMES)) return first(texts, (text) => dateAs(field, text));
  if (isNamed(MONEY_NAMES)) return first(texts, findMoney);
  if (isNamed(DURATION_NAMES)) return first(texts, (text) => /\b\d{1,2}:\d{2}(?::\d{2})?\b/.exec(text)?.[0]);
  if (isNamed(AUTHOR_NAMES)) return first(texts, (text) => /^by\s+([^·|,]+?)\s*(?:[·|,]|$)/i.exec(text)?.[1]);
  if (isNamed(DESCRIPTION_NAMES)) return longest(texts)?.text;
  return isNamed(TITLE_NAMES) || isUnnamedOwnName(field) ? titleOf(segment) : undefined;
}

function dateAs({ schema }: Field, text: string): string | undefined {
  return schema['format'] === undefined ? findDate(text)?.text : asText(schema, text);
}

/** A list of plain strings wants what each thing is called. */
function isUnnamedOwnName({ stems, hints }: Field): boolean {
  return stems.length === 0 && hints.length === 0;
}

/** What a record is called: its heading, else its link, else its first text. */
export function titleOf({ texts, lines }: Segment): string | undefined {
  const heading = lines.find(({ node }) => node.role === 'heading');
  const inHeading = heading && texts.find(({ line }) => line.index >= heading.index && line.index < heading.end);
  const link = texts.find(({ line }) => line.node.role === 'link' && wordsOf(line.node.name).length > 0);
  return (inHeading ?? link ?? texts[0])?.text;
}

function longest(texts: readonly TextLine[]): TextLine | undefined {
  const plain = texts.filter(({ line }) => line.node.ref === undefined && line.node.role !== 'heading');
  return plain.reduce<TextLine | undefined>(
    (best, text) => (best && best.text.length >= text.text.length ? best : text),
    undefined,
  );
}

function first(texts: readonly TextLine[], find: (text: string) => string | undefined): string | undefined {
  for (const { text } of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a field's name, or its description when the name says nothing, has one of these words. */
export function means({ stems, hints }: Field, names: readonly string[]): boolean {
  const own = stems.length > 0 ? stems : hints;
  return own.some((stem) => names.includes(stem));
}
