import { describe, expect, test } from 'vitest';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { ask, element, line } from './ask-model.ts';

/** Years, people under the heading of their state, and a footer. */
const SITE: readonly SnapshotNode[] = [
  line('heading', 'Our story', [], 1),
  line('heading', 'Online', [], 4),
  line('text', 'Ada Byron'),
  line('heading', 'Offline', [], 4),
  line('text', 'Bob Stone'),
  line('heading', '2009-2011', [], 4),
  line('text', 'The first years'),
  line('heading', 'Get in touch', [], 4),
  line('contentinfo', 'Copyright 2023 - Company Name'),
];
const CODE = [line('text', 'setup({ speed: 300, cursor: true });')];
const PASSPORT: readonly SnapshotNode[] = [
  { ...element('place', 'combobox', 'Where is your passport from?'), value: 'Norway' },
];
const SKINS = [line('text', 'iCheck skins: 6')];

describe('extract', () => {
  test.each([
    ['a fragment of code', 'the setup speed', 'speed', CODE],
    ['a label without the name of the field', 'the version of iCheck', 'version', SKINS],
    ['a country for a passport number', 'read the passport number', 'passport_number', PASSPORT],
    ['a range of years for a phone number', 'the phone number', 'phone', SITE],
    ['a heading above the footer', 'the name of the company', 'name', SITE],
    ['the words of the question', 'who is offline', 'name', SITE],
  ])('does not answer with %s', async (_what, instruction, field, nodes) => {
    await expect(ask('extract', instruction, { nodes, schema: oneField(field) })).rejects.toMatchObject({
      code: 'EXTRACT',
    });
  });
});

/** Controls with values, and schools of which others are mentioned elsewhere. */
const PROFILE: readonly SnapshotNode[] = [
  line('heading', 'Profile', [], 1),
  { ...element('user', 'textbox', 'Username'), value: 'michael23' },
  line('text', 'Theme:'),
  { ...element('theme', 'combobox', ''), value: 'flat', options: ['flat', 'roman'] },
  { ...element('car', 'combobox', 'Hello from the old placeholder'), value: 'Saab', options: ['Saab'] },
  { ...element('tick', 'checkbox', 'Option 1'), states: ['unchecked'] },
  line('text', 'City: Bonn'),
  line('heading', 'Schools', [], 2),
  line('heading', 'University of Colorado', [], 3),
  line('text', 'GPA: 3.23'),
  line('heading', 'High School', [], 3),
  line('text', 'GPA: 3.56'),
  line('heading', 'Motto', [], 3),
  line('text', 'Everything is relative.'),
  line('heading', 'Awards', [], 2),
  line('list', '', [
    line('listitem', 'University of Colorado, 2009'),
    line('listitem', 'University of Colorado, 2008'),
  ]),
];

/** A table whose column is called by two words. */
const USERS: readonly SnapshotNode[] = [
  line('table', '', [
    line('row', '', [line('columnheader', 'Name'), line('columnheader', 'Date registered')]),
    line('row', '', [line('cell', 'Ada Byron'), line('cell', '2012/01/21')]),
    line('row', '', [line('cell', 'Bob Stone'), line('cell', '2012/02/01')]),
  ]),
];

describe('extract with a schema of one field', () => {
  test.each([
    ['the current username in the form', 'username', PROFILE, 'michael23'],
    ['the currently selected theme', 'theme', PROFILE, 'flat'],
    ['GPA at the University of Colorado', 'gpa', PROFILE, '3.23'],
    ['the sentence under Motto', 'text', PROFILE, 'Everything is relative.'],
    ['On which date was Ada Byron registered?', 'date', USERS, '2012/01/21'],
  ])('answers "%s"', async (instruction, field, nodes, value) => {
    expect((await ask('extract', instruction, { nodes, schema: oneField(field) })).output).toEqual({ [field]: value });
  });

  test.each([
    ['a current setting that only a text mentions', 'the current city', 'city', PROFILE],
    ['the state of a checkbox', 'the selected option', 'option', PROFILE],
    ['a label with many other words', 'the placeholder', 'placeholder', PROFILE],
    ['a column with another name', 'on which date was Ada Byron deleted?', 'date', USERS],
    ['a missing school', 'the GPA at Harvard', 'gpa', PROFILE],
  ])('refuses %s: %s', async (_what, instruction, field, nodes) => {
    await expect(ask('extract', instruction, { nodes, schema: oneField(field) })).rejects.toMatchObject({
      code: 'EXTRACT',
    });
  });
});

test('extract without a schema refuses a value whose label has many other words', async () => {
  await expect(ask('extract', 'the placeholder', { nodes: PROFILE })).rejects.toMatchObject({ code: 'EXTRACT' });
});

function oneField(name: string): object {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

/** A table whose rows have a key, offers with one or two prices, and a contact with two addresses. */
const REFERENCE: readonly SnapshotNode[] = [
  line('heading', 'Operations', [], 2),
  line('table', '', [
    line('row', '', [line('columnheader', 'Operation'), line('columnheader', 'Description')]),
    line('row', '', [line('cell', 'show'), line('cell', 'Show the picker')]),
    line('row', '', [line('cell', 'remove'), line('cell', 'Remove the picker')]),
  ]),
  line('list', '', [
    line('listitem', '', [element('bundle', 'link', 'Starter Bundle 4.7 · 920 $49')]),
    line('listitem', '', [element('sale', 'link', 'Sale Set 4.1 · 12 $40 $30')]),
  ]),
  line('heading', 'Contact', [], 2),
  line('text', 'sales@shop.test or help@shop.test'),
];

describe('extract without a schema', () => {
  test.each([
    ['the key of the requested row', 'what does the operation remove do?'],
    ['one of two prices', 'the price of the Sale Set'],
    ['one of two addresses in a text', 'the email address'],
  ])('does not answer with %s', async (_what, instruction) => {
    await expect(ask('extract', instruction, { nodes: REFERENCE })).rejects.toMatchObject({ code: 'EXTRACT' });
  });

  test('assigns a currency sign to the amount after it, not to the number before it', async () => {
    const { output } = await ask('extract', 'the price of the Starter Bundle', { nodes: REFERENCE });
    expect(output).toEqual({ extraction: '$49' });
  });
});
