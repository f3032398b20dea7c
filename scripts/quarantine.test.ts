import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { QUARANTINE, quarantineOf } from './quarantine.ts';

test('finds a quarantined test by its path and titles, or by those of its suite', () => {
  const suite = { test: 'a.test.ts > a click', reason: 'slow' };
  expect(quarantineOf('a.test.ts > a click', [suite])).toBe(suite);
  expect(quarantineOf('a.test.ts > a click > counts', [suite])).toBe(suite);
  expect(quarantineOf('a.test.ts > a click that misses', [suite])).toBeUndefined();
  expect(quarantineOf('b.test.ts > a click', [suite])).toBeUndefined();
});

test('quarantines only tests of files that exist', () => {
  const paths = QUARANTINE.map(({ test: name }) => name.split(' > ')[0] ?? '');
  expect(paths.filter((path) => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([]);
});
