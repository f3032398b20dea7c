import { expect, test } from 'vitest';
import { DriverClickError, DriverElementNotFoundError, DriverLocatorError } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

/** The error that a call failed with. */
async function failure(call: Promise<unknown>): Promise<Error> {
  const reason = await failureOf(call);
  return reason instanceof Error ? reason : new TypeError(`not an error: ${String(reason)}`);
}

test('a call that ends before its element can be acted on says what kept it, not only that the time is up', async () => {
  await odd.open(`<button id="b" disabled>Save</button><input readonly aria-label="Total">`);
  const action = { selector: '#b', description: '', method: 'click' };
  const errors = [
    await failure(odd.driver.act(action, { timeout: 1500 })),
    await failure(odd.page.locator('#b').click({ timeout: 400 })),
    await failure(odd.page.locator('input').fill('3', { timeout: 400 })),
    await failure(odd.page.locator('#absent').click({ timeout: 400 })),
    await failure(odd.page.locator('#absent').innerText({ timeout: 400 })),
  ];
  expect(errors.map((error) => [error.constructor, error.message.split('\n')[0]])).toEqual([
    [DriverClickError, 'Cannot click <button#b> (button "Save"): it is disabled. Do first what enables it.'],
    [DriverClickError, 'Cannot click <button#b> (button "Save"): it is disabled. Do first what enables it.'],
    [DriverLocatorError, 'Cannot fill <input> (textbox "Total"): it is read-only.'],
    [DriverElementNotFoundError, 'No element matches #absent.'],
    [DriverElementNotFoundError, 'No element matches #absent.'],
  ]);
});

test('messages name an element by its role and name, by its words or by its tag, never at length', async () => {
  await odd.open(
    `<button>${'very '.repeat(60)}long</button><div id="card" onclick="this.title = 'x'">Add <b>a card</b></div><input id="plain"><div class="box" style="height: 20px" onclick="this.title = 'x'"></div>`,
  );
  const messages = [];
  for (const selector of ['button', '#card', '#plain', '.box'])
    messages.push((await odd.act(selector)).message.replace(/\. [^.]*\.$/, ''));
  expect(messages).toEqual([
    `Done: click on button "${'very '.repeat(16)}…"`,
    'Done: click on <div#card> "Add a card"',
    'Done: click on textbox <input#plain>; it has the focus',
    'Done: click on <div.box>',
  ]);
});

test('a value that a control refuses is refused in one sentence', async () => {
  await odd.open(`<input id="due" type="date"><select id="size"><option>Small<option>Large</select>`);
  expect((await failure(odd.act('#due', 'fill', 'soon'))).message).toBe(
    '<input#due> does not take "soon": it takes a date as YYYY-MM-DD, such as 2026-03-31.',
  );
  expect((await failure(odd.act('#size', 'select', 'Huge'))).message).toBe(
    '<select#size> has no option "Huge". It has "Small", "Large".',
  );
});
