import { describe, expect, it } from 'vitest';
import { privateWordUses } from './private-words.ts';

const path = 'packages/library/src/page/wait.ts';

describe('privateWordUses', () => {
  it.each([
    ['an identifier', 'const fate: EntryFate = await sent();', 'EntryFate'],
    ['a phrase in a comment', '/** Resolves when the page has come to rest. */', 'come to rest'],
    ['a phrase in a message', 'throw new PlatformError(`${url} is no address.`);', 'is no address'],
    ['a test title', "test('the row is drawn anew', () => {});", 'anew'],
  ])('finds %s', (_what, text, found) => {
    expect(privateWordUses(path, `\n${text}\n`)).toMatchObject([{ path, line: 2, found }]);
  });

  it('finds file names', () => {
    expect(privateWordUses('packages/library/src/leaving-guard.ts', '')).toMatchObject([
      { line: undefined, found: 'leaving-guard' },
    ]);
  });

  it('ignores ordinary words', () => {
    expect(privateWordUses(path, 'const entry = cut(within(person, told)); // on a new page')).toEqual([]);
  });
});
