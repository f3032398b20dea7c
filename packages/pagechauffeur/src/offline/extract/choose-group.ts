import { closest } from '../page/line.ts';
import { isStopWord } from '../text/word-classes.ts';
import { stemsOf } from '../text/words.ts';
import { wordList } from '../text/word-list.ts';
import { type InstructionWord, isIn, without } from './instruction-words.ts';
import type { Field } from './field.ts';
import type { Filling } from './filling.ts';
import { type Filter, readFilter } from './filters.ts';
import { TITLE_NAMES, findValue, isLabelled, means, titleOf } from './find-value.ts';
import type { RecordGroup } from './record-groups.ts';
import { type Segment, stemsOver } from './segment.ts';

const SAMPLE = 8;
/** Minimum fraction of required fields that the records must have. */
const MIN_FILLED = 0.6;
const CHROME: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar']);
const WEIGHT = { filled: 1.5, optional: 0.3, context: 0.5, chrome: -0.3, headed: 0.1, size: 0.02 };

export interface MatchingGroup {
  readonly group: RecordGroup;
  readonly score: number;
  /** Words that only some records contain. Only those records are returned. */
  readonly narrowing: readonly InstructionWord[];
  readonly filter: Filter;
}

export interface GroupMatch {
  readonly groups: readonly MatchingGroup[];
  /** Words that the nearest group does not match. Empty if `groups` is not. */
  readonly unread: readonly string[];
}

/** Finds groups of records with the fields of the list. They must match every word of the instruction. */
export function matchingGroups(field: Field, item: Field, filling: Filling): GroupMatch {
  const filter = readFilter(filling.instruction, item.kind === 'object' ? item.fields : [item]);
  const fitting = filling.groups.flatMap((group) => groupFit(group, { field, item, filling, filter }) ?? []);
  const whole = fitting.filter(({ unread }) => unread.length === 0);
  const nearest = fitting.toSorted((left, right) => left.unread.length - right.unread.length)[0];
  return {
    groups: whole.toSorted((left, right) => right.score - left.score),
    unread: whole.length > 0 ? [] : (nearest?.unread ?? []).map(({ text }) => text),
  };
}

interface Wanted {
  readonly field: Field;
  readonly item: Field;
  readonly filling: Filling;
  readonly filter: Filter;
}

type GroupFit = MatchingGroup & { readonly unread: readonly InstructionWord[] };

function groupFit(group: RecordGroup, wanted: Wanted): GroupFit | undefined {
  const { field, item, filling, filter } = wanted;
  const sample = group.records.slice(0, SAMPLE);
  const filled = sample.reduce((sum, record) => sum + filledShare(item, record), 0) / sample.length;
  if (filled < MIN_FILLED || (isOfControls(group) && !filling.words.some(({ stem }) => CONTROL_WORDS.has(stem))))
    return undefined;
  const words = filling.isRecord ? [] : filling.words.filter(({ text }) => !filter.words.includes(text));
  const near = nearStems(group);
  const context = words.filter((word) => isIn(word, near));
  if (item.kind !== 'object' && !isNamedAs(item, { near, words })) return undefined;
  const { unread, narrowing } = leftOver(group, { ...wanted, words, near });
  const isChrome = CHROME.has(group.start.node.role) || closest(group.start, CHROME) !== null;
  const score =
    filled * WEIGHT.filled +
    (words.length === 0 ? 0 : (context.length / words.length) * WEIGHT.context) +
    (isChrome ? WEIGHT.chrome : 0) +
    Math.log(group.records.length) * WEIGHT.size +
    (group.start.node.role === 'article' || isHeaded(sample[0]) ? WEIGHT.headed : 0);
  return { group, score, narrowing, filter, unread: [...unread, ...unmetName(field, { words, near })] };
}

/** Buttons, links and other controls are usually menus and not data. */
function isOfControls({ start }: RecordGroup): boolean {
  return CONTROLS.has(start.node.role);
}

const CONTROLS: ReadonlySet<string> = new Set(['button', 'link', 'option', 'tab', 'menuitem']);
const CONTROL_WORDS: ReadonlySet<string> = new Set(
  stemsOf('button link option tab choice menu department category section'),
);

interface Reading {
  readonly words: readonly InstructionWord[];
  readonly near: readonly string[];
}

/** True if the text around the group matches a list of plain values, such as "names", or if titles are requested. */
function isNamedAs(item: Field, { near, words }: Reading): boolean {
  const named = [...item.stems, ...item.hints];
  return (
    means({ ...item, hints: words.map(({ stem }) => stem) }, TITLE_NAMES) ||
    named.some((stem) => isIn({ stem, isName: false }, near)) ||
    words.some((word) => isIn(word, near))
  );
}

