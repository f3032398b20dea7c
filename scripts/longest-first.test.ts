import { expect, test } from 'vitest';
import { compareFiles, type TestFile } from './longest-first.ts';

const DURATIONS = { 'short.test.ts': 1, 'long.test.ts': 20, 'a.unit.test.ts': 30, 'load.nightly.test.ts': 5 };

function sorted(...files: (readonly [path: string, project: string])[]): string[] {
  return files
    .map(([path, project]): TestFile => ({ path, project }))
    .toSorted((one, other) => compareFiles(DURATIONS, one, other))
    .map(({ path }) => path);
}

test('sorts files by recorded duration, and puts files without one first', () => {
  expect(sorted(['short.test.ts', 'browser'], ['long.test.ts', 'browser'], ['new.test.ts', 'browser'])).toEqual([
    'new.test.ts',
    'long.test.ts',
    'short.test.ts',
  ]);
});

test('keeps the files of a project together, with unit tests at the end', () => {
  expect(sorted(['a.unit.test.ts', 'unit'], ['short.test.ts', 'browser'], ['load.nightly.test.ts', 'nightly'])).toEqual(
    ['load.nightly.test.ts', 'short.test.ts', 'a.unit.test.ts'],
  );
});
