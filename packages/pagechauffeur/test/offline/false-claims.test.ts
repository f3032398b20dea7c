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

/** A page with one field, a link whose verb is close to "showing", and what looks like a dropdown. */
const PLUGIN: readonly SnapshotNode[] = [
  line('heading', 'Nice Select', [], 1),
  element('source', 'link', 'View on GitHub'),
  element('heroes', 'button', 'X-Men'),
  { ...element('more', 'link', 'More'), states: ['collapsed'] },
  element('answer', 'textbox', 'Your answer'),
];

describe('an act that would do what was not said is refused', () => {
  test.each([
    ['a value that names a field which is not there', 'fill in Banana with 5', PLUGIN],
    ['the same with "in"', 'enter Berlin in Search', PLUGIN],
    ['the same with "under"', 'write Java under Notes', PLUGIN],
    ['a field whose name is also a floating label', 'type secret1 in the password field', FORMS],
    ['a radio button and a checkbox of one name', 'tick Option 1', FORMS],
  ])('%s: %s', async (_what, instruction, nodes) => {
    expect((await stepFor(instruction, nodes)).action).toBeNull();
  });

  test.each([
    ['type bob in the username field under Register', FORMS, 'new-user'],
    ['type abc in the password field under Register', FORMS, 'new-secret'],
    ['choose Option 2 in the inline radios', FORMS, 'radio-2'],
    ['tick Option 3', FORMS, 'check-3'],
    ['open the More dropdown', PLUGIN, 'more'],
    ['click the button that currently says X-Men', PLUGIN, 'heroes'],
  ])('but not "%s"', async (instruction, nodes, ref) => {
    expect((await stepFor(instruction, nodes)).action).toMatchObject({ ref });
  });
});

describe('observe takes no link for a dropdown', () => {
  test.each([
    ['the dropdown showing "Select"', []],
    ['the button showing X-Men', ['heroes']],
  ])('%s', async (instruction, refs) => {
    expect(await refsOf(instruction, PLUGIN)).toEqual(refs);
  });
});