function unmetName({ item, stems }: Field, { near }: Reading): readonly InstructionWord[] {
  if (item?.kind === 'object') return [];
  const words = stems
    .filter((stem) => !TITLE_NAMES.includes(stem))
    .map((stem) => ({ text: stem, stem, isName: false }));
  return without(words, near);
}

/**
 * Returns the words that neither the schema nor the context of the group matches. `narrowing` occur in some records,
 * and only these records are returned.
 */
function leftOver(
  { records }: RecordGroup,
  { field, item, words, near }: Wanted & Reading,
): { unread: readonly InstructionWord[]; narrowing: readonly InstructionWord[] } {
  const fields = item.kind === 'object' ? item.fields : [item];
  // The caller chooses the name of the list, so it does not identify a group.
  const named = fields.flatMap(({ stems, hints }) => [...stems, ...hints]);
  const [first] = words;
  const isItemKind = first !== undefined && isKindKnown(records[0], { fields, word: first });
  const open = without(without(words, named), near).filter(
    (word) => !STRUCTURE.has(word.stem) && !(isItemKind && word === first),
  );
  const narrowing = open.filter((word) => mayNarrow(word) && records.some(({ stems }) => stems.has(word.stem)));
  // Callers may name the list in their own words, as `employees` for people.
  const isListName = (word: InstructionWord): boolean => word === first && isIn(word, field.stems) && isItemKind;
  return { narrowing, unread: open.filter((word) => !narrowing.includes(word) && !isListName(word)) };
}

/** Nouns that fit any listed item. */
const STRUCTURE: ReadonlySet<string> = new Set(
  stemsOf('item entry row record result element column table card name title'),
);
/** Nouns for items that have a price. */
const GOODS: ReadonlySet<string> = new Set(stemsOf('product article good item offer'));
/** Field names that fit many kinds of items, so they do not show what a record is. */
const COMMON = new Set(
  stemsOf(
    'name title price date status id number link url description type amount total quantity text label image category',
  ),
);

/** True if the fields show that the records are of the kind that `word` names. A price shows that they are products. */
function isKindKnown(
  record: Segment | undefined,
  { fields, word }: { fields: readonly Field[]; word: InstructionWord },
): boolean {
  if (!record || word.isName || isStopWord(word.text)) return false;
  const isIdentifying = (field: Field): boolean =>
    isLabelled(field, record) && !field.stems.every((stem) => COMMON.has(stem));
  const hasPrice = fields.some((field) => means(field, ['pric']) && findValue(field, record) !== undefined);
  return fields.some(isIdentifying) || (GOODS.has(word.stem) && hasPrice);
}

/** Words that change the meaning of a request. They never select records by their text. */
const CHANGING = new Set(
  wordList('not no never without except excluding but other than only most least more less fewer best worst all any'),
);

function mayNarrow({ text }: InstructionWord): boolean {
  return !CHANGING.has(text) && !isStopWord(text);
}

/** Returns the fraction of fields that the record has. Optional fields and booleans count less. */
function filledShare(item: Field, record: Segment): number {
  if (item.kind !== 'object') return scalarOf(item, record) === undefined ? 0 : 1;
  let total = 0;
  let found = 0;
  for (const field of item.fields.filter(({ kind }) => kind !== 'list')) {
    const weight = field.isRequired && field.kind !== 'boolean' ? 1 : WEIGHT.optional;
    total += weight;
    if (isFound(field, record)) found += weight;
  }
  return total === 0 ? Number(item.fields.length > 0) : found / total;
}

function isFound(field: Field, record: Segment): boolean {
  return field.kind === 'object' ? filledShare(field, record) >= MIN_FILLED : findValue(field, record) !== undefined;
}

/** A heading suggests that the record is an item and not a menu entry. */
function isHeaded(record: Segment | undefined): boolean {
  return record?.lines.some(({ node }) => node.role === 'heading') ?? false;
}

/** Returns the value of a plain list entry, which may be the title of the record. */
export function scalarOf(item: Field, record: Segment): unknown {
  return findValue(item, record) ?? (item.kind === 'text' ? titleOf(record) : undefined);
}

function nearStems({ start, records }: RecordGroup): readonly string[] {
  const labels = (records[0]?.facts ?? []).flatMap(({ label }) => stemsOf(label));
  return [...stemsOver(start), ...(records[0]?.contextStems ?? []), ...labels, start.node.role];
}
