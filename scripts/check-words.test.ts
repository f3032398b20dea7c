import { describe, expect, it } from 'vitest';
import { excessUses, loweredAllowances } from './check-words.ts';
import { privateWordUses } from './norms/private-words.ts';

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

describe('allowances', () => {
  const uses = privateWordUses(path, 'anew\nanew');

  it('fail a folder with more uses than it may have', () => {
    expect(excessUses(uses, {})).toEqual(uses);
    expect(excessUses(uses, { 'packages/library/src/page': 1 })).toEqual(uses);
    expect(excessUses(uses, { 'packages/library/src/page': 2 })).toEqual([]);
  });

  it('only shrink', () => {
    expect(loweredAllowances(uses, { 'packages/library/src/page': 9, docs: 3 })).toEqual({
      'packages/library/src/page': 2,
    });
    expect(loweredAllowances(uses, { 'packages/library/src/page': 1 })).toEqual({ 'packages/library/src/page': 1 });
  });
});
