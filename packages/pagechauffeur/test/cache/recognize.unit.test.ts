import { expect, test } from 'vitest';
import type { Fingerprint } from '../../src/injected/contract.ts';
import { type FoundCandidate, recognize, type RecognitionQuery } from '../../src/replay/recognize.ts';

function fingerprint(facts: Partial<Fingerprint> = {}): Fingerprint {
  return {
    role: 'button',
    name: 'Add',
    xpath: '/html[1]/body[1]/button[1]',
    opening: '',
    attributes: {},
    title: '',
    sections: [],
    landmark: '',
    row: [],
    isTitled: false,
    column: '',
    alike: { place: 0, count: 1 },
    ...facts,
  };
}

function sought(facts: Partial<Fingerprint> = {}, instruction = 'add it'): RecognitionQuery {
  return { frame: '', path: '/html[1]/body[1]/button[1]', fingerprint: fingerprint(facts), instruction };
}

function candidate(path: string, facts: Partial<Fingerprint> = {}, frame = ''): FoundCandidate {
  return { frame, path, fingerprint: fingerprint(facts) };
}

const HERE = '/html[1]/body[1]/button[1]';
const MUG = ['Blue mug', '12.00', 'in stock'];

test.each<
  readonly [title: string, wanted: RecognitionQuery, page: readonly FoundCandidate[], found: string | undefined]
