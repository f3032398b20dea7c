import { createRequire } from 'node:module';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { readSchema } from '../../src/extract/schema.ts';
import { schemaChecker } from '../../src/model/schema-check.ts';

const APPS = new URL('../../../../apps/', import.meta.url);
const workingDirectory = process.cwd();
// A converter is looked for where the library stands and in the project, which is the working directory.
beforeAll(() => process.chdir(APPS.pathname));
afterAll(() => process.chdir(workingDirectory));

/** A library as a user's project has it installed, in the shape that these tests call. */
async function installed<Library>(name: string): Promise<Library> {
  return (await import(createRequire(APPS).resolve(name))) as Library;
}

type Build = (...parts: readonly unknown[]) => StandardSchemaV1;
type Valibot = Readonly<Record<'object' | 'string' | 'array' | 'pipe' | 'minValue' | 'number' | 'optional', Build>>;

const MUG = { name: 'Blue mug', price: 12.5 };
const SHAPE = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number', minimum: 0 }, note: { type: 'string' } },
};

async function mugByValibot(): Promise<StandardSchemaV1> {
  const { object, string, number, pipe, minValue, optional } = await installed<Valibot>('valibot');
  return object({ name: string(), price: pipe(number(), minValue(0)), note: optional(string()) });
}

async function mugByArkType(): Promise<StandardSchemaV1> {
  const { type } = await installed<{ type: Build }>('arktype');
  return type({ name: 'string', price: 'number >= 0', 'note?': 'string' });
}

test.each([
  ['Valibot', mugByValibot],
  ['ArkType', mugByArkType],
])('describes a schema of %s to the model and validates the answer', async (_library, mug) => {
  const { jsonSchema, validate } = await readSchema(await mug());
  expect(jsonSchema).toMatchObject(SHAPE);
  expect(jsonSchema['required']).not.toContain('note');
  expect(await validate(MUG)).toMatchObject({ value: MUG });
  expect((await validate({ ...MUG, price: -1 })).issues).toMatchObject([{ path: ['price'] }]);
  expect((await validate({ price: 1 })).issues).toMatchObject([{ path: ['name'] }]);
});

const mugByZod = (): StandardSchemaV1 => z.object({ name: z.string(), price: z.number() });
const mugByZod3 = (): StandardSchemaV1 => z3.object({ name: z3.string(), price: z3.number() });

test.each<[string, () => StandardSchemaV1 | Promise<StandardSchemaV1>]>([
  ['Zod 4', mugByZod],
  ['Zod 3', mugByZod3],
  ['Valibot', mugByValibot],
])('drops unknown fields of an answer if a schema of %s does', async (_library, mug) => {
  const { jsonSchema, validate } = await readSchema(await mug());
  const answer = { ...MUG, color: 'blue' };
  expect((await schemaChecker(jsonSchema))(answer)).toEqual([]);
  expect(await validate(answer)).toEqual({ value: MUG });
});

test('rejects unknown fields with a strict Zod 3 schema', async () => {
  const { validate } = await readSchema(z3.object({ name: z3.string() }).strict());
  expect((await validate(MUG)).issues).toHaveLength(1);
});
