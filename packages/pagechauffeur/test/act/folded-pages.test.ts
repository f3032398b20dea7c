import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

let script: (request: ModelRequest) => unknown;
const model = new ScriptedModel((request) => script(request));
const browser = useBrowser({ llmClient: model, snapshot: { tokenBudget: 800 } });

afterEach(() => model.requests.splice(0));

const styles = ['Blue', 'Oak', 'Striped', 'Tall', 'Enamel', 'Woven', 'Linen'];
const row = (index: number): string =>
  `<tr><td>${styles[index % 7]} mug ${index}</td><td><button onclick="document.title = 'Added ${index}'">Add to cart</button></td></tr>`;

async function open(body: string): Promise<void> {
  const html = `<!doctype html><title>Stock</title><body>${body}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
}

function openTable(rows: number): Promise<void> {
  return open(tableOf(rows));
}

function tableOf(rows: number): string {
  const all = Array.from({ length: rows }, (_, index) => row(index));
  return `<table><tr><th>Name</th><th>Order</th></tr>${all.join('')}</table>`;
}

function click(ref: string): object {
  return { action: { ref, method: 'click', arguments: [], description: 'a button' }, twoStep: false, ...NO_REASON };
}

function expand(ref: string): object {
  return { action: null, twoStep: false, expand: ref, ...NO_REASON };
}

const NO_REASON = { reason: '', candidates: [] };

/** The ref of the button in the row of a mug, by the text that the model was shown. */
function buttonOf({ page }: ModelRequest, mug: number): string {
  return new RegExp(`mug ${mug} \\| (e\\d+) button`).exec(page.text)?.[1] ?? '';
}

function firstFold({ page }: ModelRequest): string {
  return /more rows \((e\d+)–/.exec(page.text)?.[1] ?? '';
}

test('shows the row named in the instruction on a folded page and needs one model call', async () => {
  await openTable(1000);
  script = (request) => click(buttonOf(request, 613));
  const result = await browser.driver.act('add the Enamel mug 613 to the cart');
  expect(result.success).toBe(true);
  expect(await browser.page.title()).toBe('Added 613');
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.messages[1]?.text).toContain('Enamel mug 613');
  expect(model.requests[0]?.messages[1]?.text).not.toContain('mug 500');
});

test('lets the model expand a folded part once', async () => {
  await openTable(1000);
  script = (request) => {
    const ref = buttonOf(request, 500);
    return ref === '' ? expand(firstFold(request)) : click(ref);
  };
  expect(await browser.driver.act('add the nicest one to the cart')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Added 500');
  const [first, second, ...more] = model.requests;
  expect(more).toEqual([]);
  expect(first?.schema['properties']).toHaveProperty('expand');
  expect(second?.schema['properties']).not.toHaveProperty('expand');
  expect(second?.page.text).not.toMatch(/more rows/);
});

test('omits `expand` from the request when nothing is folded', async () => {
  await openTable(5);
  script = (request) => click(buttonOf(request, 3));
  await browser.driver.act('add mug 3 to the cart');
  const [request, ...more] = model.requests;
  expect(more).toEqual([]);
  expect(request?.schema['properties']).not.toHaveProperty('expand');
  expect(request?.messages[0]?.text).not.toContain('expand');
});

test('returns an error to the model when it expands a ref that is not folded', async () => {
  await openTable(1000);
  const answers = [expand('e9999'), click('e1')];
  script = () => answers.shift();
  expect(await browser.driver.act('add any one')).toMatchObject({ success: true });
  expect(model.requests).toHaveLength(2);
  expect(model.requests[1]?.messages.at(-1)?.text).toContain('"e9999" is not the ref of a folded part');
});

test.each([
  ['act', { ...expand(''), action: null }, () => browser.driver.act('add any one')],
  ['observe', { elements: [] }, () => browser.driver.observe('any one')],
])('%s rejects a request to expand an element outside of folds', async (_verb, nothing, run) => {
  await open(`<a href="/help">Help</a>${tableOf(1000)}`);
  script = (request) => {
    const help = /(e\d+) link "Help"/.exec(request.page.text)?.[1];
    return { ...nothing, expand: model.requests.length === 1 ? help : '' };
  };
  await run().catch(() => undefined);
  const [, second] = model.requests;
  expect(second?.messages.at(-1)?.text).toMatch(/"e\d+" is not the ref of a folded part/);
  expect(second?.schema['properties']).toHaveProperty('expand');
});

const longText = 'The council approved the plan for the harbor. '.repeat(400);

test.each([
  [
    'a row in the range',
    tableOf(1000),
    (text: string) => `e${Number(/more rows \(e(\d+)–/.exec(text)?.[1]) + 7}`,
    'mug 100 ',
  ],
  [
    'the last visible row before it',
    tableOf(1000),
    (text: string) => /(e\d+) button[^\n]*\n *… /.exec(text)?.[1],
    'mug 100 ',
  ],
  [
    'a list without refs',
    `<ul aria-label="Zones">${Array.from({ length: 900 }, (_, index) => `<li>Zone number ${index}`).join('')}</ul>`,
    (text: string) => /\(in (e\d+)\)/.exec(text)?.[1],
    'Zone number 150',
  ],
  [
    'long text',
    `<p>${longText} Finally, the marble`,
    (text: string) => /more words, (e\d+)/.exec(text)?.[1],
    'Finally, the marble',
  ],
  [
    'the long name of a button',
    Array.from({ length: 5 }, (_, index) => `<button>Plan ${index} ${'harbor '.repeat(270)}marble`).join('</button>'),
    (text: string) => /(e\d+) button/.exec(text)?.[1],
    'marble',
  ],
  [
    'options',
    `<select>${Array.from({ length: 900 }, (_, index) => `<option>Zone of ${'abcdefghij'[index % 10]} ${index}`).join('')}</select>`,
    (text: string) => /(e\d+) combobox/.exec(text)?.[1],
    'e 154',
  ],
])('expands a fold that the model requests by %s', async (_what, body, refIn, shown) => {
  await open(body);
  script = ({ page }) => (model.requests.length === 1 ? expand(refIn(page.text) ?? '') : expand(''));
  await browser.driver.act('choose the nicest one').catch(() => undefined);
  expect(model.requests[0]?.page.text).not.toContain(shown);
  expect(model.requests[1]?.page.text).toContain(shown);
});

test('clicks an element whose ref is inside a folded range', async () => {
  await openTable(1000);
  script = () => click('e501');
  expect(await browser.driver.act('add the one at 501 to the cart')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Added 500');
});

test('observe() repeats the request with the expanded part when the model asks for it', async () => {
  await openTable(1000);
  script = (request) => {
    const ref = buttonOf(request, 500);
    const element = { ref, method: 'click', arguments: [], description: 'the button' };
    return ref === '' ? { elements: [], expand: firstFold(request) } : { elements: [element] };
  };
  const [action, ...more] = await browser.driver.observe('the button of the nicest one');
  expect(more).toEqual([]);
  expect(action?.selector).toContain('tr[502]');
  expect(model.requests).toHaveLength(2);
});

test('finds a folded row with the offline model', async () => {
  await openTable(1000);
  await browser.driver.act('add the Woven mug 614 to the cart', { model: 'offline/lexical' });
  expect(await browser.page.title()).toBe('Added 614');
});

const dropdown =
  `<h1>Order</h1><p>${'Some words about how to order. '.repeat(12)}</p><button aria-expanded="false" aria-haspopup="listbox" onclick="` +
  `this.ariaExpanded = 'true'; list.hidden = false">Colour</button><ul id="list" role="listbox" hidden>` +
  `<li role="option" tabindex="0" onclick="document.title = 'Red it is'">Red</li><li role="option" tabindex="0">Green</li></ul>`;

test('shows the model only the changes of the page in the second step of an act', async () => {
  await open(dropdown);
  script = ({ page }) => {
    const [, ref = '', role] =
      /(e\d+) (option) "Red"/.exec(page.text) ?? /(e\d+) (button) "Colour"/.exec(page.text) ?? [];
    return { ...click(ref), twoStep: role === 'button' };
  };
  expect(await browser.driver.act('choose the colour Red')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Red it is');
  const [first, second, ...more] = model.requests;
  expect(more).toEqual([]);
  expect(first?.page.text).toContain('how to order');
  expect(second?.page.text.split('\n')).toEqual([
    '~e1 button "Colour" expanded focused',
    '*e2 listbox',
    ' *e3 option "Red"',
    ' *e4 option "Green"',
  ]);
  expect(second?.messages.at(-1)?.text).toContain('Only the changes of the page');
});

test('shows the model the whole page after it expands a part in the second step', async () => {
  await open(
    `<button aria-expanded="false" aria-haspopup="dialog" onclick="this.ariaExpanded = 'true'; box.hidden = false">Choose</button>
    <div id="box" role="dialog" aria-label="Mugs" hidden><button>Cancel</button></div>
    <table>${Array.from({ length: 1000 }, (_, index) => row(index)).join('')}</table>`,
  );
  const answers = [
    (request: ModelRequest) => ({ ...click(refOf(request, { name: 'Choose' })), twoStep: true }),
    () => expand('e501'),
    (request: ModelRequest) => click(buttonOf(request, 500)),
  ];
  script = (request) => answers.shift()?.(request);
  expect(await browser.driver.act('choose the nicest one and add it to the cart')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Added 500');
  const [, changes, expanded] = model.requests.map(({ messages }) => messages.at(-1)?.text);
  expect(changes).toContain('Only the changes of the page');
  expect(expanded).toContain('Already done');
  expect(expanded).not.toContain('changes of the page');
  expect(model.requests[2]?.page.text).toContain('button "Choose"');
});
