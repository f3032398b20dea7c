import { describe, expect, test } from 'vitest';
import { ExtractError } from '../../src/errors.ts';
import type { ActAnswer, ModelResponse, ModelVerb, ObserveAnswer } from '../../src/model/model-client.ts';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { ask as askModel, element, line, stepFor as answerTo } from './ask-model.ts';

function card(ref: string, name: string, price: string): SnapshotNode {
  return line('listitem', '', [
    line('heading', name, [], 2),
    line('text', price),
    element(ref, 'button', 'Add to cart'),
  ]);
}

/** A page of two mugs and a small form. */
const MUGS: readonly SnapshotNode[] = [
  line('heading', 'Mugs', [], 1),
  element('search', 'searchbox', 'Search'),
  element('send', 'button', 'Submit'),
  line('list', '', [card('red', 'Red mug', '€9.50'), card('blue', 'Blue mug', '€12.00')]),
  line('form', '', [element('name', 'textbox', 'First name'), element('wrap', 'checkbox', 'Gift wrap')]),
];

/** An office page: a menu, a link to a file, messages whose buttons stand between texts, and a field twice. */
const OFFICE: readonly SnapshotNode[] = [
  line('navigation', '', [element('widgets', 'link', 'Widgets'), element('nested', 'link', 'Nested page')]),
  line('heading', 'Widgets', [], 1),
  line('text', 'Staff'),
  { ...element('licence', 'link', 'MIT'), url: 'https://office.test/LICENSE.txt' },
  { ...element('report', 'link', 'Annual report'), url: 'https://office.test/2026.pdf' },
  line('heading', 'Messages', [], 2),
  line('text', 'The plain message'),
  element('first', 'button', '×'),
  line('text', 'The second message'),
  element('second', 'button', '×'),
  line('text', 'The third message'),
  line('heading', 'Company', [], 2),
  { ...element('locked', 'textbox', 'Company'), states: ['disabled'] },
  element('open', 'textbox', 'Company'),
];

function entry(ref: string, name: string, url: string): SnapshotNode {
  return line('listitem', '', [line('text', name), { ...element(ref, 'link', 'Edit'), url }]);
}

/** A list in which each entry has a link of the same name. */
function entries(addressOf: (number: number) => string): readonly SnapshotNode[] {
  return [line('list', '', [entry('one', 'Ann', addressOf(1)), entry('two', 'Ann', addressOf(2))])];
}

function ask(
  verb: ModelVerb,
  instruction: string,
  { schema, nodes = MUGS }: { schema?: object; nodes?: readonly SnapshotNode[] } = {},
): Promise<ModelResponse> {
  return askModel(verb, instruction, { nodes, ...(schema && { schema }) });
}

function stepFor(instruction: string, nodes: readonly SnapshotNode[] = MUGS): Promise<ActAnswer> {
  return answerTo(instruction, nodes);
}

/** A page of an application: lists of a navigation, people in cards, a select with a choice for all, and two products of one address. */
/** Numbers that are no choices, and the key of a pair in an editor. */
const NUMBERS: readonly SnapshotNode[] = [
  element('mail', 'link', 'Mailbox 12 16'),
  { ...element('size', 'combobox', 'Size'), options: ['option 1', 'option 2'], value: 'option 1' },
  line('menu', '', [element('one', 'menuitem', 'Item 1'), element('two', 'menuitem', 'Item 2')]),
  line('grid', '', [element('day', 'link', '6')]),
  { ...element('key', 'generic', 'Gender'), value: 'gender', states: ['editable'] },
];

describe('names that contain a number', () => {
  test.each([
    ['Choose Item 2 from the menu', { ref: 'two', method: 'click' }],
    ['Set the Size dropdown to option 2', { ref: 'size', method: 'select', arguments: ['option 2'] }],
  ])('resolves "%s"', async (instruction, action) => {
    expect((await stepFor(instruction, NUMBERS)).action).toMatchObject(action);
  });

  test.each(['Choose Item 6 from the menu', 'Set the Size dropdown to option 12', "set the gender to 'robot'"])(
    'refuses "%s"',
    async (instruction) => {
      expect((await stepFor(instruction, NUMBERS)).action).toBe(null);
    },
  );
});

