import { expect, it } from 'vitest';
import { expectNothingLeft } from './holdings.ts';

it('four opened and closed drivers leak no descriptor, timer, listener, folder, process or memory', async () => {
  await expect(expectNothingLeft(4)).resolves.toBeUndefined();
}, 240_000);
