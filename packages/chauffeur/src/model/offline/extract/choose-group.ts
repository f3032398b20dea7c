import { similarity } from '../text/concepts.ts';
import { ancestorsOf, closest } from '../page/line.ts';
import { stemsOf } from '../text/words.ts';
import type { Field } from './field.ts';
import type { Filling } from './filling.ts';
import { TITLE_NAMES, findValue, means, titleOf } from './find-value.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

const SAMPLE = 8;
/** A series in which fewer of the required fields are found is another series. */
const LEAST_FILLED = 0.6;
const CHROME: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar']);
const WEIGHT = { filled: 1.5, optional: 0.3, context: 0.5, chrome: -0.3, headed: 0.1, size: 0.02 };

/** The series of records that suit a list's fields and the instruction, the best first. */
export function suitingGroups(field: Field, item: Field, filling: Filling): readonly RecordGroup[] {
  const scored = filling.groups.flatMap((group) => {
    const score = groupScore(group, { field, item, filling });
    return score === undefined ? [] : [{ group, score }];
  });
  return scored.toSorted((left, right) => right.score - left.score).map(({ group }) => group);
}

interface Wanted {
  readonly field: Field;
  readonly item: Field;
  readonly filling: Filling;
}

function groupScore(group: RecordGroup, { field, item, filling }: Wanted): number | undefined {
  const sample = group.records.slice(0, SAMPLE);
  const filled = sample.reduce((sum, record) => sum + filledShare(item, record), 0) / sample.length;
  if (filled < LEAST_FILLED) return undefined;
  const words = [...field.stems, ...field.hints, ...filling.words];
  const context = contextFit(group, words);
  if (item.kind !== 'object' && context === 0 && !means({ ...item, hints: words }, TITLE_NAMES)) return undefined;
  const isChrome = CHROME.has(group.start.node.role) || closest(group.start, CHROME) !== null;
  return (
    filled * WEIGHT.filled +
    context * WEIGHT.context +
    (isChrome ? WEIGHT.chrome : 0) +
    Math.log(group.records.length) * WEIGHT.size +
    (group.start.node.role === 'article' || isHeaded(sample[0]) ? WEIGHT.headed : 0)
  );
}

/** The share of an entry's fields that a record has, required ones first. */
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
  return field.kind === 'object' ? filledShare(field, record) >= LEAST_FILLED : findValue(field, record) !== undefined;
}

/** A thing with a heading of its own is likelier a thing than an entry of a menu. */
function isHeaded(record: Segment | undefined): boolean {
  return record?.lines.some(({ node }) => node.role === 'heading') ?? false;
}

/** What a plain entry of a list is in a record. */
export function scalarOf(item: Field, record: Segment): unknown {
  return findValue(item, record) ?? (item.kind === 'text' ? titleOf(record) : undefined);
}

/** How much of what is asked for stands over the series: headings, captions, names of its containers, column headers. */
function contextFit({ start, records }: RecordGroup, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const around = new Set<string>();
  for (let heading = start.heading; heading; heading = heading.heading)
    for (const stem of heading.words.keys()) around.add(stem);
  for (const line of ancestorsOf(start)) for (const stem of [...line.words.keys(), line.node.role]) around.add(stem);
  if (start.label) for (const stem of start.label.words.keys()) around.add(stem);
  around.add(start.node.role);
  for (const fact of records[0]?.facts ?? []) for (const stem of stemsOf(fact.label)) around.add(stem);
  const found = words.filter((word) => [...around].some((stem) => similarity(word, stem) >= SAME_WORD));
  return found.length / words.length;
}

const SAME_WORD = 0.8;
