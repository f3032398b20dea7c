import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';
import { changeAtRandom, changingDocument } from './reuse.ts';

const changing = changingDocument();
const odd = oddPages();

test('does not use old lines again after a snapshot whose lines could not be kept', async () => {
  const rows = '<p>Row</p>'.repeat(1200);
  const form = '<form><input required><div><p class="hint">Thanks</p><p>One</p><p>Two</p></div></form>';
  const cover = 'position: absolute; left: 300px; top: 0; width: 400px; height: 90px; background: white';
  await odd.open(
    `<style>form:invalid .hint { display: none }</style>${form}${rows}<div id="cover" style="${cover}" hidden></div>`,
  );
  const toggle = "document.getElementById('cover').toggleAttribute('hidden')";
  for (const _ of [1, 2, 3]) expect(await odd.text()).not.toContain('Thanks');
  // Lines that may be covered are not kept.
  await odd.page.evaluate(`document.querySelector('input').value = 'Ann'; ${toggle}`);
  expect(await odd.text()).toContain('Thanks');
  await odd.page.evaluate(toggle);
  expect(await odd.text()).toContain('Thanks');
});

test('notices that another rule applies to an element after other rules lost their elements', async () => {
  const rules = '.first + i { color: red } .off + .list li { color: blue } .on + .list li { visibility: hidden }';
  const rows = '<p>Row</p>'.repeat(1200);
  const items = `<p id="first" class="first">A</p><i>B</i><p class="off">C</p><div><p id="switch" class="off">D</p><ul class="list">${'<li>Item</li>'.repeat(40)}</ul></div>`;
  await odd.open(`<style>${rules}</style>${items}${rows}`);
  for (const _ of [1, 2, 3]) expect(await odd.text()).toContain('Item');
  await odd.page.evaluate(
    "document.getElementById('first').className = ''; document.getElementById('switch').className = 'on'",
  );
  expect(await odd.text()).not.toContain('Item');
});

test('separates words around a padded box without content when it is read again', async () => {
  const box = `<div id="box">Hello<ul style="padding: 10px">${'<li hidden>'.repeat(9)}</ul>World</div>`;
  await odd.open(`${box}${'<p>Row</p>'.repeat(1200)}`);
  for (const _ of [1, 2, 3]) expect(await odd.text()).toContain('Hello World');
  await odd.page.evaluate("document.getElementById('box').firstChild.data = 'Hallo'");
  expect(await odd.text()).toContain('Hallo World');
});

test('equals a whole snapshot after each of 32 random changes', async () => {
  await changing.open(1);
  expect((await changeAtRandom(changing, 32)).found).toBe(null);
});

test('reads less than a third of the elements again after the change of one text', async () => {
  await changing.open(2);
  await changing.evaluate('elementsRead(false)');
  const whole = await changing.evaluate<number>('elementsRead(false)');
  expect(whole).toBeGreaterThan(300);
  await changing.evaluate("run(1, ['text'])");
  await changing.evaluate("change('text')");
  expect(await changing.evaluate<number>('elementsRead(false)')).toBeLessThan(whole / 3);
  expect(await changing.evaluate<number>('elementsRead(false)')).toBeLessThan(whole / 3);
});
