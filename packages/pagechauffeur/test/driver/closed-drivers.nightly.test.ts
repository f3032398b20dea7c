import { it } from 'vitest';
import { expectNothingLeft } from './holdings.ts';

it('50 drivers that were opened and closed leave no descriptor, timer, listener, folder, process or memory', async () => {
  await expectNothingLeft(50);
}, 1_200_000);
