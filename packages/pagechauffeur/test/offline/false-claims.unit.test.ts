import { describe, expect, test } from 'vitest';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { element, line, refsOf, stepFor } from './ask-model.ts';

/** Two forms, one with floating labels below its fields; radio buttons and checkboxes of the same names. */
const FORMS: readonly SnapshotNode[] = [
  line('heading', 'Sign in', [], 2),
  { ...element('user', 'textbox', 'Username'), placeholder: 'Username' },
  { ...element('secret', 'textbox', 'Password'), placeholder: 'Password' },
  line('heading', 'Register', [], 2),
  element('new-user', 'textbox', ''),
  line('text', 'Username'),
  element('new-secret', 'textbox', ''),
  line('text', 'Password'),
  line('heading', 'Settings', [], 2),
  line('text', 'Inline radios'),
  element('radio-1', 'radio', 'Option 1'),
  element('radio-2', 'radio', 'Option 2'),
  line('text', 'Checkboxes'),
  element('check-1', 'checkbox', 'Option 1'),
  element('check-3', 'checkbox', 'Option 3'),
];

/** A page of sections; the navigation names some of them. */
const SECTIONS: readonly SnapshotNode[] = [
  line('navigation', '', [element('to-jobs', 'link', 'Education')]),
  line('banner', '', [line('heading', 'Contact me', [], 1)]),
  line('heading', 'Education', [], 2),
  line('text', 'A school'),
  line('heading', 'Homepage', [], 2),
  element('home', 'link', 'https://home.test/'),
  line('heading', 'Repositories', [], 2),
  element('hub', 'link', 'View project on GitHub'),
  element('lab', 'link', 'GitLab'),
  element('guide', 'link', 'Download'),
  line('heading', 'Panels', [], 2),
  { ...element('usage', 'term', 'Usage'), states: ['clickable'] },
  line('form', '', [element('mail', 'textbox', 'E-mail'), element('say', 'textbox', 'Message')]),
  line('heading', 'Offer', [], 5),
  line('text', '$40.00'),
  element('offer', 'link', 'View options'),
  line('heading', 'Other offer', [], 5),
  line('text', '$120.00'),
  element('other', 'link', 'View options'),
  element('sound', 'checkbox', 'Sound'),
  line('contentinfo', '', [element('legal', 'link', 'Legal')]),
];

/** A page with one field, a link whose verb is close to "showing", and what looks like a dropdown. */
const PLUGIN: readonly SnapshotNode[] = [
  line('heading', 'Nice Select', [], 1),
  element('source', 'link', 'View on GitHub'),
  element('heroes', 'button', 'X-Men'),
  { ...element('more', 'link', 'More'), states: ['collapsed'] },
  element('answer', 'textbox', 'Your answer'),
];

/** A shop: a header with icon buttons, a product, a log-in form, and fields whose labels differ in one word. */
const SHOP: readonly SnapshotNode[] = [
  line('banner', '', [element('messages', 'button', 'Messages'), element('orders', 'button', 'Orders')]),
  {
    ...line('region', 'Paid invoices', [
      line('heading', 'Invoice 12', [], 1),
      element('paid', 'button', 'Mark as paid'),
      element('buy', 'button', 'Buy now — $129'),
      line('heading', 'Related', [], 2),
      element('bundle', 'link', 'Starter Bundle 4.7 · 920 $49'),
      element('set', 'link', 'Sale Set $40 $30'),
      line('heading', 'Log in', [], 2),
      element('password', 'textbox', 'Password'),
      element('forgot', 'link', 'Forgot password?'),
      line('heading', 'Delivery', [], 2),
      line('text', 'US phone number'),
      element('us', 'textbox', ''),
      line('text', 'UK phone number'),
      element('uk', 'textbox', ''),
      element('tags', 'textbox', 'Tags'),
    ]),
    ref: 'invoices',
  },
];

describe('act that would do something else', () => {
  test.each([
    ['a field that is not on the page', 'fill in Banana with 5', PLUGIN],
    ['a missing field after "in"', 'enter Berlin in Search', PLUGIN],
    ['a missing field after "under"', 'write Java under Notes', PLUGIN],
    ['a field whose name is also a floating label', 'type secret1 in the password field', FORMS],
    ['a radio button and a checkbox with the same name', 'tick Option 1', FORMS],
    ['a name and a floating label with the same words', 'fill the Username with bob', FORMS],
    ['a region in place of a control in it', 'click the paid invoices', SHOP],
    ['a click on a field that would reveal nothing', 'show the password', SHOP],
    ['a button called a tab', 'click the Messages tab', SHOP],
    ['one of two fields whose labels differ in an acronym', 'type 12 into the phone number', SHOP],
    ['typing text in place of adding a tag', 'add the tag cool', SHOP],
    ['typing text in place of adding with "to"', 'add cool to the tags', SHOP],
    ['the particle "out" that reverses the verb', 'take the Sale Set out of the cart', SHOP],
    ['the particle "off" that reverses the verb', 'leave the Sale Set off the list', SHOP],
  ])('refuses %s: %s', async (_what, instruction, nodes) => {
    expect((await stepFor(instruction, nodes)).action).toBeNull();
  });

  test.each([
    ['type bob in the username field under Register', FORMS, 'new-user'],
    ['type abc in the password field under Register', FORMS, 'new-secret'],
    ['choose Option 2 in the inline radios', FORMS, 'radio-2'],
    ['tick Option 3', FORMS, 'check-3'],
    ['open the More dropdown', PLUGIN, 'more'],
    ['click the button that currently says X-Men', PLUGIN, 'heroes'],
    ['press the button to buy it now', SHOP, 'buy'],
    ['show the orders', SHOP, 'orders'],
    ['mark it as paid', SHOP, 'paid'],
    ['I forgot my password', SHOP, 'forgot'],
    ['type 12 into the US phone number', SHOP, 'us'],
    ['type 12 into the uk phone number', SHOP, 'uk'],
  ])('resolves "%s"', async (instruction, nodes, ref) => {
    expect((await stepFor(instruction, nodes)).action).toMatchObject({ ref });
  });
});

