import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { AgentPart, AgentResult, AgentRun, Driver, ExecuteOptions } from '../../src/index.ts';

const MUG = z.object({ name: z.string(), price: z.number().transform(String) });

/** Calls whose types are read, and that are never made. */
function calls(driver: Driver) {
  const agent = driver.agent();
  const streaming = driver.agent({ stream: true });
  const narrow = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
  const options: ExecuteOptions = { instruction: 'x' };
  return {
    sentence: agent.execute('x'),
    plain: agent.execute({ instruction: 'x', maxSteps: 3 }),
    zod4: agent.execute({ instruction: 'x', output: MUG }),
    zod3: agent.execute({ instruction: 'x', output: z3.array(z3.number()) }),
    narrow: agent.execute({ instruction: 'x', output: narrow }),
    inline: agent.execute({ instruction: 'x', output: { type: 'array', items: { type: 'integer' } } }),
    wide: agent.execute(options),
    run: streaming.execute({ instruction: 'x', output: MUG }),
    off: driver.agent({ stream: false }).execute('x'),
  };
}
type Calls = ReturnType<typeof calls>;
type OutputOf<Name extends keyof Calls> = Awaited<Calls[Name]> extends AgentResult<infer Output> ? Output : 'no result';

test('infers the output type from the schema of any library', () => {
  expectTypeOf<OutputOf<'zod4'>>().toEqualTypeOf<{ name: string; price: string }>();
  expectTypeOf<OutputOf<'zod3'>>().toEqualTypeOf<number[]>();
  expectTypeOf<OutputOf<'narrow'>>().toEqualTypeOf<{ name: string }>();
  expectTypeOf<OutputOf<'inline'>>().toEqualTypeOf<number[]>();
  expectTypeOf<OutputOf<'wide'>>().toBeUnknown();
});

test('has no output without a schema', () => {
  expectTypeOf<Awaited<Calls['sentence']>['output']>().toEqualTypeOf<undefined>();
  expectTypeOf<Awaited<Calls['plain']>['output']>().toEqualTypeOf<undefined>();
  expectTypeOf<Awaited<Calls['off']>['success']>().toBeBoolean();
});

test('returns an AgentRun with the output type of the schema with `stream: true`', () => {
  expectTypeOf<Calls['run']>().toEqualTypeOf<AgentRun<{ name: string; price: string }>>();
  expectTypeOf<Calls['run']['textStream']>().toEqualTypeOf<AsyncIterable<string>>();
  expectTypeOf<Calls['run']['fullStream']>().toEqualTypeOf<AsyncIterable<AgentPart>>();
});
