import { expect, it } from 'vitest';
import { expectNothingLeft } from './holdings.ts';

it('50 drivers that were opened and closed leave no descriptor, timer, listener, folder, process or memory', async () => {
  await expect(expectNothingLeft(50)).resolves.toBeUndefined();
}, 1_200_000);
