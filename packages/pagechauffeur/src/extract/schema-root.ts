import { isRecord, mapSchemas, mapValues } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';
import type { DataPath } from './places/find-value-lines.ts';

/** Converts values and paths of a schema with an object as its root to those of the original schema. */
export interface RootUnwrapper {
  readonly unwrap: (value: unknown) => unknown;
  /** Accepts paths that omit the wrapper's field, because a model may omit it. */
  readonly unwrapPath: (path: DataPath) => DataPath;
}

/** A schema whose root is an object. */
export interface RootedSchema extends RootUnwrapper {
  readonly jsonSchema: JsonSchema;
}

/** Wraps a root that is not an object in the field `value`, because providers only return objects. */
export function withObjectRoot(schema: JsonSchema): RootedSchema {
  if (schema['type'] === 'object') return { jsonSchema: schema, unwrap: (value) => value, unwrapPath: (path) => path };
  return {
    jsonSchema: wrap(schema),
    unwrap: (value) => (isRecord(value) ? value['value'] : value),
    unwrapPath: (path) => (path[0] === 'value' ? path.slice(1) : path),
  };
}

function wrap(schema: JsonSchema): JsonSchema {
  const { field, definitions } = asDefinition(schema);
  return {
    type: 'object',
    properties: { value: field },
    required: ['value'],
    additionalProperties: false,
    ...(definitions ? { $defs: definitions } : {}),
  };
}

/** A schema for use inside another one, with the definitions that must move to the root of that one. */
export interface FieldSchema {
  readonly field: unknown;
  readonly definitions: Readonly<Record<string, unknown>> | undefined;
}

/** Moves definitions out of a schema. If the schema refers to its own root, the root becomes a definition, too. */
export function asDefinition(schema: JsonSchema): FieldSchema {
  const { $defs = {}, definitions = {}, $schema: _, ...root } = schema;
  const shared = { ...(isRecord(definitions) ? definitions : {}), ...(isRecord($defs) ? $defs : {}), [ROOT]: root };
  const moved = mapValues(shared, (definition) =>
    isRecord(definition) ? mapSchemas(definition, moveReference) : definition,
  );
  const { [ROOT]: value, ...others } = moved;
  if (JSON.stringify(moved).includes(`"#/$defs/${ROOT}`))
    return { field: { $ref: `#/$defs/${ROOT}` }, definitions: moved };
  return { field: value, definitions: Object.keys(others).length > 0 ? others : undefined };
}

const ROOT = 'root_value';

function moveReference(schema: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#') || reference.startsWith('#/$defs/')) return schema;
  const definition = /^#\/definitions\/(.*)$/.exec(reference)?.[1] ?? ROOT + reference.slice(1);
  return { ...schema, $ref: `#/$defs/${definition}` };
}
