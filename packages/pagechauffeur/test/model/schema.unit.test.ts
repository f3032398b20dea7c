import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { DriverInvalidArgumentError } from '../../src/errors.ts';
import { readSchema, type InferSchema } from '../../src/extract/schema.ts';
import { extractionShape } from '../../src/extract/schema-shape.ts';

const LINKS = {
  urls: ['http://shop.test/', 'http://shop.test/mug', 'http://shop.test/mug.png'],
  pageUrl: 'http://shop.test/list',
  text: 'link "Mug" #1\nWrite to https://help.test/form',
};

describe('readSchema()', () => {
  // [spec: extract-result.descriptions, extract-result.bounds]
  test('converts a Zod 4 schema to JSON Schema of its input, validates and transforms', async () => {
    const schema = z.object({
      name: z.string().describe('Product name'),
      price: z.string().transform(Number).pipe(z.number().max(10)),
      seen: z.coerce.date(),
    });
    const { jsonSchema, validate } = await readSchema(schema);
    expect(jsonSchema).toMatchObject({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Product name' },
        price: { type: 'string' },
        seen: { format: 'date-time' },
      },
    });
    const good = await validate({ name: 'Mug', price: '3.5', seen: '2026-01-02T00:00:00Z' });
    expect(good.value).toEqual({ name: 'Mug', price: 3.5, seen: new Date('2026-01-02T00:00:00Z') });
    const bad = await validate({ name: 'Mug', price: '35', seen: '2026-01-02T00:00:00Z' });
    expect(bad.issues).toEqual([{ path: ['price'], message: expect.stringContaining('10') }]);
  });

  // [spec: extract-result.optional, extract-result.nested]
  test('converts a Zod 3 schema to JSON Schema, and validates', async () => {
    const schema = z3.object({
      items: z3.array(z3.object({ n: z3.number().int(), url: z3.string().url().optional() })),
    });
    const { jsonSchema, validate } = await readSchema(schema);
    expect(JSON.stringify(jsonSchema)).toContain('"format":"uri"');
    expect((await validate({ items: [{ n: 1 }] })).value).toEqual({ items: [{ n: 1 }] });
    expect((await validate({ items: [{ n: 1.5 }] })).issues).toEqual([
      { path: ['items', 0, 'n'], message: expect.any(String) },
    ]);
  });

  test('reads a schema that implements Standard JSON Schema, and validates', async () => {
    const { jsonSchema, validate } = await readSchema(standardSchema('other'));
    expect(jsonSchema).toEqual({ type: 'string', description: 'draft-2020-12' });
    expect((await validate('x')).value).toBe('x');
    expect((await validate(1)).issues).toEqual([{ path: ['deep', 0], message: 'not a string' }]);
  });

  test('validates by the keywords of a JSON Schema object', async () => {
    const { validate } = await readSchema({ type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 2 });
    expect((await validate([1, 2])).value).toEqual([1, 2]);
    expect((await validate([0])).issues).toEqual([{ path: [0], message: expect.any(String) }]);
    expect((await validate([1, 2, 3])).issues).toHaveLength(1);
  });

  test.each([
    [
      'a type that JSON does not have',
      z.object({ at: z.date() }),
      /JSON has no type date \(at properties\.at\)\. Use z\.coerce\.date\(\)/,
    ],
    [
      'a library without JSON Schema conversion',
      withoutJsonSchema('unheard-of'),
      /unheard-of schemas cannot be converted.*JSON Schema object/,
    ],
    ['a library whose converter is not installed', withoutJsonSchema('valibot'), /Install @valibot\/to-json-schema/],
    ['an object without keywords', {}, /expected a Zod schema.*Received an empty object/],
    ['a keyword that cannot be checked', { type: 'object', dependentRequired: { a: ['b'] } }, /cannot be checked/],
  ])('rejects %s with advice', async (_name, schema, message) => {
    const read = readSchema(schema);
    await expect(read).rejects.toThrow(DriverInvalidArgumentError);
    await expect(read).rejects.toThrow(message);
  });

  test('infers the type of extracted data', async () => {
    const zod4 = z.object({ a: z.string().transform(Number), b: z.url().optional() });
    const zod3 = z3.array(z3.object({ a: z3.boolean() }));
    expectTypeOf<InferSchema<typeof zod4>>().toEqualTypeOf<{ a: number; b?: string | undefined }>();
    expectTypeOf<InferSchema<typeof zod3>>().toEqualTypeOf<{ a: boolean }[]>();
    expectTypeOf<InferSchema<StandardSchemaV1<unknown, Map<string, number>>>>().toEqualTypeOf<Map<string, number>>();
    expectTypeOf<InferSchema<{ type: 'string' }>>().toEqualTypeOf<string>();
    expectTypeOf((await readSchema(zod4)).validate).returns.resolves.toHaveProperty('value');
  });
});

