import { expect, it } from 'vitest';
import { expectNothingLeft } from './holdings.ts';

it('50 opened and closed drivers leak no descriptor, timer, listener, folder, process or memory', async () => {
  await expect(expectNothingLeft(50)).resolves.toBeUndefined();
}, 1_200_000);
