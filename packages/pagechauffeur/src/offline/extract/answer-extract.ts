import { quote } from '../../util/truncate.ts';
import { ExtractError } from '../../errors.ts';
import type { ModelRequest } from '../../model/model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import { stemsOf } from '../text/words.ts';
import { type InstructionWord, instructionWords, isIn, without } from './instruction-words.ts';
import { answerText, repeats } from './answer-text.ts';
import { type Field, readField } from './field.ts';
import { fillObject } from './fill.ts';
import type { Filling } from './filling.ts';
import { isLabelled, labelFit } from './find-value.ts';
import { recordsNamed } from './find-record.ts';
import { readFilter } from './filters.ts';
import { recordGroups } from './record-groups.ts';
import { Segment } from './segment.ts';

/**
 * Returns data for the schema.
 * @throws ExtractError if a required field has no value, a word of the instruction matches nothing on the page, or the
 * instruction asks for more than reading.
 */
export function answerExtract(
  page: PageIndex,
  { instruction, schema }: Pick<ModelRequest, 'instruction' | 'schema'>,
): unknown {
  const root = readField(schema, { name: '', isRequired: true, root: schema });
  const filling: Filling = {
    page,
    instruction,
    words: instructionWords(instruction),
    segment: new Segment(page, page.lines),
    isRecord: false,
    groups: recordGroups(page),
    missing: [],
  };
  const text = textField(root);
  if (text) return { [text.name]: answerText(filling) };
  const target = withInstruction(root, filling);
  const hasList = target.fields.some(({ kind }) => kind === 'list');
  return (hasList ? fillObject(target, filling) : fillSetting(target, filling)) ?? notFound(filling);
}

/**
 * Returns the only field of the schema if it is text with a generic name such as `extraction` or `value`. Then only the
 * instruction says what to extract.
 */
function textField({ fields }: Field): Field | undefined {
  const [field] = fields;
  const isNameless =
    field?.kind === 'text' && (field.name === 'extraction' || (field.stems.length === 0 && field.hints.length === 0));
  const isPlain = isNameless && field.schema['format'] === undefined && field.isRequired && !field.isNullable;
  return fields.length === 1 && isPlain ? field : undefined;
}

function withInstruction(root: Field, { words }: Filling): Field {
  const named = (field: Field): Field =>
    field.stems.length === 0 && field.hints.length === 0 && field.kind !== 'object'
      ? { ...field, hints: words.map(({ stem }) => stem) }
      : field;
  return { ...root, fields: root.fields.map(named) };
}

/** Words that ask for the value of a control. */
const SET: ReadonlySet<string> = new Set(stemsOf('current currently selected preselected chosen entered'));

/**
 * Handles "the currently selected theme", which reads a control. If a label on the page has these words, reads the
 * labelled value instead.
 */
function fillSetting(root: Field, filling: Filling): unknown {
  const [field] = root.fields;
  const ofSetting = filling.words.filter(({ stem }) => SET.has(stem) && !fieldStems(root).includes(stem));
  if (
    ofSetting.length === 0 ||
    !field ||
    root.fields.length > 1 ||
    isLabelled(narrowedBy(field, ofSetting), filling.segment)
  )
    return fillSingleObject(root, filling);
  const words = filling.words.filter((word) => !ofSetting.includes(word));
  return fillSingleObject({ ...root, fields: [{ ...field, isSetting: true }] }, { ...filling, words });
}

