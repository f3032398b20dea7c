import { isRecord } from '../util/is-record.ts';
import type { JsonSchema } from './model-client.ts';

const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'] as const;
const MAPS_OF_SCHEMAS = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'] as const;
const SINGLE_SCHEMAS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;

export { isRecord };

/** Applies `change` to every subschema, innermost first, and last to the schema itself. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => (isRecord(value) ? mapSchemas(value, change) : value);
  const result: Record<string, unknown> = { ...schema };
  for (const keyword of LISTS_OF_SCHEMAS) {
    const list = schema[keyword];
    if (Array.isArray(list)) result[keyword] = list.map(inner);
  }
  for (const keyword of MAPS_OF_SCHEMAS) {
    const map = schema[keyword];
    if (isRecord(map)) result[keyword] = mapValues(map, inner);
  }
  for (const keyword of SINGLE_SCHEMAS) if (isRecord(schema[keyword])) result[keyword] = inner(schema[keyword]);
  return change(result);
}

/** Follows local references. Returns `{}`, which allows any value, for a reference to nothing. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; isRecord(current) && typeof current['$ref'] === 'string' && hops < MAX_REFERENCE_HOPS; hops++) {
    current = schemaAt(current['$ref'], root);
  }
  return isRecord(current) ? current : {};
}

/** Longer chains of references are cycles. */
const MAX_REFERENCE_HOPS = 32;

function schemaAt(reference: string, root: JsonSchema): unknown {
  let current: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/')) {
    if (step === '') continue;
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    current = isRecord(current) ? current[key] : undefined;
  }
  return current;
}

/** Returns the alternatives in `anyOf` or `oneOf`, or the schema itself. */
export function branchesOf(schema: JsonSchema): readonly unknown[] {
  const union = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(union) ? union : [schema];
}

export function allowsNull(schema: unknown, root: JsonSchema): boolean {
  const { type, enum: values, const: constant, ...rest } = resolveSchema(schema, root);
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (Array.isArray(values)) return values.includes(null);
  if (constant !== undefined) return constant === null;
  const union = rest['anyOf'] ?? rest['oneOf'];
  if (Array.isArray(union)) return union.some((branch) => allowsNull(branch, root));
  return !('allOf' in rest);
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
