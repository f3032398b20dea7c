import { describe, expect, test } from 'vitest';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

const PAGE = `<h2>Mugs</h2><img alt="Red mug" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="40" height="40">
  <p>Fresh from the kiln.</p><ul><li>Red</li><li>Blue</li></ul><table><tr><th>Name</th><th>Price</th></tr><tr><td>Red mug</td><td>9.00</td></tr></table>`;

/** Returns the page text that the model gets for an instruction. */
async function shownFor(instruction: string): Promise<string> {
  let shown = '';
  const model = new ScriptedModel(({ page }) => {
    shown = page.text;
    return { elements: [] };
  });
  await odd.driver.observe(instruction, { model });
  return shown;
}

test.each([
  ['click the picture of the red mug', /e\d+ img "Red mug"/],
  ['double-click on the big heading', /e\d+ heading 2 "Mugs"/],
  ['select the text about the kiln', /e\d+ paragraph "Fresh from the kiln."/],
  ['click the second list item', /e\d+ listitem "Blue"/],
  ['press on the first cell', /e\d+ cell "Red mug"/],
  ['hover over the row', /e\d+ row/],
])('gives a ref to the kind of element that "%s" names', async (instruction, line) => {
  await odd.open(PAGE);
  expect(await shownFor(instruction)).toMatch(line);
});

test.each(['buy the red mug', 'fill the text field with the title', 'click Add in the row of the red mug'])(
  'gives no refs to plain elements for "%s"',
  async (instruction) => {
    await odd.open(PAGE);
    const shown = await shownFor(instruction);
    expect(shown).toContain('Fresh from the kiln.');
    expect(shown).not.toMatch(/e\d+ /);
  },
);

describe('handle in a draggable card', () => {
  const CARD = `<style>.card { padding: 8px } .card:hover { cursor: move } .handle { height: 16px; width: 24px }</style>
    <div class="card"><div class="handle drag_handler"><i class="drag_handler_icon"></i></div><div>Report</div></div>`;

  test('gets a ref if the instruction is about dragging', async () => {
    await odd.open(CARD);
    expect(await shownFor('drag the report to Done')).toBe(
      'e1 generic draggable | e2 generic (handle drag handler) | Report',
    );
  });

  test('gets no ref otherwise', async () => {
    await odd.open(CARD);
    expect(await shownFor('click the report')).toBe('e1 generic "Report" draggable');
  });
});

test('act() clicks a plain image that the instruction names', async () => {
  await odd.open(
    `${PAGE}<script>document.querySelector('img').parentNode.addEventListener('click', ({ target }) => { document.title = target.alt })</script>`,
  );
  const model = new ScriptedModel((request) => ({
    action: { ref: refOf(request, { role: 'img' }), method: 'click', arguments: [], description: 'the picture' },
    twoStep: false,
    reason: '',
    candidates: [],
  }));
  await odd.driver.act('click the picture of the red mug', { model });
  expect(await odd.page.title()).toBe('Red mug');
});

test.each([
  ['a rule', '<style>.off { interactivity: inert }</style><div class="off">'],
  ['a rule in a shadow root', ''],
  ['a style attribute', '<div style="interactivity: inert">'],
  ['an ancestor of an element that resets it', '<div style="interactivity: inert"><div style="interactivity: auto">'],
])('gives no ref to a button that %s makes inert', async (where, start) => {
  const button = '<button>Save</button>';
  const shadow = `<div><template shadowrootmode="open"><style>button { interactivity: inert }</style>${button}</template></div>`;
  await odd.open(where.endsWith('shadow root') ? shadow : `${start}${button}`);
  expect((await odd.page.snapshot()).text).toBe('- Save');
});

test('notices that a class makes a button inert', async () => {
  await odd.open(`<style>.off { interactivity: inert }</style><div id="box"><button>Save</button></div>`);
  expect((await odd.page.snapshot()).text).toContain('button "Save"');
  await odd.page.evaluate(`box.className = 'off'`);
  expect((await odd.page.snapshot()).text).toBe('- Save');
});
