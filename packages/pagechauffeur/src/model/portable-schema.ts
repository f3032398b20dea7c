import { allowsNull, isRecord, mapSchemas, mapValues, requiredOf } from './json-schema.ts';
import type { JsonSchema } from './model-client.ts';

/** A schema that only contains keywords which providers support. */
export interface PortableSchema {
  readonly schema: JsonSchema;
  /** True if the provider may enforce the schema, as with OpenAI's strict mode. */
  readonly isStrict: boolean;
}

/**
 * Rewrites a schema with the keywords that structured output supports. Moves other constraints to the description,
 * where the model reads them. Responses are validated against the original schema.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, portableKeywords);
}

/**
 * Like {@link portableSchema}, for the input of a tool, which every request of a conversation contains. Omits
 * `additionalProperties` and an empty `required`.
 */
export function toolSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(portableSchema(schema), ({ additionalProperties, required, ...rest }) => ({
    ...rest,
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  }));
}

/**
 * Like {@link portableSchema}, but makes every field required and optional fields nullable, because OpenAI's strict
 * mode has no optional fields. Does not change a schema with open objects, tuples or intersections, which cannot be
 * strict.
 */
export function strictSchema(schema: JsonSchema): PortableSchema {
  const portable = portableSchema(schema);
  if (!canBeStrict(portable)) return { schema: portable, isStrict: false };
  return { schema: mapSchemas(portable, (inner) => requireAll(inner, portable)), isStrict: true };
}

/** Keywords that OpenAI, Anthropic and Google support. For `format` and bounds, support depends on the value. */
const PORTABLE = new Set(
  (
    'type properties required additionalProperties items prefixItems enum const anyOf allOf $defs definitions ' +
    'title description format minimum maximum minItems maxItems'
  ).split(' '),
);
const PORTABLE_FORMATS = new Set('date-time date time duration email hostname ipv4 ipv6 uuid'.split(' '));
/** Keywords without meaning for a model, such as those for identity and tooling. */
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
  const words = [schema['description'], constraints.length > 0 && `(${constraints.join(', ')})`].filter(Boolean);
  if (Array.isArray(schema['oneOf'])) result['anyOf'] = schema['oneOf'];
  return words.length > 0 ? { ...result, description: words.join(' ') } : result;
}

/** Wraps a reference with a description, because providers reject keywords next to a reference. */
function portableReference({ $ref, description, ...rest }: JsonSchema): JsonSchema {
  if (description !== undefined) return { anyOf: [{ $ref }], description };
  return { $ref, ...(isRecord(rest['$defs']) ? { $defs: rest['$defs'] } : {}) };
}

function isPortable(keyword: string, value: unknown): boolean {
  return PORTABLE.has(keyword) && (keyword !== 'format' || PORTABLE_FORMATS.has(String(value)));
}

/**
 * True for a keyword that can be dropped: one without meaning for a model, a pattern that only repeats a format, or
 * JavaScript's safe integer bounds. Zod writes the last two.
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

/** True if the schema allows additional properties explicitly. */
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
