import { it } from 'vitest';
import { expectNothingLeft } from './holdings.ts';

it('four drivers that were opened and closed leave no descriptor, timer, listener, folder, process or memory', async () => {
  await expectNothingLeft(4);
}, 240_000);