describe('extractionShape()', () => {
  // [spec: extract-result.url]
  test('replaces URLs with link numbers for the model, and converts them back', async () => {
    const schema = z.object({
      home: z.url().describe('Start page'),
      items: z.array(z.object({ name: z.string(), link: z.url().nullable(), image: z.httpUrl().optional() })),
      note: z.union([z.url(), z.literal('none')]),
    });
    const shape = await extractionShape(schema);
    expect(shape.hasLinks).toBe(true);
    expect(JSON.stringify(shape.modelSchema)).not.toContain('"uri"');
    expect(shape.modelSchema['properties']).toMatchObject({
      home: { type: 'string', description: expect.stringMatching(/^Start page .*#12/) },
    });
    const answer = {
      home: '#0',
      items: [
        { name: '#1', link: '1', image: '#2' },
        { name: 'Cup', link: null },
      ],
      note: 'none',
    };
    expect((await shape.read(answer, LINKS)).value).toEqual({
      home: 'http://shop.test/',
      items: [
        { name: '#1', link: 'http://shop.test/mug', image: 'http://shop.test/mug.png' },
        { name: 'Cup', link: null },
      ],
      note: 'none',
    });
  });

  test.each([
    ['a link number that is not on the page', '#7'],
    ['a URL that is not on the page', 'https://invented.test/'],
    ['text', 'the mug'],
  ])('rejects %s in place of a link number', async (_name, link) => {
    const shape = await extractionShape(z.object({ list: z.array(z.url()) }));
    expect(await shape.read({ list: ['#1', link] }, LINKS)).toEqual({
      issues: [{ path: ['list', 1], message: `"${link}" is not the number of a link or image on the page` }],
    });
  });

  test.each([
    ['of a link on the page', 'http://shop.test/mug', 'http://shop.test/mug'],
    ['relative to the page', '/mug', 'http://shop.test/mug'],
    ['of the page itself', 'http://shop.test/list', 'http://shop.test/list'],
    ['from the page text', 'https://help.test/form', 'https://help.test/form'],
  ])('accepts a URL %s and returns it as an absolute URL', async (_name, written, address) => {
    const shape = await extractionShape(z.object({ link: z.url() }));
    expect((await shape.read({ link: written }, LINKS)).value).toEqual({ link: address });
  });

  test.each([
    ['a scalar', z.number().min(1), { value: 3 }, 3],
    ['an array', z.array(z.string()), { value: ['a'] }, ['a']],
    ['a URL', z.url(), { value: '#1' }, 'http://shop.test/mug'],
    ['a union', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]), { value: { b: 2 } }, { b: 2 }],
  ])('wraps %s in an object for the model, and unwraps the answer', async (_name, schema, answer, value) => {
    const shape = await extractionShape(schema);
    expect(shape.modelSchema).toMatchObject({ type: 'object', required: ['value'] });
    expect((await shape.read(answer, LINKS)).value).toEqual(value);
  });

  test('keeps references valid when it wraps a recursive list', async () => {
    const Branch = z.object({
      name: z.string(),
      url: z.url().optional(),
      get branches() {
        return z.array(Branch);
      },
    });
    const shape = await extractionShape(z.array(Branch));
    const { validate } = await readSchema(shape.modelSchema);
    const tree = { name: 'a', branches: [{ name: 'b', url: '#1', branches: [] }] };
    expect((await validate({ value: [tree] })).value).toEqual({ value: [tree] });
    expect((await validate({ value: [{ name: 'a', branches: [{}] }] })).issues).not.toEqual(undefined);
    expect((await shape.read({ value: [tree] }, LINKS)).value).toEqual([
      { name: 'a', branches: [{ name: 'b', url: 'http://shop.test/mug', branches: [] }] },
    ]);
  });
});

function withoutJsonSchema(vendor: string): StandardSchemaV1 {
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: (value) =>
        typeof value === 'string' ? { value } : { issues: [{ message: 'not a string', path: ['deep', { key: 0 }] }] },
    },
  };
}

function standardSchema(vendor: string): StandardSchemaV1 & StandardJSONSchemaV1 {
  const jsonSchema = ({ target }: StandardJSONSchemaV1.Options): Record<string, unknown> => ({
    type: 'string',
    description: target,
  });
  return {
    '~standard': { ...withoutJsonSchema(vendor)['~standard'], jsonSchema: { input: jsonSchema, output: jsonSchema } },
  };
}