describe('location phrases', () => {
  test.each([
    'click the link in Education',
    'click the link of the Education section',
    'click the link under Repositories',
  ])('refuses "%s"', async (instruction) => {
    expect((await stepFor(instruction, SECTIONS)).action).toBeNull();
  });

  test.each([
    ['click the link under the heading Homepage', 'home'],
    ['click the link in Homepage', 'home'],
    ['open the Usage tab in Panels', 'usage'],
    ['click the link in the footer', 'legal'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, SECTIONS)).action).toMatchObject({ ref, method: 'click' });
  });

  test('applies the only main heading to all fields of the page', async () => {
    expect(await refsOf('the fields of the contact form', SECTIONS)).toEqual(['mail', 'say']);
  });
});

describe('equivalent phrasings', () => {
  test.each([
    ['find the GitLab link and click it', 'lab', 'click'],
    ['Go to the "GitLab" link, and press it.', 'lab', 'click'],
    ['turn the sound on', 'sound', 'check'],
    ['switch Sound on at the moment', 'sound', 'check'],
    ['click View options of the offer that costs $120.00', 'other', 'click'],
    ['press the button that leads to the project on GitHub', 'hub', 'click'],
    ['Under Repositories, click GitLab', 'lab', 'click'],
  ])('resolves "%s" to %s', async (instruction, ref, method) => {
    expect((await stepFor(instruction, SECTIONS)).action).toMatchObject({ ref, method });
  });

  test.each([
    'find the GitLab link and press Enter',
    'turn the lights on',
    'click View options of the offer that costs $12',
  ])('refuses "%s"', async (instruction) => {
    expect((await stepFor(instruction, SECTIONS)).action).toBeNull();
  });

  test('ignores "I" in a question', async () => {
    expect(await refsOf('where can I download it?', SECTIONS)).toEqual(['guide']);
  });
});

describe('observe for dropdowns and buttons', () => {
  test.each([
    ['the dropdown showing "Select"', []],
    ['the button showing X-Men', ['heroes']],
  ])('returns for "%s" the elements %j', async (instruction, refs) => {
    expect(await refsOf(instruction, PLUGIN)).toEqual(refs);
  });
});

/** Close buttons before the headings of their alerts, and a select beside a list of the same options. */
const LISTS: readonly SnapshotNode[] = [
  element('close-warning', 'button', '×'),
  line('heading', 'Warning!', [], 4),
  line('text', 'Change this and that.'),
  element('close-done', 'button', '×'),
  line('heading', 'Well done!', [], 4),
  line('heading', 'Simple', [], 2),
  { ...element('one', 'combobox', ''), options: ['Volvo', 'Saab'], value: 'Saab' },
  {
    ...element('many', 'listbox', ''),
    states: ['multiselectable'],
    children: [element('volvo', 'option', 'Volvo'), element('audi', 'option', 'Audi')],
  },
  element('locked-on', 'checkbox', 'Disabled checked'),
  element('locked-off', 'checkbox', 'Disabled unchecked'),
];

/** A field that shows an example of an address, and one with a name. */
const CONTACT: readonly SnapshotNode[] = [
  line('text', 'Email address'),
  { ...element('mail', 'textbox', 'mike@email.com'), placeholder: 'mike@email.com' },
  line('text', 'City'),
  element('city', 'textbox', 'City'),
];

describe('unclear values and example placeholders', () => {
  test.each([
    'change Mike to Michael',
    'set City to Bonn, not Berlin',
    'set City to Bonn rather than Berlin',
    'set the City to either Bonn or Berlin',
    "set the City to today's date",
  ])('refuses "%s"', async (instruction) => {
    expect((await stepFor(instruction, CONTACT)).action).toBeNull();
  });

  test.each([
    ['change the email address to a@b.test', 'mail'],
    ['type a@b.test into "mike@email.com"', 'mail'],
    ['set City to Bonn', 'city'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, CONTACT)).action).toMatchObject({ ref, method: 'fill' });
  });
});

describe('duplicate names', () => {
  test.each(['choose Volvo in Simple', 'select Volvo', 'tick the disabled checkbox'])(
    'refuses "%s"',
    async (instruction) => {
      expect((await stepFor(instruction, LISTS)).action).toBeNull();
    },
  );

  test.each([
    ['choose Saab in Simple', 'one'],
    ['select Audi', 'audi'],
    ['close the warning', 'close-warning'],
  ])('resolves "%s" to %s', async (instruction, ref) => {
    expect((await stepFor(instruction, LISTS)).action).toMatchObject({ ref });
  });
});
