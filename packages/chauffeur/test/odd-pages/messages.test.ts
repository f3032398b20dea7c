import { expect, test } from 'vitest';
import { DriverClickError, DriverElementNotFoundError, DriverLocatorError } from '../../src/index.ts';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

/** What a call failed with. */
async function failure(call: Promise<unknown>): Promise<Error> {
  return await call.then(
    () => new TypeError('it did not fail'),
    (error: Error) => error,
  );
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
