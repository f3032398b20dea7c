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
  ['the only sameNameElement, wherever it is', sought(), [candidate('/a')], '/a'],
  ['nothing when there is no sameNameElement', sought(), [], undefined],
  ['nothing in another frame', sought(), [candidate('/a', {}, 'https://other.example/')], undefined],
  [
    'the sameNameElement in the section of the same name',
    sought({ sections: ['Billing'] }),
    [candidate('/a', { sections: ['Profile'] }), candidate('/b', { sections: ['Billing'] })],
    '/b',
  ],
  [
    'nothing when its section is gone',
    sought({ sections: ['Billing'] }),
    [candidate(HERE, { sections: ['Profile'] })],
    undefined,
  ],
  [
    'nothing when it was in no section and the sameNameElement is in one',
    sought(),
    [candidate(HERE, { sections: ['Danger zone'] })],
    undefined,
  ],
  [
    'what its instruction names, in a section that has come around it',
    sought({ name: 'Add the blue mug' }, 'add the blue mug'),
    [candidate('/a', { name: 'Add the blue mug', sections: ['On sale'] })],
    '/a',
  ],
  [
    'a card by its heading when other texts of it changed',
    sought({ sections: ['Blue mug'], isTitled: true, row: ['12.00'] }, 'add it'),
    [candidate('/a', { sections: ['Blue mug'], isTitled: true, row: ['13.50', 'new'] })],
    '/a',
  ],
  [
    'no card of its heading without what the instruction speaks of',
    sought({ sections: ['Blue mug'], isTitled: true, row: ['Large'] }, 'add the large blue mug'),
    [candidate('/a', { sections: ['Blue mug'], isTitled: true, row: ['Small'] })],
    undefined,
  ],
  [
    'nothing in a section that has come around it, when one word is all that names it',
    sought({ name: 'Settings' }, 'open the settings'),
    [candidate('/a', { name: 'Settings', sections: ['Billing'] })],
    undefined,
  ],
  [
    'what its instruction names, in another landmark',
    sought({ name: 'Cart', landmark: 'navigation' }, 'open the cart'),
    [candidate('/a', { name: 'Cart', landmark: 'banner' })],
    '/a',
  ],
  [
    'nothing in another landmark than the one that the instruction speaks of',
    sought({ name: 'Help', landmark: 'navigation' }, 'click Help in the navigation'),
    [candidate(HERE, { name: 'Help', landmark: 'contentinfo' })],
    undefined,
  ],
  [
    'nothing that is open already',
    sought({ opening: 'collapsed' }),
    [candidate(HERE, { opening: 'expanded' })],
    undefined,
  ],
  [
    'nothing when a smaller section has come between',
    sought({ sections: ['Invoice'] }),
    [candidate(HERE, { sections: ['Comments', 'Invoice'] })],
    undefined,
  ],
  [
    'the sameNameElement in the same row, whatever the order of its texts',
    sought({ row: MUG }),
    [candidate('/a', { row: ['Red mug', '12.00', 'in stock'] }), candidate('/b', { row: MUG.toReversed() })],
    '/b',
  ],
  [
    'a row that changed in what the instruction does not mention',
    sought({ row: MUG }, 'add the blue mug to the cart'),
    [candidate('/a', { row: ['Blue mug', '13.50', 'in stock'] })],
    '/a',
  ],
  [
    'nothing when the row changed in what the instruction speaks of',
    sought({ row: MUG }, 'add the blue mug to the cart'),
    [candidate(HERE, { row: ['Red mug', '12.00', 'in stock'] })],
    undefined,
  ],
  [
    'nothing when the row changed and the instruction speaks of no word of it',
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
    'the equal row before one that is like it',
    sought({ row: MUG }, 'add the blue mug'),
    [candidate('/a', { row: ['Blue mug', '13.50', 'in stock'] }), candidate('/b', { row: MUG })],
    '/b',
  ],
  ['nothing when two fit alike', sought(), [candidate('/a'), candidate('/b')], undefined],
  [
    'the one with the same attribute of two that fit alike',
    sought({ attributes: { 'data-testid': 'add-mug' } }),
    [
      candidate('/a', { attributes: { 'data-testid': 'add-cup' } }),
      candidate('/b', { attributes: { 'data-testid': 'add-mug' } }),
    ],
    '/b',
  ],
  [
    'the one in the same landmark of two that fit alike',
    sought({ landmark: 'navigation' }),
    [candidate('/a', { landmark: 'contentinfo' }), candidate('/b', { landmark: 'navigation' })],
    '/b',
  ],
  [
    'the one in its place of as many alike as before',
    sought({ alike: { place: 0, count: 2 } }),
    [candidate(HERE, { alike: { place: 0, count: 2 } }), candidate('/b', { alike: { place: 1, count: 2 } })],
    HERE,
  ],
  [
    'nothing in its place when one more has come',
    sought({ alike: { place: 0, count: 2 } }),
    [candidate(HERE), candidate('/b'), candidate('/c')],
    undefined,
  ],
  [
    'the one of two with what was around the only one',
    sought({ surroundings: [['Task A'], ['Tasks']] }),
    [
      candidate(HERE, { surroundings: [['Task B'], ['Task A']], alike: { place: 0, count: 2, own: 1 } }),
      candidate('/b', { surroundings: [['Task A'], ['Task B']], alike: { place: 1, count: 2, own: 1 } }),
    ],
    '/b',
  ],
  [
    'nothing of two in place of the only one when nothing is around either',
    sought({ surroundings: [['Tasks']] }),
    [
      candidate(HERE, { surroundings: [['Tasks']], alike: { place: 0, count: 2, own: 0 } }),
      candidate('/b', { surroundings: [['Tasks']], alike: { place: 1, count: 2, own: 0 } }),
    ],
    undefined,
  ],
  [
    'nothing of two by a number in an attribute, which another one may have got',
    sought({ attributes: { id: 'delete-0' }, surroundings: [['Task A']] }),
    [
      candidate(HERE, { attributes: { id: 'delete-0' }, alike: { place: 0, count: 2, own: 0 } }),
      candidate('/b', { attributes: { id: 'delete-1' }, alike: { place: 1, count: 2, own: 0 } }),
    ],
    undefined,
  ],
  [
    'nothing when of two only that is left which was around the other',
    sought({ surroundings: [['Task A'], ['Task B']], alike: { place: 0, count: 2, own: 1 } }),
    [candidate(HERE, { surroundings: [['Task B'], ['Tasks']] })],
    undefined,
  ],
  [
    'the row that an only box has become beside another one',
    sought({ surroundings: [['Task A'], ['Tasks']] }),
    [candidate(HERE, { row: ['Task B'] }), candidate('/b', { row: ['Task A'] })],
    '/b',
  ],
  [
    'what an entry from before what is around was kept has in its place',
    sought({ alike: { place: 0, count: 2 } }),
    [
      candidate(HERE, { surroundings: [['Task A']], alike: { place: 0, count: 2, own: 1 } }),
      candidate('/b', { surroundings: [['Task B']], alike: { place: 1, count: 2, own: 1 } }),
    ],
    HERE,
  ],
  ['nothing in another column', sought({ column: 'Read' }), [candidate('/a', { column: 'Write' })], undefined],
  [
    'nothing under another title of the page',
    sought({ title: 'Draft' }),
    [candidate(HERE, { title: 'Account' })],
    undefined,
  ],
  [
    'a name whose count has changed',
    sought({ name: 'Cart (2)' }, 'open the cart'),
    [candidate('/a', { name: 'Cart (3)' })],
    '/a',
  ],
  [
    'nothing when the count is what was asked for',
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
  ['nothing by position when it has moved', sought({}, 'click the second button'), [candidate('/a')], undefined],
  ['what was chosen by position where it was', sought({}, 'click the second button'), [candidate(HERE)], HERE],
  [
    'a moved field whose name has a word of position',
    sought({ role: 'textbox', name: 'Last name' }, 'fill in the last name'),
    [candidate('/a', { role: 'textbox', name: 'Last name' })],
    '/a',
  ],
  [
    'a picture without a name by what it is drawn with',
    sought({ name: '', icon: 'M0 0h24' }),
    [candidate('/a', { name: '', icon: 'M0 0h24' })],
    '/a',
  ],
  [
    'what has no name by its attributes',
    sought({ name: '', attributes: { name: 'q' } }),
    [candidate('/a', { name: '', attributes: { name: 'q' } })],
    '/a',
  ],
  [
    'nothing without a name when its attributes are others',
    sought({ name: '', attributes: { name: 'q' } }),
    [candidate(HERE, { name: '', attributes: { name: 'zip' } })],
    undefined,
  ],
  [
    'nothing without name and attributes that has moved',
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
