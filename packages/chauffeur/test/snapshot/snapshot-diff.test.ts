import { describe, expect, test } from 'vitest';
import { longestRise } from '../../src/snapshot/longest-rise.ts';
import { nextObservation } from '../../src/snapshot/next-observation.ts';
import type { RefTarget, Snapshot } from '../../src/snapshot/snapshot.ts';
import { diffSnapshots } from '../../src/snapshot/snapshot-diff.ts';

const world = {} as NonNullable<Snapshot['world']>;

/** A snapshot of these lines; refs that are folded away are named apart. */
function snapshotOf(lines: readonly string[], { folded = [] as readonly string[], of = world } = {}): Snapshot {
  const text = lines.join('\n');
  const refs = [...(text.match(/\be\d+\b/g) ?? []), ...folded].map((ref): [string, RefTarget] => [
    ref,
    { role: 'row', name: ref, world: of } as unknown as RefTarget,
  ]);
  return { text, refs: new Map(refs), isFolded: folded.length > 0, world: of } as unknown as Snapshot;
}

const changes: readonly [
  title: string,
  before: readonly string[],
  after: readonly string[],
  told: readonly string[],
][] = [
  ['nothing', ['main', ' - Text'], ['main', ' - Text'], []],
  [
    'a list that opened, with what it stands in',
    ['main', ' e1 combobox "Country"', ' e2 button "Save"'],
    ['main', ' e1 combobox "Country" expanded', ' listbox', '  e3 option "Peru"', ' e2 button "Save"'],
    ['main', ' ~e1 combobox "Country" expanded', ' *listbox', '  *e3 option "Peru"'],
  ],
  [
    'a value',
    ['e1 textbox "Name"', 'e2 link "A"'],
    ['e1 textbox "Name" = "Ann"', 'e2 link "A"'],
    ['~e1 textbox "Name" = "Ann"'],
  ],
  [
    'a text in place of another',
    ['- 1 item', 'e1 link "A"'],
    ['- 2 items', 'e1 link "A"'],
    ['*- 2 items', 'gone: - 1 item'],
  ],
  [
    'a row that moved up',
    ['table', ' row | e1 link "A"', ' row | e2 link "B"', ' row | e3 link "C"'],
    ['table', ' row | e3 link "C"', ' row | e1 link "A"', ' row | e2 link "B"'],
    ['table', ' *row | e3 link "C"'],
  ],
  [
    'a dialog that closed, in one line',
    ['e1 dialog "Hint"', ' - Text', ' e2 button "OK"', 'e3 link "A"'],
    ['e3 link "A"'],
    ['gone: e1 dialog "Hint"; 2 more lines'],
  ],
  [
    'an equal line at the place where it is new',
    ['list', ' listitem', '  e1 link "A"', ' listitem', '  e2 link "B"'],
    ['list', ' listitem', '  e9 link "New"', ' listitem', '  e1 link "A"', ' listitem', '  e2 link "B"'],
    ['list', ' *listitem', '  *e9 link "New"'],
  ],
];

describe('what changed between two snapshots', () => {
  test.each(changes)('tells %s', (_title, before, after, told) => {
    const { text, isEmpty } = diffSnapshots(snapshotOf(before), snapshotOf(after));
    expect(text.split('\n').filter(Boolean)).toEqual(told);
    expect(isEmpty).toBe(told.length === 0);
  });

  test('does not take what is folded away now for gone, nor what was folded away for new', () => {
    const open = snapshotOf(['table', ' row | e1 link "A"', ' row | e2 link "B"', ' row | e3 link "C"']);
    const folded = snapshotOf(['table', ' row | e1 link "A"', ' … 2 more rows (e2–e3)'], { folded: ['e2', 'e3'] });
    expect(diffSnapshots(open, folded).text).toBe('table\n ~… 2 more rows (e2–e3)');
    expect(diffSnapshots(folded, open).text).toBe('');
  });

  test('takes a ref in a plain text of the page for a text', () => {
    const before = snapshotOf(['e1 link "A"', '- see e1 button "X"']);
    const after = snapshotOf(['e1 link "A"', '- see e1 button "Y"']);
    expect(diffSnapshots(before, after).text).toBe('*- see e1 button "Y"\ngone: - see e1 button "X"');
  });

  test('is told in the time that a large page takes to be read', () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => ` row | e${index} link "Row ${index}"`);
    const moved = ['table', ...lines.slice(20_000), ...lines.slice(0, 20_000)];
    const { text } = diffSnapshots(snapshotOf(['table', ...lines]), snapshotOf(moved));
    expect(text.split('\n')).toHaveLength(20_001);
  });
});

describe('what a model is shown next', () => {
  const rows = Array.from({ length: 20 }, (_, index) => `e${index} link "Row ${index}"`);

  test('is what changed', () => {
    const after = snapshotOf([...rows, 'e99 link "New"']);
    expect(nextObservation(snapshotOf(rows), after)).toEqual({ kind: 'changes', text: '*e99 link "New"' });
  });

  test('is the page when more than half of it changed', () => {
    const after = snapshotOf(rows.map((row) => row.replace('Row', 'Line')));
    expect(nextObservation(snapshotOf(rows), after)).toEqual({ kind: 'page', text: after.text });
  });

  test('is the page when it is another document, also one of the same text', () => {
    const after = snapshotOf(rows, { of: {} as typeof world });
    expect(nextObservation(snapshotOf(rows), after).kind).toBe('page');
  });

  test('says that nothing changed', () => {
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
])('the longest rise among %j', (numbers, places) => {
  expect([...longestRise(numbers)].toSorted((a, b) => a - b)).toEqual(places);
});
