import { expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

test('a check box that is moved out of the page is worked through its label', async () => {
  await odd.open(
    `<input type="checkbox" id="c" style="position: absolute; left: -9999px"><label for="c">Gift wrap</label>`,
  );
  await odd.act('#c', 'check');
  expect(await odd.page.locator('#c').isChecked()).toBe(true);
  await odd.act('#c', 'uncheck');
  expect(await odd.page.locator('#c').isChecked()).toBe(false);
});

test('what an inert part holds is refused for that reason', async () => {
  await odd.open(`<div inert><button>Pay</button><input aria-label="Name"></div>`);
  await expect(odd.page.locator('button').click({ timeout: 400 })).rejects.toThrow('takes no input now (inert)');
  await expect(odd.page.locator('input').fill('x', { timeout: 400 })).rejects.toThrow('takes no input now (inert)');
});

test('documents in object and embed are read and acted in like those in frames', async () => {
  odd.server.page(
    '/plan',
    `<!doctype html><title>Plan</title><button onclick="this.textContent = 'Booked'">Book</button>`,
  );
  await odd.open(
    `<object type="text/html" data="/plan" title="Hall">No plan</object><embed type="text/html" src="/plan">`,
  );
  expect(await odd.text()).toBe('e1 iframe "Hall"\n f1e1 button "Book"\ne2 iframe\n f2e1 button "Book"');
  const [inObject, inEmbed] = await odd.driver.observe();
  expect(inObject?.selector).toBe('xpath=/html[1]/body[1]/object[1]/html[1]/body[1]/button[1]');
  expect((await odd.act(inObject?.selector ?? '')).effect).toBe('changed');
  expect((await odd.act('embed >> text=Book')).effect).toBe('changed');
  expect(inEmbed?.selector).toBe('xpath=/html[1]/body[1]/embed[1]/html[1]/body[1]/button[1]');
  expect(await odd.text()).toContain('f2e1 button "Booked"');
});

test('the unseen input of a field that a script made is clicked by the box that shows the field, another unseen input is not', async () => {
  await odd.open(`<div style="position: relative; width: 200px; height: 40px; cursor: pointer; background: #eee" onclick="this.title = 'open'">Tools
      <input id="inside" role="combobox" aria-label="Tools" style="position: absolute; inset: 0; opacity: 0; z-index: -1"></div>
    <div style="position: relative; width: 200px; height: 40px; background: #eee"><input id="other" style="position: absolute; inset: 0; opacity: 0; z-index: -1"></div>`);
  expect((await odd.act('#inside')).effect).toBe('changed');
  await expect(odd.page.locator('#other').click({ timeout: 400 })).rejects.toThrow('covers it');
});
