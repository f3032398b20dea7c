import { describe, expect, test } from 'vitest';
import type { StepAnswer } from '../../src/model/model-client.ts';
import { LexicalModel } from '../../src/offline/lexical-model.ts';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { TOOLS } from '../../src/tools/table.ts';
import { ask, element, line, refsOf, stepFor } from './ask-model.ts';

/** Links of one address, a card whose picture and title are links, and two series of photos. */
const CARDS: readonly SnapshotNode[] = [
  line('heading', 'Settings', [], 1),
  line('heading', 'General', [], 4),
  toPage('general', 'Change setting', '/detail'),
  line('heading', 'Security', [], 4),
  toPage('security', 'Change setting', '/detail'),
  { ...toPage('picture', 'Blue mug', '/mug'), children: [line('img', 'Blue mug')] },
  line('heading', 'Blue mug', [toPage('title', 'Blue mug', '/mug')], 4),
  line('heading', 'Elastic', [], 3),
  toPage('elastic-1', 'Photo A', '/a'),
  toPage('elastic-2', 'Photo B', '/b'),
  line('heading', 'Fade', [], 3),
  toPage('fade-1', 'Photo A', '/a'),
  toPage('fade-2', 'Photo B', '/b'),
];

function toPage(ref: string, name: string, path: string): SnapshotNode {
  return { ...element(ref, 'link', name), url: `https://shop.test${path}` };
}

describe('links with the same name or URL', () => {
  test.each(['click Change setting', 'open Photo A', 'click the second photo', 'change the billing settings'])(
    'refuses "%s"',
    async (instruction) => {
      expect((await stepFor(instruction, CARDS)).action).toBeNull();
    },
  );

  test.each([
    ['open the blue mug', 'picture'],
    ['click Change setting under Security', 'security'],
    ['click the second photo under Fade', 'fade-2'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, CARDS)).action).toMatchObject({ ref });
  });
});

const SEARCHES: readonly SnapshotNode[] = [
  element('site', 'searchbox', 'Search'),
  { ...element('mail', 'textbox', ''), placeholder: 'Search mail' },
];
const DIALOG = [...SEARCHES, line('dialog', 'Add people', [element('people', 'searchbox', 'Search')])];

describe('search field', () => {
  test.each(['type mugs into the search box', 'search for mugs', 'click the search field'])(
    'reports "%s" as ambiguous when the page has two search fields',
    async (instruction) => {
      const { action, outcome } = await stepFor(instruction, SEARCHES);
      expect({ action, outcome }).toEqual({ action: null, outcome: 'ambiguous' });
    },
  );

  test('does not use an unnamed text field as a search field', async () => {
    expect((await stepFor('type mugs into the search field', [element('name', 'textbox', '')])).action).toBeNull();
  });

  test.each([
    ['type mugs into the mail search', SEARCHES, 'mail'],
    ['type ada into the search box', DIALOG, 'people'],
    ['type mugs into the search box', SEARCHES.slice(0, 1), 'site'],
  ])('resolves "%s"', async (instruction, nodes, ref) => {
    expect((await stepFor(instruction, nodes)).action).toMatchObject({ ref });
  });
});

/** A native select beside the control that shows its value, and a text field that only takes keys for another one. */
const WIDGETS: readonly SnapshotNode[] = [
  line('heading', 'Car', [], 3),
  { ...element('native', 'combobox', ''), options: ['Select', 'Volvo'], value: 'Select' },
  { ...element('shown', 'generic', 'Select'), states: ['clickable'] },
  line('heading', 'Fruit', [], 3),
  {
    ...element('fruit', 'generic', ''),
    states: ['clickable'],
    children: [line('text', 'Pear'), element('keys', 'textbox', '')],
  },
  element('save', 'button', 'Save'),
];

describe('control that represents another one', () => {
  test.each([
    ['open the dropdown that shows Select', ['shown']],
    ['the Save dropdown', []],
  ])('observe returns for "%s" the elements %j', async (instruction, refs) => {
    expect(await refsOf(instruction, WIDGETS)).toEqual(refs);
  });

  test('does not type into a helper field of another control', async () => {
    expect((await stepFor('type Plum into the field under Fruit', WIDGETS)).action).toBeNull();
  });
});

/** An order of which one text tells several things, and a heading that names none of them. */
const ORDER: readonly SnapshotNode[] = [
  line('heading', 'Account pages', [], 3),
  line('text', 'Order ID: 4F3S8J Payment due: 2/22/2014 Account: 968-34567'),
  line('text', 'Status: open'),
  line('text', 'Free delivery over $50.'),
];
const NAMELESS = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

describe('extract', () => {
  test.each(['the order ID', 'the company name', 'the product status', 'the name of the owner'])(
    'does not guess %s',
    async (instruction) => {
      for (const schema of [undefined, NAMELESS])
        await expect(ask('extract', instruction, { nodes: ORDER, ...(schema && { schema }) })).rejects.toMatchObject({
          code: 'EXTRACT',
        });
    },
  );

  test('reads a field with a generic name like an answer without a schema', async () => {
    expect((await ask('extract', 'the status', { nodes: ORDER, schema: NAMELESS })).output).toEqual({ answer: 'open' });
  });

  test('reads the page title only when the main heading equals it', async () => {
    const nodes = [line('heading', 'Shop', [], 1)];
    expect((await ask('extract', 'the page title', { nodes })).output).toEqual({ extraction: 'Shop' });
    const other = ask('extract', 'the page title', { nodes: [line('heading', 'Basket', [], 1)] });
    await expect(other).rejects.toMatchObject({ code: 'EXTRACT' });
  });
});

