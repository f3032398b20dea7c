import { isRecord, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { PARTS } from '../places/placed-lines.ts';
import type { ExtractionPlan } from './extraction-plan.ts';

/** True if a plan has a place for each field of a schema, optional fields included. */
export function coversSchema(plan: ExtractionPlan, schema: unknown, root: JsonSchema): boolean {
  const { properties, items } = resolveSchema(schema, root);
  if (plan.kind === 'list') return items === undefined || coversSchema(plan.entry, items, root);
  if (plan.kind === 'value' || !isRecord(properties)) return true;
  return Object.entries(properties).every(([name, field]) => {
    const inner = plan.fields[name];
    return inner !== undefined && coversSchema(inner, field, root);
  });
}

/** Parses a stored plan. Returns `undefined` for anything else. */
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