>([
  ['the only element of the same name at another place', sought(), [candidate('/a')], '/a'],
  ['nothing without an element of the same name', sought(), [], undefined],
  ['nothing in another frame', sought(), [candidate('/a', {}, 'https://other.example/')], undefined],
  [
    'the element in the section of the same name',
    sought({ sections: ['Billing'] }),
    [candidate('/a', { sections: ['Profile'] }), candidate('/b', { sections: ['Billing'] })],
    '/b',
  ],
  [
    'nothing when its section is missing',
    sought({ sections: ['Billing'] }),
    [candidate(HERE, { sections: ['Profile'] })],
    undefined,
  ],
  [
    'nothing when the only candidate is in a new section',
    sought(),
    [candidate(HERE, { sections: ['Danger zone'] })],
    undefined,
  ],
  [
    'an element that the instruction names, in a new section',
    sought({ name: 'Add the blue mug' }, 'add the blue mug'),
    [candidate('/a', { name: 'Add the blue mug', sections: ['On sale'] })],
    '/a',
  ],
  [
    'a card by its heading when the rest of it changes',
    sought({ sections: ['Blue mug'], isTitled: true, row: ['12.00'] }, 'add it'),
    [candidate('/a', { sections: ['Blue mug'], isTitled: true, row: ['13.50', 'new'] })],
    '/a',
  ],
  [
    'nothing when the card lacks a word of the instruction',
    sought({ sections: ['Blue mug'], isTitled: true, row: ['Large'] }, 'add the large blue mug'),
    [candidate('/a', { sections: ['Blue mug'], isTitled: true, row: ['Small'] })],
    undefined,
  ],
  [
    'nothing in a new section when the instruction names only one word',
    sought({ name: 'Settings' }, 'open the settings'),
    [candidate('/a', { name: 'Settings', sections: ['Billing'] })],
    undefined,
  ],
  [
    'an element that the instruction names, in another landmark',
    sought({ name: 'Cart', landmark: 'navigation' }, 'open the cart'),
    [candidate('/a', { name: 'Cart', landmark: 'banner' })],
    '/a',
  ],
  [
    'nothing outside the landmark that the instruction names',
    sought({ name: 'Help', landmark: 'navigation' }, 'click Help in the navigation'),
    [candidate(HERE, { name: 'Help', landmark: 'contentinfo' })],
    undefined,
  ],
  [
    'nothing that is already expanded',
    sought({ opening: 'collapsed' }),
    [candidate(HERE, { opening: 'expanded' })],
    undefined,
  ],
  [
    'nothing inside a new inner section',
    sought({ sections: ['Invoice'] }),
    [candidate(HERE, { sections: ['Comments', 'Invoice'] })],
    undefined,
  ],
  [
    'the element in the same row with its cells in another order',
    sought({ row: MUG }),
    [candidate('/a', { row: ['Red mug', '12.00', 'in stock'] }), candidate('/b', { row: MUG.toReversed() })],
    '/b',
  ],
  [
    'a row that changed in a cell that the instruction does not mention',
    sought({ row: MUG }, 'add the blue mug to the cart'),
    [candidate('/a', { row: ['Blue mug', '13.50', 'in stock'] })],
    '/a',
  ],
  [
    'nothing when the row changed in a word of the instruction',
    sought({ row: MUG }, 'add the blue mug to the cart'),
    [candidate(HERE, { row: ['Red mug', '12.00', 'in stock'] })],
    undefined,
  ],
  [
    'nothing when the row changed and the instruction has no word of it',
    sought({ row: MUG }, 'add it to the cart'),
    [candidate(HERE, { row: ['Blue mug', '13.50', 'in stock'] })],
    undefined,
  ],
  [
    'nothing when most of the row changed',
    sought({ row: MUG }, 'add the blue mug'),
    [candidate(HERE, { row: ['Blue mug', '13.50', 'sold out'] })],
    undefined,
  ],
  [
    'the equal row before a similar one',
    sought({ row: MUG }, 'add the blue mug'),
    [candidate('/a', { row: ['Blue mug', '13.50', 'in stock'] }), candidate('/b', { row: MUG })],
    '/b',
  ],
  ['nothing when two candidates match equally', sought(), [candidate('/a'), candidate('/b')], undefined],
  [
    'the one of two equal matches with the same attribute',
    sought({ attributes: { 'data-testid': 'add-mug' } }),
    [
      candidate('/a', { attributes: { 'data-testid': 'add-cup' } }),
      candidate('/b', { attributes: { 'data-testid': 'add-mug' } }),
    ],
    '/b',
  ],
  [
    'the one of two equal matches in the same landmark',
    sought({ landmark: 'navigation' }),
    [candidate('/a', { landmark: 'contentinfo' }), candidate('/b', { landmark: 'navigation' })],
    '/b',
  ],
  [
    'the one at its place when the number of look-alikes is unchanged',
    sought({ alike: { place: 0, count: 2 } }),
    [candidate(HERE, { alike: { place: 0, count: 2 } }), candidate('/b', { alike: { place: 1, count: 2 } })],
    HERE,
  ],
  [
    'nothing at its place when another look-alike appears',
    sought({ alike: { place: 0, count: 2 } }),
    [candidate(HERE), candidate('/b'), candidate('/c')],
    undefined,
  ],
  [
    'the one of two with the surroundings of the former only one',
    sought({ surroundings: [['Task A'], ['Tasks']] }),
    [
      candidate(HERE, { surroundings: [['Task B'], ['Task A']], alike: { place: 0, count: 2, own: 1 } }),
      candidate('/b', { surroundings: [['Task A'], ['Task B']], alike: { place: 1, count: 2, own: 1 } }),
    ],
    '/b',
  ],
  [
    'nothing of two look-alikes without surroundings of their own',
    sought({ surroundings: [['Tasks']] }),
    [
      candidate(HERE, { surroundings: [['Tasks']], alike: { place: 0, count: 2, own: 0 } }),
      candidate('/b', { surroundings: [['Tasks']], alike: { place: 1, count: 2, own: 0 } }),
    ],
    undefined,
  ],
  [
    'nothing of two by a numbered id, which may belong to another element now',
    sought({ attributes: { id: 'delete-0' }, surroundings: [['Task A']] }),
    [
      candidate(HERE, { attributes: { id: 'delete-0' }, alike: { place: 0, count: 2, own: 0 } }),
      candidate('/b', { attributes: { id: 'delete-1' }, alike: { place: 1, count: 2, own: 0 } }),
    ],
    undefined,
  ],
  [
    'nothing when only the other one of two is left',
    sought({ surroundings: [['Task A'], ['Task B']], alike: { place: 0, count: 2, own: 1 } }),
    [candidate(HERE, { surroundings: [['Task B'], ['Tasks']] })],
    undefined,
  ],
  [
    'the row with the surroundings of a former only box',
    sought({ surroundings: [['Task A'], ['Tasks']] }),
    [candidate(HERE, { row: ['Task B'] }), candidate('/b', { row: ['Task A'] })],
    '/b',
  ],
  [
    'the one at its place for an entry without surroundings',
    sought({ alike: { place: 0, count: 2 } }),
    [
      candidate(HERE, { surroundings: [['Task A']], alike: { place: 0, count: 2, own: 1 } }),
      candidate('/b', { surroundings: [['Task B']], alike: { place: 1, count: 2, own: 1 } }),
    ],
    HERE,
  ],
  ['nothing in another column', sought({ column: 'Read' }), [candidate('/a', { column: 'Write' })], undefined],
  [
    'nothing on a page with another title',
    sought({ title: 'Draft' }),
    [candidate(HERE, { title: 'Account' })],
    undefined,
  ],
  [
    'a name with another count',
    sought({ name: 'Cart (2)' }, 'open the cart'),
    [candidate('/a', { name: 'Cart (3)' })],
    '/a',
  ],
  [
    'nothing with another count when the instruction contains the count',
    sought({ name: 'Report (1)' }, 'open report (1)'),
    [candidate('/a', { name: 'Report (2)' })],
    undefined,
  ],
  [
    'the exact name before one with another count',
    sought({ name: 'Report (1)' }, 'open the report'),
    [candidate('/a', { name: 'Report (2)' }), candidate('/b', { name: 'Report (1)' })],
    '/b',
  ],
  [
    'nothing for an instruction by position when the element moves',
    sought({}, 'click the second button'),
    [candidate('/a')],
    undefined,
  ],
  [
    'the element at its place for an instruction by position',
    sought({}, 'click the second button'),
    [candidate(HERE)],
    HERE,
  ],
  [
    'a moved field whose name contains a position word',
    sought({ role: 'textbox', name: 'Last name' }, 'fill in the last name'),
    [candidate('/a', { role: 'textbox', name: 'Last name' })],
    '/a',
  ],
  [
    'an unnamed icon by its drawing',
    sought({ name: '', icon: 'M0 0h24' }),
    [candidate('/a', { name: '', icon: 'M0 0h24' })],
    '/a',
  ],
  [
    'an unnamed element by its attributes',
    sought({ name: '', attributes: { name: 'q' } }),
    [candidate('/a', { name: '', attributes: { name: 'q' } })],
    '/a',
  ],
  [
    'nothing unnamed with other attributes',
    sought({ name: '', attributes: { name: 'q' } }),
    [candidate(HERE, { name: '', attributes: { name: 'zip' } })],
    undefined,
  ],
  [
    'no unnamed element with another type',
    sought({ name: '', role: 'textbox', attributes: { name: 'q', type: 'password' } }),
    [candidate(HERE, { name: '', role: 'textbox', attributes: { name: 'q', type: 'text' } })],
    undefined,
  ],
  [
    'nothing when an unnamed element without attributes moves',
    sought({ name: '' }),
    [candidate('/a', { name: '' })],
    undefined,
  ],
])('recognizes %s', (_title, wanted, page, found) => {
  expect(recognize(wanted, page)?.candidate.path).toBe(found);
});

test('reports the evidence of a match', () => {
  const facts = { sections: ['Shop'], row: MUG, attributes: { id: 'add' } };
  const known = recognize(sought(facts), [candidate('/a', { ...facts, attributes: {} })]);
  expect(known?.reasons).toEqual(['name', 'section', 'row']);
  expect(recognize(sought(facts), [candidate(HERE, facts)])?.reasons).toEqual([
    'name',
    'section',
    'row',
    'attributes',
    'place',
  ]);
});