/** Fills an object without lists, from the record that the instruction names or else from the whole page. */
function fillSingleObject(root: Field, filling: Filling): unknown {
  readFilter(filling.instruction, []);
  const thing = without(filling.words, fieldStems(root));
  const named = thing.filter((word) => !PARTS.has(word.stem) && !(isOfProse(root) && PROSE.has(word.stem)));
  const target = requestedRecords(root, named, filling);
  const { records } = target;
  for (const segment of records) {
    const filled = fillObject(target.root, { ...filling, segment, isRecord: true });
    if (filled && !repeatsQuestion(filled, root, filling)) return filled;
  }
  // The instruction names a record, so a value from the rest of the page would be wrong.
  if (records.length > 0) return undefined;
  const unread = unreadOfPage(named, filling);
  if (unread.length === 0) return fillObject(root, filling);
  const [field] = root.fields;
  const narrowed = field && root.fields.length === 1 ? narrowedBy(field, unread) : undefined;
  if (narrowed && isLabelled(narrowed, filling.segment)) return fillObject({ ...root, fields: [narrowed] }, filling);
  filling.missing.push(...unread.map(({ text }) => text));
  return undefined;
}

/**
 * Finds the record that contains all words. Words in the label of the field count as found: "registered" in "on which
 * date was Ada registered?"
 */
function requestedRecords(
  root: Field,
  named: readonly InstructionWord[],
  { groups, segment }: Filling,
): { readonly root: Field; readonly records: readonly Segment[] } {
  const records = recordsNamed(groups, named);
  const [field] = root.fields;
  if (records.length > 0 || !field || root.fields.length > 1) return { root, records };
  const labels = [...new Set(segment.facts.map(({ label }) => label))].filter((label) => labelFit(field, label) > 0);
  const label = labels.flatMap((text) => stemsOf(text));
  const ofLabel = named.filter((word) => !word.isName && isIn(word, label));
  if (ofLabel.length === 0) return { root, records };
  const narrowed = { ...root, fields: [narrowedBy(field, ofLabel)] };
  return { root: narrowed, records: recordsNamed(groups, without(named, label)) };
}

/**
 * True if the value only repeats the question: a heading "Offline" does not answer "who is offline". Fields that are
 * named in the question may repeat it.
 */
function repeatsQuestion(filled: Readonly<Record<string, unknown>>, root: Field, { words }: Filling): boolean {
  const [value, ...others] = Object.values(filled);
  if (others.length > 0 || typeof value !== 'string' || words.some((word) => isIn(word, fieldStems(root))))
    return false;
  return repeats(value, words);
}

/** Restricts a field to labels with these words, as in "the annual earnings". */
function narrowedBy(field: Field, words: readonly InstructionWord[]): Field {
  return { ...field, stems: [...field.stems, ...words.map(({ stem }) => stem)], isNarrowed: true };
}

function unreadOfPage(words: readonly InstructionWord[], { page, segment }: Filling): readonly InstructionWord[] {
  const headings = segment.lines.filter(({ node }) => node.role === 'heading');
  const main = headings.filter(({ node }) => node.level === 1);
  const of = (main.length > 0 ? main : headings.length === 1 ? headings : []).flatMap((heading) => [
    ...heading.words.keys(),
  ]);
  return without(words, [...page.titleWords, ...of]);
}

/** Nouns for parts of any page. They need not match. */
const PARTS: ReadonlySet<string> = new Set(
  stemsOf('page product article item record form section order setting number name'),
);

/** Nouns that ask for sentences instead of a short value. */
const PROSE: ReadonlySet<string> = new Set(stemsOf('sentence text paragraph line description'));

function isOfProse({ fields }: Field): boolean {
  const [field] = fields;
  return fields.length === 1 && field !== undefined && field.stems.some((stem) => PROSE.has(stem));
}

function fieldStems({ fields }: Field): readonly string[] {
  return fields.flatMap((field) => [...field.stems, ...field.hints, ...fieldStems(field)]);
}

function notFound({ missing, instruction }: Filling): never {
  const parts = [...new Set(missing)];
  const names = parts.map((part) => JSON.stringify(part)).join(', ') || 'the value';
  throw new ExtractError(
    `offline/lexical did not find ${names} on the page for ${quote(instruction)}. It only reads labelled values, tables and lists. Name the field as the page does, make it optional, or use another model.`,
    { parts },
  );
}
