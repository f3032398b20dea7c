import { matchingGroups, scalarOf, type MatchingGroup } from './choose-group.ts';
import type { Field } from './field.ts';
import type { Filling } from './filling.ts';
import { findValue, labelFit } from './find-value.ts';
import type { RecordGroup } from './record-groups.ts';
import { Segment, linesWithin } from './segment.ts';

/** Fills the fields of an object. Returns `undefined` if a required field has no value. */
export function fillObject(field: Field, filling: Filling): Readonly<Record<string, unknown>> | undefined {
  if (field.fields.length === 0) return undefined;
  const values: Record<string, unknown> = {};
  let isWhole = true;
  for (const child of field.fields) {
    const value = fillField(child, filling);
    if (value !== undefined) values[child.name] = value;
    else if (child.isNullable) values[child.name] = null;
    else if (child.isRequired && !(child.kind === 'boolean' && filling.isRecord)) {
      isWhole = false;
      filling.missing.push(field.name === '' ? child.name : `${field.name}.${child.name}`);
    }
  }
  return isWhole ? values : undefined;
}

function fillField(field: Field, filling: Filling): unknown {
  if (field.kind === 'list') return fillList(field, filling);
  if (field.kind === 'object') return fillObject(field, { ...filling, segment: sectionFor(field, filling) });
  return (filling.isRecord ? undefined : pageTitle(field, filling)) ?? findValue(field, filling.segment);
}

/** For a title field, returns the main heading if there is only one, else the document title. */
function pageTitle({ kind, stems }: Field, { page, segment }: Filling): unknown {
  if (kind !== 'text' || stems.length === 0 || !stems.every((stem) => PAGE_TITLES.has(stem))) return undefined;
  const main = segment.lines.filter(({ node }) => node.role === 'heading' && node.level === 1);
  const [heading] = main;
  return main.length === 1 && heading ? page.textOf(heading) : stems.includes('titl') ? page.title : undefined;
}

const PAGE_TITLES: ReadonlySet<string> = new Set(['titl', 'heading', 'head', 'nam', 'pag', 'product', 'articl']);

const NAMES_THE_SECTION = 0.6;

/** Returns the section with a heading or name like the object's name, else the current segment. */
function sectionFor(field: Field, { page, segment }: Filling): Segment {
  for (const line of segment.lines) {
    const isSection = SECTIONS.has(line.node.role);
    if (isSection && line.node.name !== '' && labelFit(field, line.node.name) >= NAMES_THE_SECTION)
      return new Segment(page, linesWithin(page, line));
    if (line.node.role === 'heading' && labelFit(field, [...line.words.keys()].join(' ')) >= NAMES_THE_SECTION) {
      return new Segment(
        page,
        segment.lines.filter(({ heading }) => heading === line),
      );
    }
  }
  return segment;
}

const SECTIONS: ReadonlySet<string> = new Set([
  'region',
  'group',
  'form',
  'article',
  'dialog',
  'complementary',
  'table',
]);

/** Up to this fraction of records may be incomplete. They are dropped, as they are often advertisements or totals. */
const MAX_DROPPED = 0.5;
/** Groups with a smaller difference in score are tied. */
const TIE = 0.05;

/**
 * Fills a list from the group of records that fits the schema and the instruction. Returns `undefined` if none fits or
 * several are tied.
 */
export function fillList(field: Field, filling: Filling): readonly unknown[] | undefined {
  const { item } = field;
  if (!item) return undefined;
  const { groups, unread } = matchingGroups(field, item, { ...filling, groups: groupsIn(filling) });
  filling.missing.push(...unread);
  const entriesOf = item.kind === 'object' ? objectEntries : scalarEntries;
  const filled = groups.flatMap((match) => {
    const entries = entriesOf(item, match, filling);
    return entries ? [{ match, entries }] : [];
  });
  const [best] = filled;
  if (!best || filled.some((other) => isRival(other.match, best.match))) return undefined;
  const limit = field.schema['maxItems'];
  return typeof limit === 'number' ? best.entries.slice(0, limit) : best.entries;
}

/** True for a tied group elsewhere on the page. */
function isRival(other: MatchingGroup, best: MatchingGroup): boolean {
  const lines = new Set(best.group.records.flatMap((record) => record.lines));
  const isApart = !other.group.records.some((record) => record.lines.some((line) => lines.has(line)));
  return other !== best && best.score - other.score < TIE && isApart;
}

function objectEntries(item: Field, match: MatchingGroup, filling: Filling): readonly unknown[] | undefined {
  const { group, filter } = match;
  const filled = group.records.map((record) => ({
    record,
    values: fillObject(item, { ...filling, segment: record, isRecord: true, missing: [] }),
  }));
  const whole = filled.flatMap(({ record, values }) => (values ? [{ record, values }] : []));
  if (whole.length < group.records.length * MAX_DROPPED) return undefined;
  const values = withDeniedFlags(
    item,
    whole.map((entry) => entry.values),
  );
  if (!values.every((value) => hasRequiredFlags(item, value))) return undefined;
  return filter.limit(
    values.filter((value, index) => {
      const { record = filling.segment } = whole[index] ?? {};
      return filter.accepts(value, record) && isNarrowed(record, match);
    }),
  );
}

function isNarrowed({ stems }: Segment, { narrowing }: MatchingGroup): boolean {
  return narrowing.every(({ stem }) => stems.has(stem));
}

/** Within a record, only groups inside the record count. */
function groupsIn({ groups, segment, isRecord }: Filling): readonly RecordGroup[] {
  if (!isRecord) return groups;
  const inside = new Set(segment.lines);
  return groups.filter(({ records }) =>
    records.every(({ lines: [first] }) => first !== undefined && inside.has(first)),
  );
}

function hasRequiredFlags({ fields }: Field, entry: Readonly<Record<string, unknown>>): boolean {
  return fields.every(({ kind, isRequired, name }) => kind !== 'boolean' || !isRequired || entry[name] !== undefined);
}

/** Some records show a flag such as "Sale". The others get `false` instead of no value. */
function withDeniedFlags(
  item: Field,
  entries: readonly Readonly<Record<string, unknown>>[],
): readonly Readonly<Record<string, unknown>>[] {
  const flags = item.fields.filter(
    ({ kind, name }) => kind === 'boolean' && entries.some((entry) => entry[name] === true),
  );
  return entries.map((entry) => {
    const whole: Record<string, unknown> = { ...entry };
    for (const { name } of flags) whole[name] ??= false;
    return whole;
  });
}

function scalarEntries(item: Field, match: MatchingGroup): readonly unknown[] {
  const { group, filter } = match;
  const filled = group.records.flatMap((record) => {
    const value = scalarOf(item, record);
    return value === undefined ? [] : [{ record, value }];
  });
  const accepted = filled.filter(
    ({ record, value }) => filter.accepts({ [item.name]: value }, record) && isNarrowed(record, match),
  );
  return filter.limit(accepted.map(({ value }) => value));
}
