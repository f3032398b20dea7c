import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/model/model-client.ts';
import { withoutNullFields } from '../../src/model/null-fields.ts';
import { portableSchema, strictSchema } from '../../src/model/portable-schema.ts';

function jsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input' }) };
}

describe('schema for a provider', () => {
  test('moves unsupported bounds to the description', () => {
    const schema = portableSchema({ type: 'string', minLength: 3, format: 'uri', description: 'A name' });
    expect(schema).toEqual({ type: 'string', description: 'A name (minLength: 3, format: "uri")' });
  });

  test('omits keywords without meaning for a model', () => {
    expect(portableSchema(jsonSchema(z.object({ n: z.int() })))).toEqual({
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
    });
  });

  test('omits a pattern that repeats the format', () => {
    expect(portableSchema(jsonSchema(z.email()))).toEqual({ type: 'string', format: 'email' });
    expect(portableSchema(jsonSchema(z.string().regex(/^[A-Z]+$/)))).toEqual({
      type: 'string',
      description: '(pattern: "^[A-Z]+$")',
    });
  });

  test('keeps the description of a reference', () => {
    const schema = {
      type: 'object',
      properties: { to: { $ref: '#/$defs/node', description: 'Target' } },
      $defs: { node: { type: 'string' } },
    };
    expect(portableSchema(schema)).toMatchObject({
      properties: { to: { anyOf: [{ $ref: '#/$defs/node' }], description: 'Target' } },
      $defs: { node: { type: 'string' } },
    });
  });

  test('keeps properties whose names are schema keywords', () => {
    const { schema } = strictSchema(jsonSchema(z.object({ oneOf: z.string(), format: z.string(), type: z.string() })));
    expect(Object.keys(schema['properties'] ?? {})).toEqual(['oneOf', 'format', 'type']);
  });

  test('is strict with optional, nested, nullable, union and recursive fields', () => {
    const Tree = z.object({
      name: z.string().optional(),
      get children() {
        return z.array(Tree);
      },
    });
    const shape = z.object({ tree: Tree, kind: z.union([z.literal('a'), z.number()]), note: z.string().nullish() });
    const { schema, isStrict } = strictSchema(jsonSchema(shape));
    expect(isStrict).toBe(true);
    expect(schema['required']).toEqual(['tree', 'kind', 'note']);
    expect(schema['properties']).toMatchObject({ note: { type: ['string', 'null'] } });
    expect(JSON.stringify(schema)).toContain('"name":{"anyOf":[{"type":"string"},{"type":"null"}]}');
  });

  test('is not strict with an intersection', () => {
    const both = {
      allOf: [
        { type: 'object', properties: {} },
        { type: 'object', properties: {} },
      ],
    };
    expect(strictSchema({ type: 'object', properties: { both } }).isStrict).toBe(false);
  });

  test.each([
    ['arbitrary keys', z.object({ prices: z.record(z.string(), z.number()) })],
    ['a tuple', z.object({ pair: z.tuple([z.string(), z.number()]) })],
    ['an `any` field', z.object({ anything: z.any() })],
  ])('is not strict with %s, and keeps optional fields optional', (_name, shape) => {
    const { isStrict, schema } = strictSchema(jsonSchema(shape.extend({ maybe: z.string().optional() })));
    expect(isStrict).toBe(false);
    expect(schema['required']).not.toContain('maybe');
  });
});

describe('withoutNullFields()', () => {
  test.each([
    ['removes `null` from an optional field', z.object({ a: z.string().optional() }), { a: null }, {}],
    ['keeps `null` in a nullable field', z.object({ a: z.string().nullish() }), { a: null }, { a: null }],
    [
      'keeps `null` in a required field, so that validation rejects it',
      z.object({ a: z.string() }),
      { a: null },
      { a: null },
    ],
    [
      'removes `null` from an optional field of array items',
      z.object({ list: z.array(z.object({ a: z.string().optional() })) }),
      { list: [{ a: null }] },
      { list: [{}] },
    ],
    [
      'removes `null` from an optional field of a nullable object',
      z.object({ o: z.object({ a: z.int().optional() }).nullable() }),
      { o: { a: null } },
      { o: {} },
    ],
    [
      'removes `null` from an optional field of the matching union member',
      z.object({
        shape: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('dot'), x: z.string().nullish() }),
          z.object({ kind: z.literal('line'), x: z.string().optional() }),
        ]),
      }),
      { shape: { kind: 'line', x: null } },
      { shape: { kind: 'line' } },
    ],
  ])('%s', (_name, schema, answer, expected) => {
    expect(withoutNullFields(answer, jsonSchema(schema))).toEqual(expected);
  });
});