const TEAM: readonly SnapshotNode[] = [
  line('navigation', '', [element('starred', 'button', 'Starred'), element('sales', 'link', 'Sales')]),
  line('heading', 'Files', [], 1),
  line('text', '5 projects · 1 at risk'),
  element('new', 'button', 'New project'),
  element('messages', 'button', 'Messages'),
  { ...element('role', 'combobox', 'Filter by role'), options: ['All roles', 'Owner'], value: 'All roles' },
  element('mail', 'textbox', 'Email'),
  element('note', 'textbox', 'Note'),
  { ...element('mug', 'link', 'Sale Blue mug €12'), url: 'https://shop.test/detail' },
  { ...element('tray', 'link', 'Sale Red tray €9'), url: 'https://shop.test/detail' },
  line('list', '', [person('ada', 'Ada Byron'), person('bob', 'Bob Stone')]),
  line('grid', '', [element('seven', 'generic', '7')]),
];

function person(ref: string, name: string): SnapshotNode {
  return line('listitem', '', [
    element(`${ref}-name`, 'link', name),
    element(`${ref}-mail`, 'link', 'Email'),
    element(`${ref}-message`, 'button', 'Message'),
  ]);
}

describe('act with an instruction whose words all match', () => {
  test.each([
    ['add the red mug to the cart', 'red', 'click'],
    ['add the blue mug to the cart for me, please', 'blue', 'click'],
    ['click Add to cart in the row of Blue mug', 'blue', 'click'],
    ['type "Ada" into First name', 'name', 'fill'],
    ['tick Gift wrap', 'wrap', 'check'],
    ['click the second Add to cart button', 'blue', 'click'],
  ])('resolves "%s" to %s', async (instruction, ref, method) => {
    expect((await stepFor(instruction)).action).toMatchObject({ ref, method });
  });
});

describe('act with words that do not match', () => {
  test.each([
    ['a role that does not fit', 'click the picture of the red mug', 'picture'],
    ['a checkbox called a link', 'click the Gift wrap link', 'link'],
    ['a negation', 'do not add the red mug to the cart', 'do not'],
    ['an exception', 'add everything except the red mug to the cart', 'except'],
    ['a missing row', 'add the green mug to the cart', 'green'],
    ['a quantity', 'add two red mugs to the cart', 'two'],
    ['a superlative', 'add the cheapest mug to the cart', 'cheapest'],
    ['a second step', 'type mugs into Search and press Submit', 'press Submit'],
    ['a value without its text', 'type my name into First name', 'my name'],
  ])('refuses %s and names the words: %s', async (_kind, instruction, word) => {
    const { action, reason } = await stepFor(instruction);
    expect(action).toBeNull();
    expect(reason).toContain(JSON.stringify(word));
  });

  test('refuses a path whose steps are not on the page', async () => {
    expect((await stepFor('Select A>B')).action).toBeNull();
  });

  test.each([
    ['with a javascript: URL', (): string => 'javascript:;'],
    ['with the URL "#!"', (): string => '#!'],
    ['with a different URL', (number: number): string => `/edit/${number}`],
  ])('reports two matching links as ambiguous, each %s', async (_where, addressOf) => {
    expect(await stepFor('edit Ann', entries(addressOf))).toMatchObject({ action: null, outcome: 'ambiguous' });
  });

  test('does not match the role word "icon" with the link "Icons"', async () => {
    const picture = [line('img', '')];
    const nodes = [
      { ...element('icons', 'link', 'Icons'), children: picture },
      { ...element('forms', 'link', 'Forms'), children: picture },
    ];
    expect((await stepFor('click the icon', nodes)).action).toBeNull();
    expect((await stepFor('click Icons', nodes)).action).toMatchObject({ ref: 'icons' });
  });

  test('reports several matching elements as ambiguous', async () => {
    expect(await stepFor('add a mug to the cart')).toMatchObject({ action: null, outcome: 'ambiguous' });
  });
});

