import { type LinePart, PARTS } from '../places/placed-lines.ts';
import { isRecord, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';

/** Where to find data of one shape on pages of one structure. A plan reads the data without a model. */
export type ExtractionPlan = ValuePlan | FieldsPlan | ListPlan;

/** One value: the line that contains it, and its position in the line. */
export interface ValuePlan {
  readonly kind: 'value';
  /** XPath of the line's element, relative to the entry of the list. Absolute outside of lists. */
  readonly at: string;
  /** Index among the lines of the element. */
  readonly nth: number;
  readonly role: string;
  readonly part: LinePart;
  /** Text of the previous line, if it is always the same. */
  readonly label?: string;
  readonly reading: Reading;
  /** Value for an entry that lacks this one. If `undefined`, every entry must have the value. */
  readonly absent?: 'null' | 'missing';
}

/** Position of a value in a text, given by the constant text before and after it. */
export interface Reading {
  readonly before: string;
  readonly after: string;
  readonly form: 'text' | 'lower-case text' | 'number with point' | 'number with comma';
}

/** An object, with a plan for each field. */
export interface FieldsPlan {
  readonly kind: 'fields';
  readonly fields: Readonly<Record<string, ExtractionPlan>>;
}

/** A list whose entries are in sibling elements. */
export interface ListPlan {
  readonly kind: 'list';
  /** XPath of the element that contains the entries, relative to the surrounding entry. */
  readonly holder: string;
  /** XPath step of the entry elements, without its index. */
  readonly step: string;
  /** Header texts of the table, if the entries are table rows. */
  readonly headers: readonly string[];
  /** Structures of sibling elements that are not entries. */
  readonly skipped: readonly string[];
  /** True if the list was empty in some of the data that this plan was made from. */
  readonly mayBeEmpty: boolean;
  readonly entry: ExtractionPlan;
}

/** True if a plan has all fields of a schema, including optional ones. */
export function coversSchema(plan: ExtractionPlan, schema: unknown, root: JsonSchema): boolean {
  const { properties, items } = resolveSchema(schema, root);
  if (plan.kind === 'list') return items === undefined || coversSchema(plan.entry, items, root);
  if (plan.kind === 'value' || !isRecord(properties)) return true;
  return Object.entries(properties).every(([name, field]) => {
    const inner = plan.fields[name];
    return inner !== undefined && coversSchema(inner, field, root);
  });
}

/** Parses a stored plan. Returns `undefined` if it is malformed. */
export function parsePlan(content: unknown): ExtractionPlan | undefined {
  return isPlan(content) ? content : undefined;
}

function isPlan(content: unknown): content is ExtractionPlan {
  if (!isRecord(content)) return false;
  const { kind, fields, entry, reading } = content;
  if (kind === 'fields') return isRecord(fields) && Object.values(fields).every(isPlan);
  if (kind === 'list')
    return isPlan(entry) && areTexts(content, ['holder', 'step']) && areLists(content) && 'mayBeEmpty' in content;
  return (
    kind === 'value' &&
    areTexts(content, ['at', 'role']) &&
    PARTS.some((part) => part === content['part']) &&
    typeof content['nth'] === 'number' &&
    isRecord(reading) &&
    areTexts(reading, ['before', 'after', 'form'])
  );
}

function areTexts(record: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof record[name] === 'string');
}

function areLists({ headers, skipped }: Readonly<Record<string, unknown>>): boolean {
  return [headers, skipped].every((list) => Array.isArray(list) && list.every((entry) => typeof entry === 'string'));
}
