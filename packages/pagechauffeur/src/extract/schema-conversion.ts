import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { z } from 'zod';
import { DriverInvalidArgumentError } from '../errors.ts';
import { importFromProject } from '../model/import-from-project.ts';
import { isRecord, mapSchemas } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { reasonOf } from '../util/error-facts.ts';

/**
 * Converts a schema to JSON Schema. Zod has its own converters. Other schemas must convert themselves or have a known
 * converter package.
 */
export function jsonSchemaOf(schema: StandardSchemaV1): Promise<JsonSchema> {
  if (isZod4(schema)) return zod4JsonSchema(schema);
  const { vendor } = schema['~standard'];
  // The JSON Schema from Zod's `toJSONSchema` also has the vendor `zod`, so check for a converter first.
  if (hasJsonSchema(schema)) {
    return converted(vendor, () => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }));
  }
  if (vendor === 'zod') return zod3JsonSchema(schema);
  return jsonSchemaByPackage(schema, vendor);
}

/** Uses the converter in the `ai` package. */
export function zod3JsonSchema(schema: object): Promise<JsonSchema> {
  return converted('zod', async () => {
    const { zodSchema } = await import('ai');
    // The parameter is typed for the installed Zod version, which may be 4, hence the cast.
    const jsonForm: unknown = await zodSchema(schema as Parameters<typeof zodSchema>[0]).jsonSchema;
    return isRecord(jsonForm) ? mapSchemas(jsonForm, withoutClosure) : {};
  });
}

// The converter forbids additional properties in every object, even where Zod would strip them.
function withoutClosure({ additionalProperties, ...rest }: JsonSchema): JsonSchema {
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties };
}

function isZod4(schema: object): schema is z.core.$ZodType {
  return '_zod' in schema;
}

function zod4JsonSchema(schema: z.core.$ZodType): Promise<JsonSchema> {
  return converted('zod', async () => {
    const { toJSONSchema } = await import('zod');
    return { ...toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describeZodType }) };
  });
}

type ZodOverride = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>>[0];

/** Describes coerced dates as strings. Throws for types that JSON does not have. */
function describeZodType({ zodSchema, jsonSchema, path }: ZodOverride): void {
  const { def } = zodSchema['_zod'];
  if (def.type === 'date' && 'coerce' in def && def.coerce) {
    Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  } else if (NOT_IN_JSON.has(def.type)) {
    const location = path.length === 0 ? 'the schema' : path.join('.');
    const advice = def.type === 'date' ? ' Use z.coerce.date() or z.iso.date().' : '';
    throw new DriverInvalidArgumentError(`schema: JSON has no type ${def.type} (at ${location}).${advice}`, {
      argument: 'schema',
    });
  }
}

const NOT_IN_JSON: ReadonlySet<string> = new Set([
  'date',
  'bigint',
  'symbol',
  'undefined',
  'void',
  'map',
  'set',
  'nan',
  'function',
  'promise',
]);

function hasJsonSchema(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard'];
}

/** Packages that convert schemas of other vendors to JSON Schema. Users install them. */
const CONVERTERS: Readonly<Record<string, { readonly packageName: string; readonly exportName: string }>> = {
  valibot: { packageName: '@valibot/to-json-schema', exportName: 'toJsonSchema' },
};

async function jsonSchemaByPackage(schema: StandardSchemaV1, vendor: string): Promise<JsonSchema> {
  const converter = CONVERTERS[vendor];
  const module = converter && (await importFromProject(converter.packageName));
  const convert = converter && module?.[converter.exportName];
  if (isConverter(convert)) return converted(vendor, () => convert(schema, { typeMode: 'input' }));
  const advice = converter ? `Install ${converter.packageName}` : 'Pass a JSON Schema object instead';
  throw new DriverInvalidArgumentError(`schema: ${vendor} schemas cannot be converted to JSON Schema. ${advice}.`, {
    argument: 'schema',
  });
}

type Converter = (schema: StandardSchemaV1, options: { typeMode: 'input' }) => JsonSchema;

function isConverter(value: unknown): value is Converter {
  return typeof value === 'function';
}

async function converted(vendor: string, convert: () => JsonSchema | Promise<JsonSchema>): Promise<JsonSchema> {
  try {
    return await convert();
  } catch (error) {
    if (error instanceof DriverInvalidArgumentError) throw error;
    const reason = reasonOf(error);
    throw new DriverInvalidArgumentError(
      `schema: this ${vendor} schema cannot be converted to JSON Schema: ${reason}`,
      {
        argument: 'schema',
        cause: error,
      },
    );
  }
}