/** A menu without a landmark, a header with a link of another kind, languages, and a search field. */
const TOP: readonly SnapshotNode[] = [
  line('banner', '', [element('more', 'link', 'Find out more')]),
  element('query', 'searchbox', 'Search'),
  element('c', 'checkbox', 'C/C++'),
];

describe('words without a match on the page', () => {
  test.each(['Click the link of the top menu', 'check C#', 'search for invoice in the top bar'])(
    'refuses "%s"',
    async (instruction) => {
      expect((await stepFor(instruction, TOP)).action).toBe(null);
    },
  );

  test.each([
    ['check C/C++', { ref: 'c' }],
    ['search for invoice', { ref: 'query', arguments: ['invoice'] }],
    ['click the link in the header', { ref: 'more' }],
  ])('resolves "%s"', async (instruction, action) => {
    expect((await stepFor(instruction, TOP)).action).toMatchObject(action);
  });
});

describe('placeholder with an example value', () => {
  const sign = [
    element('first', 'textbox', 'First name'),
    element('last', 'textbox', 'Last name'),
    { ...element('mail', 'textbox', 'Email address'), placeholder: 'name@example.com' },
  ];

  test('does not use the words of the example as a field name', async () => {
    expect((await stepFor('Fill in the name with Ada', sign)).action).toBe(null);
    expect((await stepFor('Fill in the last name with Ada', sign)).action).toMatchObject({ ref: 'last' });
    expect((await stepFor('Type ada@shop.example into the email field', sign)).action).toMatchObject({ ref: 'mail' });
  });
});

describe('matching by the name of an element', () => {
  test.each([
    ['open the Widgets page from the menu', 'widgets'],
    ['download the annual report', 'report'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, OFFICE)).action).toMatchObject({ ref, method: 'click' });
  });

  test.each([
    ['an export of a file that the page does not name', 'Export the staff', 'export'],
    ['a button between two texts', 'close the plain message', 'plain'],
    ['two fields with the same name, one of them disabled', 'set the company to Apple', 'ambiguous'],
  ])('refuses %s: %s', async (_what, instruction, words) => {
    const { action, outcome, reason } = await stepFor(instruction, OFFICE);
    expect(action).toBe(null);
    expect(outcome ?? reason).toContain(words);
  });
});

describe('observe', () => {
  test('returns all elements that match a plural', async () => {
    const { elements } = (await ask('observe', 'the Add to cart buttons')).output as ObserveAnswer;
    expect(elements.map(({ ref }) => ref)).toEqual(['red', 'blue']);
  });

  test.each([
    ['the button that submits', 'send', []],
    ['input for the first name', 'name', []],
  ])('returns one element for "%s"', async (instruction, ref, args) => {
    const { elements } = (await ask('observe', instruction)).output as ObserveAnswer;
    expect(elements).toMatchObject([{ ref, arguments: args }]);
  });

  test('returns a link for a heading only if the heading contains it', async () => {
    const skip = element('skip', 'link', 'Skip to main content');
    const { output } = await ask('observe', 'the main heading of the page', { nodes: [skip] });
    expect(output).toEqual({ elements: [] });
    const heading = line('heading', '', [element('news', 'link', 'Main news')], 2);
    const found = await ask('observe', 'the main news heading', { nodes: [skip, heading] });
    expect(found.output).toMatchObject({ elements: [{ ref: 'news' }] });
  });

  test.each(['the Add to cart button', 'the wish list'])(
    'returns nothing for "%s" and explains why',
    async (instruction) => {
      const { output, remark } = await ask('observe', instruction);
      expect(output).toEqual({ elements: [] });
      expect(remark).toContain(instruction);
    },
  );
});

