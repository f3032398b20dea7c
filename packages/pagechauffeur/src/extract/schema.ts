import type { StandardSchemaV1 } from '@standard-schema/spec';
import { DriverInvalidArgumentError, type SchemaIssue } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';
import { EXTRACT_OPTIONS } from './extract-options.ts';
import type { Checked } from '../model/generate-checked.ts';
import { isRecord } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { pathStep, schemaChecker } from '../model/schema-check.ts';
import { jsonSchemaOf, zod3JsonSchema } from './schema-conversion.ts';

/** A schema for `extract`: Zod 4 or 3, another Standard Schema such as Valibot or ArkType, or a JSON Schema object. */
export type ExtractSchema = StandardSchemaV1 | ZodLikeSchema | JsonSchema;

/** A schema of a Zod 3 version that does not implement Standard Schema. */
export interface ZodLikeSchema<Output = unknown> {
  readonly _output: Output;
  safeParseAsync(value: unknown): Promise<ZodLikeResult<Output>>;
}

export type ZodLikeResult<Output> =
  | { readonly success: true; readonly data: Output }
  | { readonly success: false; readonly error: { readonly issues: StandardSchemaV1.FailureResult['issues'] } };

/** The type of the data that a schema describes. For a JSON Schema object literal, inferred from its keywords. */
export type InferSchema<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends ZodLikeSchema<infer Output>
    ? Output
    : InferJsonSchema<Schema>;

/** The type of the data before the transforms of the schema. */
export type InferSchemaInput<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Schema>
  : Schema extends { readonly _input: infer Input }
    ? Input
    : InferSchema<Schema>;

/** Resolves to `unknown` unless the schema is a literal or declared `as const`. */
type InferJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Branch)[] } | { readonly oneOf: readonly (infer Branch)[] }
      ? InferJsonSchema<Branch>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? OfType<Schema, Type>
        : Schema extends { readonly type: infer Type }
          ? OfType<Schema, Type>
          : unknown;

interface PlainTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type OfType<Schema, Type> = Type extends keyof PlainTypes
  ? PlainTypes[Type]
  : Type extends 'array'
    ? Schema extends { readonly items: infer Items }
      ? InferJsonSchema<Items>[]
      : unknown[]
    : Type extends 'object'
      ? OfFields<Schema>
      : unknown;

type OfFields<Schema> = Schema extends { readonly properties: infer Fields }
  ? Flat<
      { -readonly [Name in keyof Fields & Required<Schema>]: InferJsonSchema<Fields[Name]> } & {
        -readonly [Name in Exclude<keyof Fields, Required<Schema>>]?: InferJsonSchema<Fields[Name]>;
      }
    >
  : Record<string, unknown>;

type Required<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;
type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** A schema of any kind in a common form. */
export interface ReadSchema<T> {
  readonly jsonSchema: JsonSchema;
  readonly validate: (value: unknown) => Promise<Checked<T>>;
}

/**
 * Converts a schema of any kind.
 * @throws DriverInvalidArgumentError if `schema` is not a schema or cannot be converted to JSON Schema.
 */
export async function readSchema<Schema extends ExtractSchema>(
  schema: Schema,
): Promise<ReadSchema<InferSchema<Schema>>> {
  const read = await readAnySchema(schema);
  // `validate` returns what the user's schema returns.
  return read as ReadSchema<InferSchema<Schema>>;
}

async function readAnySchema(schema: unknown): Promise<ReadSchema<unknown>> {
  if (isStandardSchema(schema)) {
    return { jsonSchema: await jsonSchemaOf(schema), validate: (value) => validateStandard(schema, value) };
  }
  if (isZodLike(schema)) {
    return { jsonSchema: await zod3JsonSchema(schema), validate: (value) => validateZodLike(schema, value) };
  }
  if (isRecord(schema) && isJsonSchema(schema)) {
    const check = await schemaChecker(schema);
    return { jsonSchema: schema, validate: (value) => Promise.resolve(asChecked(value, check(value))) };
  }
  throw new DriverInvalidArgumentError(
    `schema: expected a Zod schema, another Standard Schema or a JSON Schema object. Received ${receivedInstead(schema)}`,
    { argument: 'schema' },
  );
}

/** Describes what was passed instead of a schema, and suggests the call that was probably intended. */
function receivedInstead(value: unknown): string {
  if (!isRecord(value) || Array.isArray(value)) return `${describeValue(value)}.`;
  const names = Object.keys(value);
  const options = names.filter((name) => EXTRACT_OPTIONS.has(name));
  if (options.length > 0 && options.length === names.length)
    return `options (${options.join(', ')}). Options come third: \`extract(instruction, undefined, { ${options.join(', ')} })\`, or all in one object: \`extract({ instruction, ${options.join(', ')} })\`.`;
  if (names.length > 0 && Object.values(value).every((field) => isStandardSchema(field) || isZodLike(field)))
    return `an object of schemas. Wrap it: \`z.object({ ${names.join(', ')} })\`.`;
  return names.length === 0 ? 'an empty object.' : `an object with ${names.slice(0, 5).join(', ')}.`;
}

function asChecked(value: unknown, issues: readonly SchemaIssue[]): Checked<unknown> {
  return issues.length > 0 ? { issues } : { value };
}

/** True if at least one keyword restricts the data. `{}` accepts any value, so it is probably a mistake. */
function isJsonSchema(schema: object): boolean {
  return ['type', 'properties', 'items', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'].some(
    (word) => word in schema,
  );
}

function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  const isHolder = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  return isHolder && '~standard' in schema && isRecord(schema['~standard']);
}

function isZodLike(schema: unknown): schema is ZodLikeSchema {
  return isRecord(schema) && typeof schema['safeParseAsync'] === 'function' && '_def' in schema;
}

async function validateStandard(schema: StandardSchemaV1, value: unknown): Promise<Checked<unknown>> {
  const result = await schema['~standard'].validate(value);
  return result.issues ? { issues: result.issues.map(toIssue) } : { value: result.value };
}

async function validateZodLike(schema: ZodLikeSchema, value: unknown): Promise<Checked<unknown>> {
  const result = await schema.safeParseAsync(value);
  return result.success ? { value: result.data } : { issues: result.error.issues.map(toIssue) };
}

function toIssue({ message, path = [] }: StandardSchemaV1.Issue): SchemaIssue {
  return { message, path: Array.from(path, (step) => pathStep(typeof step === 'object' ? step.key : step)) };
}
