import { DriverInvalidArgumentError } from '../../errors.ts';
import { readSchema } from '../../extract/schema.ts';
import type { Checked } from '../../model/generate-checked.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { type SchemaChecker, schemaChecker } from '../../model/schema-check.ts';
import { reasonOf } from '../../util/error-facts.ts';
import { isRecord } from '../../util/is-record.ts';

/** Input of a tool: its JSON Schema and its validation. */
export interface ToolInput {
  readonly jsonSchema: JsonSchema;
  readonly validate: (value: unknown) => Promise<Checked<unknown>>;
}

/** Reads any schema that the AI SDK accepts: Zod, another Standard Schema, its own `jsonSchema()`, or a function that returns one. */
export async function toolInput(given: unknown): Promise<ToolInput> {
  const schema = isLazy(given) ? given() : given;
  if (isRecord(schema) && isAiSdkSchema(schema)) return ofAiSdk(schema);
  // `readSchema` refuses everything else by name.
  return readSchema(schema as JsonSchema);
}

/** True for a function that returns a schema. Some schemas are functions themselves. */
function isLazy(given: unknown): given is () => unknown {
  return typeof given === 'function' && !('~standard' in given);
}

/** Result of `jsonSchema()` of the AI SDK. */
interface AiSdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => unknown;
}

function isAiSdkSchema(schema: object): schema is AiSdkSchema {
  return Symbol.for('vercel.ai.schema') in schema && 'jsonSchema' in schema;
}

async function ofAiSdk(schema: AiSdkSchema): Promise<ToolInput> {
  const resolved = await schema.jsonSchema;
  const jsonSchema = isRecord(resolved) ? resolved : {};
  const { validate } = schema;
  if (validate) return { jsonSchema, validate: async (value) => checkedBy(await validate(value)) };
  const check = await checkerOf(jsonSchema);
  return {
    jsonSchema,
    validate: (value) => {
      const issues = check(value);
      return Promise.resolve(issues.length > 0 ? { issues } : { value });
    },
  };
}

/** The AI SDK validates nothing in this case, so keywords that cannot be checked are left to the tool. */
async function checkerOf(jsonSchema: JsonSchema): Promise<SchemaChecker> {
  try {
    return await schemaChecker(jsonSchema);
  } catch (error) {
    if (!(error instanceof DriverInvalidArgumentError)) throw error;
    return () => [];
  }
}

function checkedBy(result: unknown): Checked<unknown> {
  if (isRecord(result) && result['success'] === true) return { value: result['value'] };
  const reason = isRecord(result) ? reasonOf(result['error']) : 'it does not match the schema';
  return { issues: [{ path: [], message: reason }] };
}
