import { expectTypeOf, it } from 'vitest';
import type { Exact, ProgramArguments } from '../../src/cdp/world.ts';

type SettleArguments = ProgramArguments<'settle'>;
type SettleOptions = NonNullable<SettleArguments[0]>;
type Accepted<A extends SettleArguments> = A extends Exact<A, SettleArguments> ? true : false;

// The compiler is what fails here: a run alone shows nothing.
it('rejects options of a call to the page that its method does not have, even from a spread object', () => {
  expectTypeOf<Accepted<[SettleOptions]>>().toEqualTypeOf<true>();
  expectTypeOf<Accepted<[SettleOptions & { readonly renamed: boolean }]>>().toEqualTypeOf<false>();
});
