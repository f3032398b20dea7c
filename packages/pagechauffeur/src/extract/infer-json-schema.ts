/** Type of the data that a JSON Schema describes, if the schema is a literal or declared `as const`. Otherwise `unknown`. */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Value }
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
