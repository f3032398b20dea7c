import type { ZodType } from 'zod';
import { DriverInvalidArgumentError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema } from './model-client.ts';
import { reasonOf } from '../util/error-facts.ts';

/** Returns the issues of a value, or an empty list if it matches the schema. */
export type SchemaChecker = (value: unknown) => readonly SchemaIssue[];

const checkers = new WeakMap<JsonSchema, SchemaChecker>();

/** Returns the checker for a JSON Schema. Throws a `DriverInvalidArgumentError` for keywords that cannot be checked. */
export async function schemaChecker(schema: JsonSchema): Promise<SchemaChecker> {
  const known = checkers.get(schema);
  if (known) return known;
  const compiled = await compile(schema);
  const checker: SchemaChecker = (value) => issuesOf(compiled, value);
  checkers.set(schema, checker);
  return checker;
}

async function compile(schema: JsonSchema): Promise<ZodType> {
  const { fromJSONSchema } = await import('zod');
  try {
    return fromJSONSchema({ ...schema });
  } catch (error) {
    const reason = reasonOf(error);
    throw new DriverInvalidArgumentError(`schema: data cannot be checked against this JSON Schema: ${reason}.`, {
      argument: 'schema',
      cause: error,
    });
  }
}

function issuesOf(compiled: ZodType, value: unknown): readonly SchemaIssue[] {
  const result = compiled.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map(({ path, message }) => ({ path: path.map(pathStep), message }));
}

/** Keeps array indexes as numbers and converts symbols to strings. */
export function pathStep(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

/** Formats an issue: `items[2].price: expected number`. */
export function describeIssue({ path, message }: SchemaIssue): string {
  const location = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return location === '' ? message : `${location.replace(/^\./, '')}: ${message}`;
}
