import { allowsNull, isRecord, mapSchemas, mapValues, requiredOf } from './json-schema.ts';
import type { JsonSchema } from './model-client.ts';

/** A schema in the words that providers know. */
export interface PortableSchema {
  readonly schema: JsonSchema;
  /** Whether a provider may constrain its decoder to the schema as OpenAI's strict mode does. */
  readonly isStrict: boolean;
}

/**
 * Rewrites a schema in the keywords that providers' structured output knows; bounds they do not know go into the
 * description, where the model reads them. Answers are checked against the original, so nothing is lost.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, portableKeywords);
}

/**
 * As {@link portableSchema}, for the input of a tool, which a model is told in every question of a conversation: without the words
 * that nothing else is allowed and nothing required, which go without saying.
 */
export function toolSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(portableSchema(schema), ({ additionalProperties, required, ...rest }) => ({
    ...rest,
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  }));
}

/**
 * As {@link portableSchema}, with every field required and optional ones nullable, since OpenAI's strict mode knows no
 * optional fields. A schema with open-ended objects, tuples or intersections cannot be strict and keeps its options.
 */
export function strictSchema(schema: JsonSchema): PortableSchema {
  const portable = portableSchema(schema);
  if (!canBeStrict(portable)) return { schema: portable, isStrict: false };
  return { schema: mapSchemas(portable, (inner) => requireAll(inner, portable)), isStrict: true };
}

/** Keywords that OpenAI, Anthropic and Google take alike, but for `format` and bounds, which depend on the value. */
const PORTABLE = new Set(
  (
    'type properties required additionalProperties items prefixItems enum const anyOf allOf $defs definitions ' +
    'title description format minimum maximum minItems maxItems'
  ).split(' '),
);
const PORTABLE_FORMATS = new Set('date-time date time duration email hostname ipv4 ipv6 uuid'.split(' '));
/** Keywords that say nothing to a model: identity and tooling, or what JSON says anyway. */
const SILENT = new Set('$schema $id $comment propertyNames oneOf examples readOnly writeOnly'.split(' '));

function portableKeywords(schema: JsonSchema): JsonSchema {
  if ('$ref' in schema) return portableReference(schema);
  const result: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isSilent(keyword, schema)) continue;
    if (isPortable(keyword, value)) result[keyword] = value;
    else told.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  const words = [schema['description'], told.length > 0 && `(${told.join(', ')})`].filter(Boolean);
  if (Array.isArray(schema['oneOf'])) result['anyOf'] = schema['oneOf'];
  return words.length > 0 ? { ...result, description: words.join(' ') } : result;
}

/** Providers refuse keywords next to a reference, so that its description needs a place around it. */
function portableReference({ $ref, description, ...rest }: JsonSchema): JsonSchema {
  if (description !== undefined) return { anyOf: [{ $ref }], description };
  return { $ref, ...(isRecord(rest['$defs']) ? { $defs: rest['$defs'] } : {}) };
}

function isPortable(keyword: string, value: unknown): boolean {
  return PORTABLE.has(keyword) && (keyword !== 'format' || PORTABLE_FORMATS.has(String(value)));
}

/** Silent too are patterns that only spell out a format, and JavaScript's safe integers: Zod writes both. */
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

/** Undeclared fields are only promised when the schema says so; nobody misses them where it is silent. */
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
