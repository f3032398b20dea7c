import { describe, expect, test } from 'vitest';
import { diffSnapshots, longestIncreasingSubsequence } from '../../src/snapshot/snapshot-diff.ts';
import { nextObservation } from '../../src/snapshot/next-observation.ts';
import type { FoldedItem, RefTarget, Snapshot } from '../../src/snapshot/snapshot.ts';

const world = {} as NonNullable<Snapshot['world']>;

const NOTHING_SAID: Readonly<Record<string, string>> = {};

/** A snapshot of these lines; refs that are folded away are named apart. */
function snapshotOf(
  lines: readonly string[],
  { folded = [] as readonly string[], of = world, says = NOTHING_SAID } = {},
): Snapshot {
  const text = lines.join('\n');
  const refs = [...(text.match(/\b(?:f\d+)?e\d+\b/g) ?? []), ...folded].map((ref): [string, RefTarget] => [
    ref,
    { role: 'row', name: ref, world: of } as unknown as RefTarget,
  ]);
  const isFolded = folded.length > 0 || text.includes('… ');
  return { text, refs: new Map(refs), isFolded, foldedItems: thingsOf(says, text), world: of } as unknown as Snapshot;
}

/** Things that say so by their refs, and below `in e1` those without refs, by what each says. */
function thingsOf(says: Readonly<Record<string, string>>, text: string): Snapshot['foldedItems'] {
  const byRef = new Map<string, FoldedItem>();
  const byHolder = new Map<string, FoldedItem[]>();
  for (const [place, digest] of Object.entries(says)) {
    if (!place.startsWith('in ')) byRef.set(place, { digest, isShown: text.includes(`${place} `) });
    else
      byHolder.set(
        place.slice(3),
        digest.split(' ').map((word) => ({ digest: word, isShown: false })),
      );
  }
  return { byRef, byHolder };
}

const changes: readonly [
  title: string,
  before: readonly string[],
  after: readonly string[],
  told: readonly string[],
][] = [
  ['no change between equal snapshots', ['main', ' - Text'], ['main', ' - Text'], []],
  [
    'an opened list with its ancestors',
    ['main', ' e1 combobox "Country"', ' e2 button "Save"'],
    ['main', ' e1 combobox "Country" expanded', ' listbox', '  e3 option "Peru"', ' e2 button "Save"'],
    ['main', ' ~e1 combobox "Country" expanded', ' *listbox', '  *e3 option "Peru"'],
  ],
  [
    'a changed value',
    ['e1 textbox "Name"', 'e2 link "A"'],
    ['e1 textbox "Name" = "Ann"', 'e2 link "A"'],
    ['~e1 textbox "Name" = "Ann"'],
  ],
  ['a replaced text', ['- 1 item', 'e1 link "A"'], ['- 2 items', 'e1 link "A"'], ['*- 2 items', 'gone: - 1 item']],
  [
    'a row that moved up',
    ['table', ' row | e1 link "A"', ' row | e2 link "B"', ' row | e3 link "C"'],
    ['table', ' row | e3 link "C"', ' row | e1 link "A"', ' row | e2 link "B"'],
    ['table', ' *row | e3 link "C"'],
  ],
  [
    'a closed dialog in one line',
    ['e1 dialog "Hint"', ' - Text', ' e2 button "OK"', 'e3 link "A"'],
    ['e3 link "A"'],
    ['gone: e1 dialog "Hint"; 2 more lines (e2)'],
  ],
  [
    'a new line at its position among equal lines',
    ['list', ' listitem', '  e1 link "A"', ' listitem', '  e2 link "B"'],
    ['list', ' listitem', '  e9 link "New"', ' listitem', '  e1 link "A"', ' listitem', '  e2 link "B"'],
    ['list', ' *listitem', '  *e9 link "New"'],
  ],
];

