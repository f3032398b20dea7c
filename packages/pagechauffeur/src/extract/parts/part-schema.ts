import { allowsNull, isRecord, mapValues, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';

/**
 * Schema for the answer of one part. Fields that occur once per page become optional and lists may have any length. Entries of lists keep
 * all requirements, because each is complete in its part.
 */
export function partSchema(schema: JsonSchema): JsonSchema {
  return relaxed(schema, schema, []);
}

function relaxed(schema: JsonSchema, root: JsonSchema, around: readonly JsonSchema[]): JsonSchema {
  const { properties } = schema;
  if (!isRecord(properties)) return schema;
  const within = [...around, schema];
  const { required: _, minProperties: _least, ...rest } = schema;
  return { ...rest, properties: mapValues(properties, (field) => optional(field, root, within)) };
}

function optional(field: unknown, root: JsonSchema, around: readonly JsonSchema[]): unknown {
  const schema = resolveSchema(field, root);
  if (schema['type'] === 'array' && !('prefixItems' in schema)) return ofAnyLength(schema, field);
  if (schema['type'] === 'object' && isRecord(schema['properties']) && !around.includes(schema))
    return relaxed({ ...schema, ...described(field) }, root, [...around, schema]);
  if (allowsNull(field, root)) return field;
  return { anyOf: [field, { type: 'null' }], ...described(field) };
}

function ofAnyLength(schema: JsonSchema, field: unknown): JsonSchema {
  const { minItems: _least, maxItems: _most, uniqueItems: _unique, ...rest } = schema;
  return { ...rest, ...described(field) };
}

function described(field: unknown): JsonSchema {
  return isRecord(field) && typeof field['description'] === 'string' ? { description: field['description'] } : {};
}
