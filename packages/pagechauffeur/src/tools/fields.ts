import { mapSchemas } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';

/** One field of a tool's input: its JSON Schema, and by its type what is read from it. */
export interface Field<T> {
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  /** Never set: it carries the type. */
  readonly type?: T;
}

/** The fields of a tool's input by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

type TypeOf<F> = F extends Field<infer T> ? T : never;

/** The input that fields describe; optional ones may be undefined. */
export type InputOf<F extends Fields> = { readonly [Name in keyof F]: TypeOf<F[Name]> };

/** A text. Like the others, it is described only where its name says too little. */
export function text(description?: string): Field<string> {
  return { schema: { type: 'string', ...told(description) }, isOptional: false };
}

/** The ref of an element that stands in the page; models know what refs are. */
export function ref(description?: string): Field<string> {
  return { schema: { type: 'string', ...told(description) }, isOptional: false };
}

/** A whole number, within bounds where there are any. */
export function whole(description?: string, { least, most }: { least?: number; most?: number } = {}): Field<number> {
  const bounds = { ...(least !== undefined && { minimum: least }), ...(most !== undefined && { maximum: most }) };
  return { schema: { type: 'integer', ...bounds, ...told(description) }, isOptional: false };
}

/** Yes or no. */
export function flag(description?: string): Field<boolean> {
  return { schema: { type: 'boolean', ...told(description) }, isOptional: false };
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[], description?: string): Field<Word> {
  return { schema: { type: 'string', enum: words, ...told(description) }, isOptional: false };
}

/** Several of the same kind, at least one. */
export function list<T>(item: Field<T>, description?: string): Field<readonly T[]> {
  return { schema: { type: 'array', items: item.schema, minItems: 1, ...told(description) }, isOptional: false };
}

/** A field that may be left out. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { schema: field.schema, isOptional: true };
}

function told(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

/** The same schema as models are told it. Bounds are left to the tool, which says what is wrong: told, they cost tokens in every request. */
export function schemaForModel(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, ({ minItems: _least, minimum: _from, maximum: _to, ...shape }) => shape);
}

/** The schema of an object with these fields. */
export function schemaOf(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
    additionalProperties: false,
  };
}
