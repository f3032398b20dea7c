import { expect, test } from 'vitest';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Action } from '../../src/replay/action.ts';
import { describedElement } from '../../src/replay/described-element.ts';

const PAGE = `heading 1 "Shop"
e1 link "Cart"
e2 button "Save"
e3 button "Save draft"
heading 2 "Blue mug"
e4 button "Add"
heading 2 "Red mug"
e5 button "Add"
table
 row | Ada | e6 button "Delete"
 row | Bob | e7 button "Delete"
e8 textbox "E-mail"
e9 checkbox "E-mail me"
e10 combobox "Country" options "Germany", "France"
e11 textbox "Search"
e12 button "Search"
e13 button "Löschen"
e14 button ""`;

const refs = new Map(
  [...PAGE.matchAll(/(e\d+) (\w+) "([^"]*)"/g)].map(([, ref = '', role = '', name = '']) => [ref, { role, name }]),
);
const snapshot = { refs, text: PAGE } as unknown as Snapshot;
const XPATH = 'xpath=/html[1]/body[1]/main[1]/';

test.each<[description: string, method: string, selector: string, ref: string | undefined, args?: readonly string[]]>([
  ['button "Save"', 'click', `${XPATH}button[9]`, 'e2'],
  ['the Save button', 'click', `${XPATH}button[9]`, 'e2'],
  ['the Save draft button', 'click', `${XPATH}button[9]`, 'e3'],
  ['click the Save button', 'click', '#save', 'e2'],
  ['link "Cart"', 'click', `${XPATH}a[2]`, 'e1'],
  ['the cart icon', 'click', `${XPATH}a[2]`, 'e1'],
  ['the Add button under "Red mug"', 'click', `${XPATH}button[9]`, 'e5'],
  ['Add button of the blue mug', 'click', `${XPATH}button[9]`, 'e4'],
  ['the Delete button in the row of Bob', 'click', `${XPATH}button[9]`, 'e7'],
  ['the E-mail field', 'fill', `${XPATH}input[1]`, 'e8'],
  ['fill ada@example.com into the E-mail field', 'fill', `${XPATH}input[1]`, 'e8', ['ada@example.com']],
  ['the E-mail me checkbox', 'check', `${XPATH}input[1]`, 'e9'],
  ['the Country dropdown', 'select', `${XPATH}select[1]`, 'e10', ['Germany']],
  ['select Germany in the Country dropdown', 'select', `${XPATH}select[1]`, 'e10', ['Germany']],
  ['the Search button', 'click', `${XPATH}button[1]`, 'e12'],
  ['the Search field', 'type', `${XPATH}input[1]`, 'e11'],
  ['button "Löschen"', 'click', `${XPATH}button[1]`, 'e13'],
  // Nothing, for want of one clear winner.
  ['the Add button', 'click', `${XPATH}button[9]`, undefined],
  ['the first Add button', 'click', `${XPATH}button[9]`, undefined],
  ['the second Save button', 'click', `${XPATH}button[9]`, undefined],
  ['the Delete button in the row of Eve', 'click', `${XPATH}button[9]`, undefined],
  ['the Save button in the dialog', 'click', `${XPATH}button[9]`, undefined],
  ['the Save link', 'click', `${XPATH}textarea[1]`, undefined],
  ['the Save field', 'click', `${XPATH}button[9]`, undefined],
  ['the Save button', 'fill', `${XPATH}button[9]`, undefined, ['x']],
  ['the Country dropdown', 'click', `${XPATH}a[1]`, undefined],
  ['button "Save as"', 'click', `${XPATH}button[9]`, undefined],
  ['the button', 'click', `${XPATH}button[9]`, undefined],
  ['the green one that pays', 'click', `${XPATH}button[9]`, undefined],
  ['Search', 'click', `${XPATH}div[9]`, undefined],
  ['', 'click', `${XPATH}button[9]`, undefined],
])('resolves "%s" (%s at %s) to %s', (description, method, selector, ref, args = []) => {
  const action: Action = { selector, description, method, arguments: args };
  expect(describedElement(action, snapshot)?.ref).toBe(ref);
});

test('reports the evidence of a match', () => {
  const action = { selector: '#x', description: 'the Delete button in the row of Bob', method: 'click' };
  expect(describedElement(action, snapshot)?.reasons).toEqual(['name', 'role', 'surroundings']);
});
