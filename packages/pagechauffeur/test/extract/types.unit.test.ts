import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type {
  Driver,
  EvidenceOf,
  ExtractedText,
  ExtractResult,
  FieldEvidence,
  PageText,
  WithEvidence,
} from '../../src/index.ts';
import type { JsonSchema } from '../../src/model/model-client.ts';

/** Calls whose types are read, and that are never made. */
function calls(driver: Driver) {
  const zod4 = z.object({
    name: z.string(),
    size: z.enum(['S', 'L']),
    price: z.number().nullable(),
    seen: z.string().transform((day) => new Date(day)),
    tags: z.array(z.string()).optional(),
    kind: z.union([z.literal('mug'), z.object({ other: z.string() })]),
  });
  const zod3 = z3.object({ n: z3.number(), at: z3.string().transform(Number).optional() });
  const other: StandardSchemaV1<{ day: string }, { day: Date }> = Object.create(null);
  const wide: JsonSchema = { type: 'string' };
  const narrow = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      sizes: { type: 'array', items: { enum: ['S', 'L'] } },
      price: { type: ['number', 'null'] },
      note: { anyOf: [{ const: 'none' }, { type: 'object', properties: { text: { type: 'string' } } }] },
    },
    required: ['name', 'sizes'],
  } as const;
  return {
    zod4: driver.extract('x', zod4),
    zod3: driver.extract('x', zod3),
    scalar: driver.extract('x', z.number().int()),
    list: driver.extract('x', z.array(z.object({ a: z.boolean() })), { selector: 'main' }),
    other: driver.extract('x', other),
    wide: driver.extract('x', wide),
    narrow: driver.extract({ instruction: 'x', schema: narrow }),
    inline: driver.extract('x', { type: 'array', items: { type: 'integer' } }),
    schemaOnly: driver.extract({ schema: zod3, selector: 'main' }),
    objectOfText: driver.extract({ instruction: 'x', selector: 'main' }),
    evidence: driver.extract('x', zod4, { withEvidence: true }),
    narrowEvidence: driver.extract({ schema: narrow, withEvidence: true }),
    noEvidence: driver.extract('x', z.string(), { withEvidence: false }),
  };
}
type Calls = ReturnType<typeof calls>;

interface Mug {
  name: string;
  size: 'S' | 'L';
  price: number | null;
  seen: Date;
  tags?: string[] | undefined;
  kind: 'mug' | { other: string };
}

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** What an object says of where it came from. */
interface Origin {
  readonly cacheStatus?: 'HIT' | 'MISS';
}

// [spec: extract-calls.schema, extract-calls.schema-options]
// [spec: extract-result.object, extract-result.array, extract-result.scalar]
test('infers the result type from the schema of any library', () => {
  expectTypeOf<Calls['zod4']>().resolves.toEqualTypeOf<Flat<Mug & Origin>>();
  expectTypeOf<Calls['zod4']>().resolves.toExtend<Mug>();
  expectTypeOf<Calls['zod3']>().resolves.toEqualTypeOf<Flat<{ n: number; at?: number | undefined } & Origin>>();
  expectTypeOf<Calls['scalar']>().resolves.toEqualTypeOf<number>();
  expectTypeOf<Calls['list']>().resolves.toEqualTypeOf<{ a: boolean }[]>();
  expectTypeOf<Calls['other']>().resolves.toEqualTypeOf<Flat<{ day: Date } & Origin>>();
  expectTypeOf<Calls['schemaOnly']>().resolves.toEqualTypeOf<Flat<{ n: number; at?: number | undefined } & Origin>>();
  expectTypeOf<Calls['objectOfText']>().resolves.toEqualTypeOf<ExtractedText>();
  expectTypeOf<Calls['noEvidence']>().resolves.toEqualTypeOf<string>();
});

test('infers the type of a literal JSON Schema, and is unknown for any other', () => {
  expectTypeOf<Calls['wide']>().resolves.toBeUnknown();
  expectTypeOf<Calls['inline']>().resolves.toEqualTypeOf<number[]>();
  expectTypeOf<Calls['narrow']>().resolves.toEqualTypeOf<{
    name: string;
    sizes: ('S' | 'L')[];
    price?: number | null;
    note?: 'none' | { text?: string };
    readonly cacheStatus?: 'HIT' | 'MISS';
  }>();
});

// [spec: extract-result.cacheStatus, extract-result.extraction, extract-result.pageText]
test('adds cacheStatus to objects only', () => {
  expectTypeOf<ExtractedText['cacheStatus']>().toEqualTypeOf<'HIT' | 'MISS' | undefined>();
  expectTypeOf<PageText>().not.toHaveProperty('cacheStatus');
  expectTypeOf<Awaited<Calls['zod4']>['cacheStatus']>().toEqualTypeOf<'HIT' | 'MISS' | undefined>();
  expectTypeOf<Awaited<Calls['evidence']>['cacheStatus']>().toEqualTypeOf<'HIT' | 'MISS' | undefined>();
  expectTypeOf<Awaited<Calls['evidence']>['data']>().not.toHaveProperty('cacheStatus');
  expectTypeOf<ExtractResult<{ cacheStatus: number }>>().toEqualTypeOf<{ cacheStatus: number }>();
  expectTypeOf<ExtractResult<Record<string, number>>>().toEqualTypeOf<Record<string, number>>();
  expectTypeOf<ExtractResult<string[] | boolean | null>>().toEqualTypeOf<string[] | boolean | null>();
  expectTypeOf<ExtractResult<Date | Map<string, number>>>().toEqualTypeOf<Date | Map<string, number>>();
  expectTypeOf<ExtractResult<{ a: 1 } | 'none'>>().toEqualTypeOf<Flat<{ a: 1 } & Origin> | 'none'>();
  expectTypeOf<ExtractResult<Money>>().toEqualTypeOf<Money>();
  expectTypeOf<ExtractResult<unknown>>().toBeUnknown();
  expectTypeOf<ExtractResult<never>>().toBeNever();
});

/** What a schema may make of a price. */
class Money {
  readonly #cents: number;

  constructor(cents: number) {
    this.#cents = cents;
  }

  get cents(): number {
    return this.#cents;
  }
}

test('types evidence by the fields of the data before transforms', () => {
  type Evidence = Awaited<Calls['evidence']>;
  expectTypeOf<Evidence['data']>().toEqualTypeOf<Mug>();
  expectTypeOf<Evidence['evidence']['seen']>().toEqualTypeOf<FieldEvidence | undefined>();
  expectTypeOf<Evidence['evidence']['tags']>().toEqualTypeOf<
    readonly (FieldEvidence | undefined)[] | FieldEvidence | undefined
  >();
  expectTypeOf<Awaited<Calls['narrowEvidence']>['evidence']['sizes']>().toEqualTypeOf<
    readonly (FieldEvidence | undefined)[]
  >();
  expectTypeOf<EvidenceOf<{ a: { b: number }[] }>>().toEqualTypeOf<{
    readonly a: readonly { readonly b: FieldEvidence | undefined }[];
  }>();
  expectTypeOf<WithEvidence<unknown>['evidence']>().toBeUnknown();
});
