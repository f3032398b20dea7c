import { allowsNull, isRecord, mapSchemas, mapValues, requiredOf } from './json-schema.ts';
import type { JsonSchema } from './model-client.ts';

/** A schema with only the keywords that providers support. */
export interface PortableSchema {
  readonly schema: JsonSchema;
  /** True if OpenAI's strict mode can enforce the schema. */
  readonly isStrict: boolean;
}

/**
 * Reduces a schema to the keywords that structured output supports, and moves other constraints to the description for
 * the model. Responses are checked against the original schema.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, portableKeywords);
}

/**
 * Like {@link portableSchema}, but shorter, for tool inputs: every request in a conversation contains them. Omits
 * `additionalProperties: false` and an empty `required`.
 */
export function toolSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(portableSchema(schema), ({ additionalProperties, required, ...rest }) => ({
    ...rest,
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  }));
}

/**
 * Like {@link portableSchema}, but requires every field and makes optional fields nullable, because OpenAI's strict
 * mode has no optional fields. Schemas that strict mode does not support, such as tuples, only become portable.
 */
export function strictSchema(schema: JsonSchema): PortableSchema {
  const portable = portableSchema(schema);
  if (!canBeStrict(portable)) return { schema: portable, isStrict: false };
  return { schema: mapSchemas(portable, (inner) => requireAll(inner, portable)), isStrict: true };
}

/** Keywords that OpenAI, Anthropic and Google support. `format` has only some values. */
const PORTABLE = new Set(
  (
    'type properties required additionalProperties items prefixItems enum const anyOf allOf $defs definitions ' +
    'title description format minimum maximum minItems maxItems'
  ).split(' '),
);
const PORTABLE_FORMATS = new Set('date-time date time duration email hostname ipv4 ipv6 uuid'.split(' '));
/** Keywords that are dropped: `oneOf` becomes `anyOf`, and the others mean nothing to a model. */
const SILENT = new Set('$schema $id $comment propertyNames oneOf examples readOnly writeOnly'.split(' '));

function portableKeywords(schema: JsonSchema): JsonSchema {
  if ('$ref' in schema) return portableReference(schema);
  const result: Record<string, unknown> = {};
  const constraints: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isSilent(keyword, schema)) continue;
    if (isPortable(keyword, value)) result[keyword] = value;
    else constraints.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  const descriptions = [schema['description'], constraints.length > 0 && `(${constraints.join(', ')})`].filter(Boolean);
  if (Array.isArray(schema['oneOf'])) result['anyOf'] = schema['oneOf'];
  return descriptions.length > 0 ? { ...result, description: descriptions.join(' ') } : result;
}

/** Wraps a reference that has a description, because providers reject keywords next to a reference. */
function portableReference({ $ref, description, ...rest }: JsonSchema): JsonSchema {
  if (description !== undefined) return { anyOf: [{ $ref }], description };
  return { $ref, ...(isRecord(rest['$defs']) ? { $defs: rest['$defs'] } : {}) };
}

function isPortable(keyword: string, value: unknown): boolean {
  return PORTABLE.has(keyword) && (keyword !== 'format' || PORTABLE_FORMATS.has(String(value)));
}

/**
 * True for a keyword to drop. Zod adds a pattern that only repeats a format, and the bounds of JavaScript's safe
 * integers.
 */
function isSilent(keyword: string, schema: JsonSchema): boolean {
  if (keyword === 'pattern') return PORTABLE_FORMATS.has(String(schema['format']));
  const isBound = keyword === 'minimum' || keyword === 'maximum';
  return SILENT.has(keyword) || (isBound && Math.abs(Number(schema[keyword])) >= Number.MAX_SAFE_INTEGER);
}

function canBeStrict(schema: JsonSchema): boolean {
  let isStrict = true;
  mapSchemas(schema, (inner) => {
    isStrict &&= isStrictable(inner);
    return inner;
  });
  return isStrict;
}

function isStrictable(schema: JsonSchema): boolean {
  if ('allOf' in schema || 'prefixItems' in schema || Array.isArray(schema['items'])) return false;
  if (isObjectSchema(schema)) return isRecord(schema['properties']) && !isOpen(schema['additionalProperties']);
  return ['type', 'anyOf', '$ref', 'enum', 'const'].some((keyword) => keyword in schema);
}

function isOpen(additional: unknown): boolean {
  return additional === true || isRecord(additional);
}

function isObjectSchema({ type }: JsonSchema): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function requireAll(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isObjectSchema(schema) || !isRecord(properties)) return schema;
  const required = requiredOf(schema);
  return {
    ...schema,
    properties: mapValues(properties, (field, name) => (required.includes(name) ? field : nullable(field, root))),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function nullable(field: unknown, root: JsonSchema): unknown {
  if (!isRecord(field) || allowsNull(field, root)) return field;
  const { description, ...shape } = field;
  const alternatives: readonly unknown[] = Array.isArray(shape['anyOf']) ? shape['anyOf'] : [shape];
  return { anyOf: [...alternatives, { type: 'null' }], ...(description === undefined ? {} : { description }) };
}
