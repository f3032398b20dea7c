import { describe, expect, test } from 'vitest';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

const ORDERS = `<!doctype html><title>Orders</title><h1>Orders</h1>
  <table><tr><th>No</th><th>Customer</th><th></th></tr>
  ${[
    ['1041', 'Acme'],
    ['1042', 'Initech'],
    ['1043', 'Umbrella'],
  ]
    .map(([no, customer]) => `<tr><td>${no}</td><td>${customer}</td><td><button>Delete</button></td></tr>`)
    .join('')}</table>
  <h2>Account</h2><button>Delete</button>
  <script>addEventListener('click', ({ target }) => { document.title = target.closest('tr')?.cells[1].textContent ?? 'Account' })</script>`;
const LIST = `<!doctype html><title>List</title><ul><li>Milk <button>Remove</button></li><li>Eggs <button>Remove</button></li></ul>
  <section aria-label="Saved for later"><button>Remove</button></section><div><button>Remove</button><button>Remove</button></div>
  <script>const all = [...document.querySelectorAll('button')]; addEventListener('click', ({ target }) => { document.title = 'number ' + (all.indexOf(target) + 1) })</script>`;

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
}

/** A model that says that all elements of this name fit. */
const undecided = (name: string): ScriptedModel =>
  new ScriptedModel((request) => {
    const candidates = [...request.page.text.matchAll(new RegExp(`(e\\d+) button "${name}"`, 'g'))].map(
      ([, ref]) => ref,
    );
    return { action: null, twoStep: false, outcome: 'ambiguous', reason: '', candidates };
  });

describe('elements with the same name', () => {
  test.each([
    ['delete the order of Initech', 'Initech'],
    ['click Delete in the row of Umbrella', 'Umbrella'],
    ['click the first Delete button', 'Acme'],
    ['click the third Delete button', 'Umbrella'],
    ['click the last Delete button', 'Account'],
    ['click Delete in the account section', 'Account'],
  ])('clicks the element that the instruction identifies: %s', async (instruction, title) => {
    await open(ORDERS);
    const result = await browser.driver.act(instruction);
    expect(result.success, result.message).toBe(true);
    expect(await browser.page.title()).toBe(title);
  });

  test('reports the row and position of the chosen element', async () => {
    await open(ORDERS);
    const { message } = await browser.driver.act('click Delete in the row of Initech');
    expect(message).toContain('click on button "Delete" in row "1042 | Initech" (2 of 4 with this name)');
  });

  test.each(['with the built-in model', 'with another model'])(
    'lists all matches with their location and clicks none, %s',
    async (by) => {
      await open(ORDERS);
      const result = await browser.driver.act(
        'click Delete',
        by.includes('another') ? { model: undecided('Delete') } : {},
      );
      expect(result).toEqual({
        success: false,
        actionDescription: 'click Delete',
        message:
          '4 elements match "click Delete" equally well: (1) button "Delete" in row "1041 | Acme"; (2) button "Delete" in row "1042 | Initech"; ' +
          '(3) button "Delete" in row "1043 | Umbrella"; (4) button "Delete" under "Account". Name the one you mean, for example by its row, section or position.',
      });
      expect(await browser.page.title()).toBe('Orders');
    },
  );

  test('lists matches in the same place by their position on the page', async () => {
    await open(LIST);
    const { message } = await browser.driver.act('click Remove', { model: undecided('Remove') });
    expect(message).toContain('(1) button "Remove" in listitem "Milk"; (2) button "Remove" in listitem "Eggs"');
    expect(message).toContain('(3) button "Remove" in region "Saved for later"');
    expect(message).toMatch(
      /\(4\) button "Remove"[^;]*, number 4 of 5 on the page; \(5\) button "Remove"[^;]*, number 5 of 5 on the page/,
    );
  });

  test('accepts the row, region or position from the message in the next instruction', async () => {
    await open(LIST);
    for (const [instruction, title] of [
      ['click Remove at Eggs', 'number 2'],
      ['click Remove in Saved for later', 'number 3'],
      ['click the fifth Remove button', 'number 5'],
    ] as const) {
      const result = await browser.driver.act(instruction);
      expect(result.success, result.message).toBe(true);
      expect(await browser.page.title()).toBe(title);
    }
  });

  test('reports the number of matches when the requested position does not exist', async () => {
    await open(LIST);
    const result = await browser.driver.act('click the ninth Remove button');
    expect(result.success).toBe(false);
    expect(result.message).toContain('fits only 5 elements');
  });

  test('does not choose between two links with the same name and URL', async () => {
    await open('<!doctype html><title>Links</title><a href="#in">Log in</a><p>Words</p><a href="#in">Log in</a>');
    const result = await browser.driver.act('click Log in');
    expect(result).toMatchObject({ success: false, message: expect.stringContaining('2 elements match') as string });
  });

  test('offers the model the outcome "ambiguous" in the prompt', async () => {
    await open(ORDERS);
    const model = new ScriptedModel((request) => ({
      action: { ref: refOf(request, { name: 'Delete' }), method: 'click', arguments: [], description: 'Delete' },
      twoStep: false,
      reason: '',
      candidates: [],
    }));
    const { message } = await browser.driver.act('delete it', { model });
    expect(model.requests[0]?.messages[0]?.text).toContain('outcome is "ambiguous"');
    expect(message).toContain('(1 of 4 with this name)');
  });
});
