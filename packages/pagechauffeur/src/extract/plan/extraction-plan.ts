import { type LinePart, PARTS } from '../places/located-lines.ts';
import { isRecord, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';

/** Where to find data on pages with the same structure. A plan reads the data without a model. */
export type ExtractionPlan = ValuePlan | FieldsPlan | ListPlan;

/** Reads one value from a line. */
export interface ValuePlan {
  readonly kind: 'value';
  /** XPath of the element, relative to the list entry. Absolute outside of lists. */
  readonly at: string;
  /** Index among the lines of the element. */
  readonly nth: number;
  readonly role: string;
  readonly part: LinePart;
  /** Text of the previous line, if it is a label and the same for every entry. */
  readonly label?: string;
  readonly reading: Reading;
  /** Data for an entry without this value. If `undefined`, every entry must have the value. */
  readonly absent?: 'null' | 'missing';
}

/** How to extract a value from text: the constant text around it, and its format. */
export interface Reading {
  readonly before: string;
  readonly after: string;
  readonly form: 'text' | 'lower-case text' | 'number with point' | 'number with comma';
}

export interface FieldsPlan {
  readonly kind: 'fields';
  readonly fields: Readonly<Record<string, ExtractionPlan>>;
}

export interface ListPlan {
  readonly kind: 'list';
  /** XPath of the parent of the entries, relative to the enclosing entry. */
  readonly holder: string;
  /** Last XPath step of the entries without the index, such as `li`. */
  readonly step: string;
  /** Column headers, if the entries are table rows. */
  readonly headers: readonly string[];
  /** Structures of siblings that are not entries, as returned by `LineMap.formOf`. */
  readonly skipped: readonly string[];
  /** True if the list was empty in an entry of the enclosing list. Otherwise, an empty list means a changed page. */
  readonly mayBeEmpty: boolean;
  readonly entry: ExtractionPlan;
}

/** True if the plan reads all fields of the schema, including optional ones. */
export function coversSchema(plan: ExtractionPlan, schema: unknown, root: JsonSchema): boolean {
  const { properties, items } = resolveSchema(schema, root);
  if (plan.kind === 'list') return items === undefined || coversSchema(plan.entry, items, root);
  if (plan.kind === 'value' || !isRecord(properties)) return true;
  return Object.entries(properties).every(([name, field]) => {
    const inner = plan.fields[name];
    return inner !== undefined && coversSchema(inner, field, root);
  });
}

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
