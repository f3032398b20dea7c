import { quote } from '../../util/truncate.ts';
import { ExtractError } from '../../errors.ts';
import type { Line } from '../page/line.ts';
import { isGenericNoun } from '../text/word-classes.ts';
import type { PageIndex } from '../page/page-index.ts';
import { foldText, stemsOf } from '../text/words.ts';
import { type InstructionWord, instructionWords, isIn, without } from './instruction-words.ts';
import { fillList } from './fill.ts';
import type { Filling } from './filling.ts';
import { readFilter } from './filters.ts';
import { findValue, isMostlyUnrequested } from './find-value.ts';
import { recordsNamed } from './find-record.ts';
import { readField } from './field.ts';
import type { RecordGroup } from './record-groups.ts';
import { type Fact, type Segment, stemsOver } from './segment.ts';

/**
 * Answers an instruction without a schema: with the only value that matches every word, or with a list for "all …".
 * @throws ExtractError if there is no such value, or more than one, or if the instruction asks for more than reading.
 */
export function answerText(filling: Filling): string {
  readFilter(filling.instruction, []);
  const answer = pagePart(filling) ?? listAnswer(filling) ?? labelledAnswer(filling) ?? valueOfItem(filling);
  if (answer === undefined || answer === '') {
    const parts = filling.words.filter((word) => !isMentioned(word, filling)).map(({ text }) => text);
    const unread = parts.length > 0 ? ` Not on the page: ${parts.map((part) => JSON.stringify(part)).join(', ')}.` : '';
    throw new ExtractError(
      `offline/lexical found no single value on the page that answers ${quote(filling.instruction)}.${unread} It only reads labelled values and tables. Use the words of the page, or another model.`,
      { parts: parts.length > 0 ? parts : filling.words.map(({ text }) => text) },
    );
  }
  return answer;
}

function isMentioned(word: InstructionWord, { segment, page }: Filling): boolean {
  return isIn(word, segment.stems) || isIn(word, page.titleWords);
}

const LIST =
  /^(?:(?:extract|collect|get|read|find|return|give|tell|show|list|fetch|grab|scrape)\s+(?:me\s+)?)?(?:(?:a )?list of )?(?:all|every|each)(?: of)?(?: the)? (?<what>.+)$/i;

/** Handles "all product names". Returns one value per line. */
function listAnswer(filling: Filling): string | undefined {
  const what = LIST.exec(filling.instruction.trim().replace(/[?.!]+$/, ''))?.groups?.['what'];
  if (what === undefined) return undefined;
  const name = what.split(/\b(?:of|in|on|from|for|with)\b/)[0] ?? what;
  const field = readField(
    { type: 'array', items: { type: 'string' } },
    { name: name.trim(), isRequired: true, root: {} },
  );
  return fillList(field, { ...filling, words: instructionWords(what), missing: [] })?.join('\n');
}

const TITLE: ReadonlySet<string> = new Set(stemsOf('page title'));
const HEADING: ReadonlySet<string> = new Set(stemsOf('main page top heading headline h1'));
const NOTICE: ReadonlySet<string> = new Set(
  stemsOf('error warning success alert status confirmation notification message text notice'),
);
const NOTICE_ROLES: ReadonlySet<string> = new Set(['alert', 'status']);

/** Handles questions about the page title, the main heading or the only notice. */
function pagePart({ page, segment, words }: Filling): string | undefined {
  const areAll = (known: ReadonlySet<string>): boolean =>
    words.length > 0 && words.every(({ stem }) => known.has(stem));
  const textOf = (isWanted: (role: string, level: number) => boolean): string | undefined => {
    const lines = segment.lines.filter(({ node }) => isWanted(node.role, node.level ?? 1));
    const [line] = lines;
    return lines.length === 1 && line ? page.textOf(line) : undefined;
  };
  if (areAll(TITLE)) return titleOfPage(page, segment);
  if (areAll(HEADING))
    return textOf((role, level) => role === 'heading' && level === 1) ?? textOf((role) => role === 'heading');
  return areAll(NOTICE) ? textOf((role) => NOTICE_ROLES.has(role)) : undefined;
}

/**
 * Returns the main heading if the page title contains it, because titles often add the site name. Returns the title if
 * there is no single main heading, and `undefined` if the title does not contain the heading.
 */
function titleOfPage(page: PageIndex, { lines }: Segment): string | undefined {
  const [heading, ...others] = lines.filter(({ node }) => node.role === 'heading' && node.level === 1);
  if (!heading || others.length > 0) return page.title;
  const text = page.textOf(heading);
  return foldText(page.title).includes(foldText(text)) ? text : undefined;
}

