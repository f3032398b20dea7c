import type { Field } from './field.ts';
import { suitingGroups, scalarOf } from './choose-group.ts';
import type { Filling } from './filling.ts';
import { readFilter } from './filters.ts';
import { findValue, labelFit, titleOf } from './find-value.ts';
import type { RecordGroup } from './record-groups.ts';
import { Segment, linesWithin } from './segment.ts';

/** Fills an object's fields; undefined when a required one is missing. */
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
  return findValue(field, filling.segment) ?? (filling.isRecord ? undefined : pageValue(field, filling));
}

/** Of a page, its title is its heading, and a lone number or text may stand under a heading of the field's name. */
function pageValue(field: Field, { page, segment }: Filling): unknown {
  if (field.kind !== 'text' || !field.stems.some((stem) => PAGE_TITLES.has(stem))) return undefined;
  return titleOf(segment) ?? page.title;
}

const PAGE_TITLES: ReadonlySet<string> = new Set(['titl', 'heading', 'head', 'nam']);

const NAMES_THE_SECTION = 0.6;

/** The section whose heading or name says the object's name; else the part that is being read. */
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

/** Of a series, so many records may lack a required field: advertisements, totals. */
const MOST_DROPPED = 0.5;

/** Fills a list from the series of records that suits its fields and the instruction best; undefined when none does. */
export function fillList(field: Field, filling: Filling): readonly unknown[] | undefined {
  const { item } = field;
  if (!item) return undefined;
  const entriesOf = item.kind === 'object' ? objectEntries : scalarEntries;
  for (const group of suitingGroups(field, item, { ...filling, groups: groupsIn(filling) })) {
    const entries = entriesOf(item, group, filling);
    const limit = field.schema['maxItems'];
    if (entries) return typeof limit === 'number' ? entries.slice(0, limit) : entries;
  }
  return undefined;
}

function objectEntries(item: Field, { records }: RecordGroup, filling: Filling): readonly unknown[] | undefined {
  const filter = readFilter(filling.instruction, item.fields);
  const filled = records.map((record) => ({
    record,
    values: fillObject(item, { ...filling, segment: record, isRecord: true, missing: [] }),
  }));
  const whole = filled.flatMap(({ record, values }) => (values ? [{ record, values }] : []));
  if (whole.length < records.length * MOST_DROPPED) return undefined;
  const values = withDeniedFlags(
    item,
    whole.map((entry) => entry.values),
  );
  if (!values.every((value) => hasRequiredFlags(item, value))) return undefined;
  return filter.limit(values.filter((value, index) => filter.accepts(value, whole[index]?.record ?? filling.segment)));
}

/** A list in a record comes from the record itself. */
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

/** A mark that some records bear is absent from those that do not: "Sale". */
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

function scalarEntries(item: Field, { records }: RecordGroup, { instruction }: Filling): readonly unknown[] {
  const filter = readFilter(instruction, [item]);
  const filled = records.flatMap((record) => {
    const value = scalarOf(item, record);
    return value === undefined ? [] : [{ record, value }];
  });
  return filter.limit(
    filled.filter(({ record, value }) => filter.accepts({ [item.name]: value }, record)).map(({ value }) => value),
  );
}