const PROFILE: readonly SnapshotNode[] = [
  line('group', '', [
    element('name', 'textbox', 'First name'),
    element('company', 'textbox', 'Company'),
    line('text', 'City'),
    { ...element('city', 'combobox', 'Place'), options: ['Bonn', 'Paris'], value: 'Bonn' },
  ]),
];
const TWO_FORMS: readonly SnapshotNode[] = [
  line('form', 'Newsletter', [element('mail', 'textbox', 'E-mail'), element('first', 'textbox', 'First name')]),
  line('form', 'Contact', [element('send', 'button', 'Send')]),
];

describe('agent', () => {
  test.each([
    'fill in Krakow for the city and Anna for the first name',
    'fill the form with first name Anna and city Krakow',
  ])('does not fill a field with another name: %s', async (instruction) => {
    expect(filled(await firstStep(instruction, PROFILE))).not.toContain('company');
  });

  test('does not submit a form with the button of another form', async () => {
    const instruction = 'subscribe ada@shop.test to the e-mail';
    expect(JSON.stringify((await firstStep(instruction, TWO_FORMS)).calls)).not.toContain('"send"');
  });
});

function filled({ calls }: StepAnswer): string {
  return JSON.stringify(calls);
}

async function firstStep(instruction: string, nodes: readonly SnapshotNode[]): Promise<StepAnswer> {
  const { output } = await new LexicalModel().generate({
    verb: 'agent',
    instruction,
    page: { url: 'https://shop.test/', title: 'Shop', text: '', nodes },
    variables: [],
    messages: [],
    tools: TOOLS,
    schema: {},
    schemaName: 'agent_step',
    signal: new AbortController().signal,
  });
  return output as StepAnswer;
}

/** Values over their labels, values under theirs, a row of three cells and one that does not fit its headers. */
const FIGURES: readonly SnapshotNode[] = [
  line('list', '', [line('text', '187'), line('text', 'Projects'), line('text', '24'), line('text', 'Tasks')]),
  line('group', '', [line('text', 'Visits'), line('text', '12'), line('text', 'Sales'), line('text', '$9')]),
  line('table', '', [line('row', '', [line('cell', 'Mug'), line('cell', 'Kettle'), line('cell', 'Tray')])]),
  line('table', '', [
    line('row', '', [line('columnheader', 'Name'), line('columnheader', 'Stock'), line('columnheader', 'Weight')]),
    line('row', '', [line('cell', 'Lamp'), line('cell', '3')]),
  ]),
];

describe('values next to labels', () => {
  test.each(['the number of projects', 'projects', 'the mug', 'the stock of the lamp'])(
    'does not read "%s" from a neighbor',
    async (instruction) => {
      await expect(ask('extract', instruction, { nodes: FIGURES })).rejects.toMatchObject({ code: 'EXTRACT' });
    },
  );

  test.each([
    ['the visits', '12'],
    ['the sales', '$9'],
  ])('reads "%s" as %s', async (instruction, extraction) => {
    expect((await ask('extract', instruction, { nodes: FIGURES })).output).toEqual({ extraction });
  });
});

/** Messages with a button each, in a part of the page without a name that can take the focus. */
const MAILBOX: readonly SnapshotNode[] = [
  {
    ...element('main', 'main', ''),
    children: [
      element('find', 'textbox', 'Search conversations'),
      line('text', 'Ada Byron'),
      line('listbox', 'Messages', [
        { ...element('first', 'option', 'Star Bob Stone Lunch'), children: [element('star', 'button', 'Star')] },
      ]),
      {
        ...element('start', 'link', 'Getting started Set up your space and invite people.'),
        url: 'https://shop.test/start',
      },
      element('filter', 'button', 'Getting started'),
      { ...element('cards', 'link', 'Cards'), url: 'https://shop.test/cards' },
    ],
  },
];
/** Fields whose placeholders or labels share a word, and one that is named by an example. */
const NAMES: readonly SnapshotNode[] = [
  { ...element('user', 'textbox', 'Text Box'), placeholder: 'User name' },
  { ...element('real', 'textbox', 'Text Box'), placeholder: 'Real name' },
  element('company', 'textbox', 'Company'),
  line('text', 'Company'),
  element('other', 'textbox', 'ACME Inc.'),
  element('phone', 'textbox', 'Phone'),
];

describe('names that match several elements', () => {
  test.each([
    ['a row named by its buttons', 'star the message from Bob Stone', MAILBOX],
    ['an unnamed region named by its text', 'open the conversation with Ada Byron', MAILBOX],
    ['a title that a card and a button share', 'click Getting started', MAILBOX],
    ['a part of two names', 'fill in the name with Ada', NAMES],
    ['the label of a field that shows an example', 'type Globex into the company field', NAMES],
  ])('refuses %s: %s', async (_what, instruction, nodes) => {
    expect((await stepFor(instruction, nodes)).action).toBeNull();
  });

  test.each([
    ['type ada_l into the user name field', NAMES, 'user'],
    ['type 123 into the phone field', NAMES, 'phone'],
    ['click the Getting started button', MAILBOX, 'filter'],
    ['open "Bob Stone Lunch"', MAILBOX, 'first'],
  ])('resolves "%s"', async (instruction, nodes, ref) => {
    expect((await stepFor(instruction, nodes)).action).toMatchObject({ ref });
  });

  test('does not follow a link that only shares a word with the location', async () => {
    const { calls } = await firstStep('open the dotted menu on the sales card', MAILBOX);
    expect(JSON.stringify(calls)).not.toContain('"cards"');
  });
});