/** Handles "the salary of Bradley Greer". The label, the record and its context must contain all requested words. */
function labelledAnswer({ groups, segment, words }: Filling): string | undefined {
  const innermost = innermostRecords(groups);
  const inRecords = groups.flatMap(({ records, start }) =>
    records.flatMap((record) =>
      record.facts
        .filter(({ line }) => innermost.get(line) === record)
        .map((fact) => ({ fact, unmentioned: countUnmentioned(fact, { record, words, over: stemsOver(start) }) })),
    ),
  );
  const onPage = segment.facts.map((fact) => ({
    fact,
    unmentioned: countUnmentioned(fact, { record: undefined, words, over: stemsOver(fact.line) }),
  }));
  for (const facts of [inRecords, onPage]) {
    const answering = facts.filter(({ unmentioned, fact }) => unmentioned !== undefined && !repeats(fact.text, words));
    const least = Math.min(...answering.map(({ unmentioned = 0 }) => unmentioned));
    const texts = new Set(answering.filter(({ unmentioned }) => unmentioned === least).map(({ fact }) => fact.text));
    if (texts.size > 0) return texts.size === 1 ? [...texts][0] : undefined;
  }
  return undefined;
}

/** True if the question already contains the whole value, such as the name of the row that it asks about. */
export function repeats(value: string, words: readonly InstructionWord[]): boolean {
  const stems = stemsOf(value);
  return stems.length > 0 && stems.every((stem) => words.some((word) => isIn(word, [stem])));
}

/** Maximum number of lines in a record. Longer parts of the page are sections. */
const LARGEST_RECORD = 40;

function innermostRecords(groups: readonly RecordGroup[]): ReadonlyMap<Line, Segment> {
  const records = groups.flatMap((group) => group.records).filter(({ lines }) => lines.length <= LARGEST_RECORD);
  const innermost = new Map<Line, Segment>();
  for (const record of records.toSorted((left, right) => left.lines.length - right.lines.length))
    for (const line of record.lines) if (!innermost.has(line)) innermost.set(line, record);
  return innermost;
}

interface FactContext {
  readonly record: Segment | undefined;
  readonly words: readonly InstructionWord[];
  readonly over: readonly string[];
}

/**
 * Returns the number of label words that were not requested, or `undefined` if label, record and context leave a
 * requested word unmatched.
 */
function countUnmentioned({ label, text }: Fact, { record, words, over }: FactContext): number | undefined {
  const own = stemsOf(label);
  const rest = without(words, own);
  const isNamed = rest.length < words.length && words.some((word) => !isGenericNoun(word.stem) && isIn(word, own));
  if (!isNamed || isMostlyUnrequested(label, (stem) => words.some((word) => isIn(word, [stem])))) return undefined;
  const others = record
    ? record.texts.filter((one) => one.text !== text && one.text !== label).flatMap((one) => stemsOf(one.text))
    : [];
  const open = without(rest, others).filter(
    (word) => !isIn(word, over) && !STRUCTURE.has(word.stem) && !(word.stem === NUMBER && /\d/.test(text)),
  );
  // Every record has this label, so the instruction must name one record.
  const isOne = !record || rest.some((word) => isIn(word, others));
  if (open.length > 0 || !isOne) return undefined;
  return own.filter((stem) => !words.some((word) => isIn(word, [stem]))).length;
}

/** The label "Serial #" means "serial number". */
const NUMBER = 'number';
const STRUCTURE: ReadonlySet<string> = new Set(stemsOf('item entry row record value column table'));
/** Verbs that ask for a price. */
const PRICE_VERBS: ReadonlySet<string> = new Set(['cost', 'costs', 'priced']);

/**
 * Handles "the price of the blue mug": finds a value by its format, in the only record with the other words or on a
 * page about them.
 */
function valueOfItem(filling: Filling): string | undefined {
  const { words, groups, page, segment } = filling;
  const isCost =
    words.some(({ text }) => PRICE_VERBS.has(text)) || /^how much (?:is|are|for)\b/i.test(filling.instruction);
  const attributes = words.filter(({ stem }) => FORMAT_NOUNS.has(stem));
  const name = isCost ? 'price' : attributes.map(({ text }) => text).join(' ');
  if (name === '') return undefined;
  const thing = words.filter(
    (word) => !attributes.includes(word) && !PRICE_VERBS.has(word.text) && !STRUCTURE.has(word.stem),
  );
  const field = readField({ type: 'string' }, { name, isRequired: true, root: {} });
  for (const record of recordsNamed(groups, thing)) {
    const value = findValue(field, record);
    if (value !== undefined) return String(value);
  }
  const main = segment.lines.filter(({ node }) => node.role === 'heading' && node.level === 1);
  const isAbout = without(thing, [...page.titleWords, ...main.flatMap((line) => [...line.words.keys()])]).length === 0;
  const isListed = thing.length > 0 && recordsNamed(groups, thing).length > 0;
  const value = isAbout && !isListed ? findValue(field, segment) : undefined;
  return value === undefined ? undefined : String(value);
}

/** Nouns for values that can be recognized by format or position. */
const FORMAT_NOUNS: ReadonlySet<string> = new Set(stemsOf('price rating email phone telephone date author duration'));
