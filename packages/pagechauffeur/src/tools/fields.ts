import { mapSchemas } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';

export interface Field<T> {
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  /** Never set. Carries the type. */
  readonly type?: T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type TypeOf<F> = F extends Field<infer T> ? T : never;

/** The validated input. Optional fields can be `undefined`. */
export type InputOf<F extends Fields> = { readonly [Name in keyof F]: TypeOf<F[Name]> };

export function text(description?: string): Field<string> {
  return { schema: { type: 'string', ...described(description) }, isOptional: false };
}

/** The ref of an element. The prompt explains refs, so a description is rarely needed. */
export function ref(description?: string): Field<string> {
  return { schema: { type: 'string', ...described(description) }, isOptional: false };
}

export function whole(description?: string, { least, most }: { least?: number; most?: number } = {}): Field<number> {
  const bounds = { ...(least !== undefined && { minimum: least }), ...(most !== undefined && { maximum: most }) };
  return { schema: { type: 'integer', ...bounds, ...described(description) }, isOptional: false };
}

export function flag(description?: string): Field<boolean> {
  return { schema: { type: 'boolean', ...described(description) }, isOptional: false };
}

export function oneOf<const Word extends string>(words: readonly Word[], description?: string): Field<Word> {
  return { schema: { type: 'string', enum: words, ...described(description) }, isOptional: false };
}

export function list<T>(item: Field<T>, description?: string): Field<readonly T[]> {
  return { schema: { type: 'array', items: item.schema, minItems: 1, ...described(description) }, isOptional: false };
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { schema: field.schema, isOptional: true };
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

/** Removes bounds, which would cost tokens in every request. The tool validates them. */
export function schemaForModel(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, ({ minItems: _least, minimum: _from, maximum: _to, ...shape }) => shape);
}

export function schemaOf(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
    additionalProperties: false,
  };
}
