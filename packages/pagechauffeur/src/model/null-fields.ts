import { allowsNull, branchesOf, isRecord, requiredOf, resolveSchema } from './json-schema.ts';
import type { JsonSchema } from './model-client.ts';

/**
 * Removes optional fields that are `null` if the schema does not allow `null`. Several providers have no optional
 * fields: the model must send every field, and `null` for a missing value.
 */
export function withoutNullFields(value: unknown, schema: JsonSchema): unknown {
  return strip(value, schema, schema);
}

function strip(value: unknown, schema: unknown, root: JsonSchema): unknown {
  if (Array.isArray(value)) return stripItems(value, branchFor(value, schema, root), root);
  if (isRecord(value)) return stripFields(value, branchFor(value, schema, root), root);
  return value;
}

function stripItems(items: readonly unknown[], schema: JsonSchema, root: JsonSchema): unknown[] {
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  return items.map((item, index) => strip(item, first[index] ?? schema['items'], root));
}

function stripFields(value: Readonly<Record<string, unknown>>, schema: JsonSchema, root: JsonSchema): unknown {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = requiredOf(schema);
  const isAbsent = ([name, field]: [string, unknown]): boolean =>
    field === null && name in properties && !required.includes(name) && !allowsNull(properties[name], root);
  const fields = Object.entries(value).filter((entry) => !isAbsent(entry));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, strip(field, properties[name] ?? schema['additionalProperties'], root)]),
  );
}

/**
 * Returns the first alternative in a union that matches the value's type and, for objects, the required and constant
 * fields.
 */
function branchFor(value: object, schema: unknown, root: JsonSchema): JsonSchema {
  const branches = branchesOf(resolveSchema(schema, root)).map((branch) => resolveSchema(branch, root));
  const fits = (branch: JsonSchema): boolean =>
    Array.isArray(value) ? 'items' in branch || 'prefixItems' in branch : fitsObject(value, branch, root);
  return branches.find(fits) ?? {};
}

function fitsObject(value: object, branch: JsonSchema, root: JsonSchema): boolean {
  const properties = branch['properties'];
  if (!isRecord(properties)) return 'additionalProperties' in branch;
  if (!requiredOf(branch).every((name) => name in value)) return false;
  return Object.entries(value).every(([name, field]) => fitsConstant(field, resolveSchema(properties[name], root)));
}

function fitsConstant(field: unknown, schema: JsonSchema): boolean {
  if (schema['const'] !== undefined) return schema['const'] === field;
  return !Array.isArray(schema['enum']) || field === null || schema['enum'].includes(field);
}