describe('extract', () => {
  test('reads the named row, not the first one', async () => {
    expect((await ask('extract', 'the price of the Blue mug')).output).toEqual({ extraction: '€12.00' });
  });

  test.each(['the price of the Green mug', 'the price', 'the weight of the Blue mug'])(
    'throws an ExtractError for "%s"',
    async (instruction) => {
      await expect(ask('extract', instruction)).rejects.toThrow(ExtractError);
    },
  );

  test('names a missing required field in the error and omits a missing optional field', async () => {
    const fields = { price: { type: 'number' }, weight: { type: 'string' } };
    const strict = { type: 'object', properties: fields, required: ['price', 'weight'] };
    await expect(ask('extract', 'the Blue mug', { schema: strict })).rejects.toThrow('"weight"');
    const loose = { type: 'object', properties: fields, required: ['price'] };
    expect((await ask('extract', 'the Blue mug', { schema: loose })).output).toEqual({ price: 12 });
  });
});

describe('page with many similar names', () => {
  test.each([
    ['a negation', 'do not email Bob Stone'],
    ['a polite negation', "please don't open the note"],
    ['a list in place of an item in it', 'open the starred file'],
    ['a section in place of a product', 'open the product on sale'],
    ['a filter in place of a field to change', 'change the role of the invited user'],
    ['a button to create a project in place of a project', 'open the project at risk'],
  ])('refuses %s: %s', async (_what, instruction) => {
    expect((await stepFor(instruction, TEAM)).action).toBeNull();
  });

  test.each([
    [
      'a value followed by a sentence after a dash',
      'my email is ada@x.test - put it in the form',
      'no single element matches; words without a match: "ada@x.test - put it in the form".',
    ],
    [
      'a value whose field is missing',
      'fill in acme for the URL',
      'no single element matches; words without a match: "acme for the URL".',
    ],
  ])('refuses %s', async (_what, instruction, reason) => {
    expect(await stepFor(instruction, TEAM)).toMatchObject({ action: null, reason });
  });

  test.each([
    ['email Bob Stone', 'bob-mail'],
    ['open Ada Byron', 'ada-name'],
    ['create a new project', 'new'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, TEAM)).action?.ref).toBe(ref);
  });

  test.each([
    ['the Message buttons on the page', ['ada-message', 'bob-message']],
    ['projects that are at risk', []],
    ['events on April 7', []],
  ])('observe returns for %j the elements %j', async (instruction, refs) => {
    const { elements } = (await ask('observe', instruction, { nodes: TEAM })).output as ObserveAnswer;
    expect(elements.map(({ ref }) => ref)).toEqual(refs);
  });
});

/** A table of prices with two clickable cells in each row, two pictures, and a slider. */
const PRICES: readonly SnapshotNode[] = [
  line('table', '', [
    line('row', '', [line('columnheader', 'Fruit'), line('columnheader', 'Price'), line('columnheader', 'Stock')]),
    line('row', '', [line('cell', 'Pears'), element('pears', 'cell', '2.50'), element('stock', 'cell', '12')]),
    line('row', '', [line('cell', 'Plums'), element('plums', 'cell', '3.10'), element('none', 'cell', '0')]),
  ]),
  element('mug', 'img', 'A red mug'),
  element('jug', 'img', 'A blue jug'),
  element('hue', 'slider', 'Hue'),
];

describe('cells, images and sliders', () => {
  test.each([
    ['double-click the price of Pears', { ref: 'pears', method: 'doubleClick' }],
    ['click the stock of Plums', { ref: 'none', method: 'click' }],
    ['click the picture of the red mug', { ref: 'mug', method: 'click' }],
    ['click the photo of the jug', { ref: 'jug', method: 'click' }],
    ['drag the hue slider to 120', { ref: 'hue', method: 'fill', arguments: ['120'] }],
  ])('resolves "%s"', async (instruction, action) => {
    expect((await stepFor(instruction, PRICES)).action).toMatchObject(action);
  });

  test.each(['click the price', 'click the price of Apples', 'click the picture of the green mug'])(
    'refuses "%s"',
    async (instruction) => {
      expect((await stepFor(instruction, PRICES)).action).toBeNull();
    },
  );
});