describe('diffSnapshots()', () => {
  test.each(changes)('reports %s', (_title, before, after, told) => {
    const { text, isEmpty } = diffSnapshots(snapshotOf(before), snapshotOf(after));
    expect(text.split('\n').filter(Boolean)).toEqual(told);
    expect(isEmpty).toBe(told.length === 0);
  });

  test('reports neither newly folded lines as gone nor unfolded lines as new', () => {
    const open = snapshotOf(['table', ' row | e1 link "A"', ' row | e2 link "B"', ' row | e3 link "C"']);
    const folded = snapshotOf(['table', ' row | e1 link "A"', ' … 2 more rows (e2–e3)'], { folded: ['e2', 'e3'] });
    expect(diffSnapshots(open, folded).text).toBe('table\n ~… 2 more rows (e2–e3)');
    expect(diffSnapshots(folded, open).text).toBe('');
  });

  test('reports changed, new and removed items inside a fold', () => {
    const fold = (words: string): readonly string[] => ['table', ' row | e1 link "A"', ` … ${words}`];
    const [folded, later] = [
      ['e2', 'e3', 'e4'],
      ['e2', 'e3', 'e9'],
    ];
    const before = snapshotOf(fold('3 more rows (e2–e4)'), { folded, says: { e1: 'a', e2: 'b', e3: 'c', e4: 'd' } });
    const after = snapshotOf(fold('3 more rows (e2–e9)'), {
      folded: later,
      says: { e1: 'a', e2: 'b', e3: 'x', e9: 'y' },
    });
    expect(diffSnapshots(before, after).text.split('\n')).toEqual([
      'table',
      ' ~… 3 more rows (e2–e9)',
      '~folded: e3 row "e3"',
      '*folded: e9 row "e9"',
      'gone: e4',
    ]);
  });

  test('names the first changed items of a fold and counts the others', () => {
    const refs = Array.from({ length: 40 }, (_, index) => `e${index + 10}`);
    const of = (words: string): Snapshot =>
      snapshotOf(['… 40 more rows (e10–e49)'], {
        folded: refs,
        says: Object.fromEntries(refs.map((ref) => [ref, words])),
      });
    const { text } = diffSnapshots(of('old'), of('new'));
    expect(text).toMatch(/^~folded: e10 row "e10"; .*; e14 row "e14"; 35 more \(e15–e49\)$/);
  });

  test('counts the changed items of a fold without refs', () => {
    const of = (says: string): Snapshot =>
      snapshotOf(['list', ' … 3 more list items (in e7)'], { says: { 'in e7': says } });
    expect(diffSnapshots(of('a b c'), of('a x c')).text).toBe('~folded: 1 in e7');
    expect(diffSnapshots(of('a b c'), of('c a b')).text).toBe('');
  });

  test('marks an unfolded row that changed inside the fold', () => {
    const before = snapshotOf(['table', ' … 2 more rows (e1–e2)'], {
      folded: ['e1', 'e2'],
      says: { e1: 'a', e2: 'b' },
    });
    const after = snapshotOf(['table', ' row | e1 link "A" | sold', ' row | e2 link "B"'], {
      says: { e1: 'x', e2: 'b' },
    });
    expect(diffSnapshots(before, after).text).toBe('table\n ~row | e1 link "A" | sold');
  });

  test('reports removed text on a page with a fold elsewhere', () => {
    const list = ['list', ' - One', ' … 3 more list items (in e7)'];
    const before = snapshotOf([...list, 'region "Cart"', ' - Empty', '- Welcome']);
    const after = snapshotOf(['list', ' … 4 more list items (in e7)', 'region "Cart"']);
    expect(diffSnapshots(before, after).text.split('\n')).toEqual([
      'list',
      ' ~… 4 more list items (in e7)',
      'gone: - Empty; - Welcome',
    ]);
  });

  test('shortens a long list of removed refs', () => {
    const refs = Array.from({ length: 60 }, (_, index) => (index < 30 ? `e${index}` : `f1e${index * 2}`));
    const before = snapshotOf(['main', ...refs.map((ref) => ` ${ref} link "Go"`)]);
    const { text } = diffSnapshots(before, snapshotOf(['main']));
    expect(text).toMatch(/^gone: e0 link "Go"; .*; 55 more lines \(e5–e29, f1e60, f1e62, .*, …\)$/);
  });

  test('shows expanded lines without a mark', () => {
    const before = snapshotOf(['table', ' row | e1 link "A"', ' … 2 more rows (e2–e3)'], { folded: ['e2', 'e3'] });
    const after = snapshotOf(['table', ' row | e1 link "A"', ' row | e2 link "B"', ' row | e3 link "C"']);
    expect(diffSnapshots(before, after, true).text).toBe('table\n row | e2 link "B"\n row | e3 link "C"');
  });

  test('treats a ref in the plain text of a page as text', () => {
    const before = snapshotOf(['e1 link "A"', '- "see e1 button \\"X\\""']);
    const after = snapshotOf(['e1 link "A"', '- "see e1 button \\"Y\\""']);
    expect(diffSnapshots(before, after).text).toBe('*- "see e1 button \\"Y\\""\ngone: - "see e1 button \\"X\\""');
  });

  test('marks a line whose text around a link changed', () => {
    const before = snapshotOf(['- You have 3 e1 link "messages"', 'e2 button "Log out"']);
    const after = snapshotOf(['- You have 4 e1 link "messages"', 'e2 button "Log out"']);
    expect(diffSnapshots(before, after).text).toBe('~- You have 4 e1 link "messages"');
  });

  test('reports 20,000 moved lines of a page with 40,000 lines', () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => ` row | e${index} link "Row ${index}"`);
    const moved = ['table', ...lines.slice(20_000), ...lines.slice(0, 20_000)];
    const { text } = diffSnapshots(snapshotOf(['table', ...lines]), snapshotOf(moved));
    expect(text.split('\n')).toHaveLength(20_001);
  });
});

describe('nextObservation()', () => {
  const rows = Array.from({ length: 20 }, (_, index) => `e${index} link "Row ${index}"`);

  test('returns the changes', () => {
    const after = snapshotOf([...rows, 'e99 link "New"']);
    expect(nextObservation(snapshotOf(rows), after)).toEqual({ kind: 'changes', text: '*e99 link "New"' });
  });

  test('returns the page when more than half of it changed', () => {
    const after = snapshotOf(rows.map((row) => row.replace('Row', 'Line')));
    expect(nextObservation(snapshotOf(rows), after)).toEqual({ kind: 'page', text: after.text });
  });

  test('returns the page for another document with the same text', () => {
    const after = snapshotOf(rows, { of: {} as typeof world });
    expect(nextObservation(snapshotOf(rows), after).kind).toBe('page');
  });

  test('returns `same` when nothing changed', () => {
    expect(nextObservation(snapshotOf(rows), snapshotOf(rows))).toEqual({ kind: 'same', text: '' });
  });
});

test.each([
  [[], []],
  [
    [3, 1, 2],
    [1, 2],
  ],
  [
    [-1, 0, 5, 1, -1, 2],
    [1, 3, 5],
  ],
  [[5, 4, 3], [2]],
])('longestIncreasingSubsequence() finds the positions of the longest rise in %j', (numbers, places) => {
  expect([...longestIncreasingSubsequence(numbers)].toSorted((a, b) => a - b)).toEqual(places);
});

test('diffSnapshots() lists a removed ref although removed text names it', () => {
  const before = snapshotOf(['- press e2', 'e1 button "or e2"', 'list'], { folded: ['e2'] });
  const after = snapshotOf(['list']);
  expect(diffSnapshots(before, after).text).toBe('gone: - press e2; e1 button "or e2" (e2)');
});
