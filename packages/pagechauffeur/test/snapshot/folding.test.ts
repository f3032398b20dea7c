import { expect, test } from 'vitest';
import { ScriptedModel } from '../../src/testing.ts';
import { Driver } from '../../src/index.ts';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import { diffSnapshots } from '../../src/snapshot/snapshot-diff.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ snapshot: { tokenBudget: 600 } });

function times(count: number, wordsOf: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => wordsOf(index)).join('');
}

const row = (index: number): string =>
  `<tr><td>Mug ${index}</td><td>${index * 3}.50</td><td><a href="/mug/${index}">Details</a></td><td><button>Add</button></td></tr>`;
const table = (rows: number): string =>
  `<table><tr><th>Name</th><th>Price</th><th>More</th><th>Order</th></tr>${times(rows, row)}</table>`;

async function open(body: string): Promise<void> {
  const html = `<!doctype html><title>Folding</title><body>${body}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
}

async function textOf(body: string, options: Parameters<typeof browser.page.snapshot>[0] = {}): Promise<string> {
  await open(body);
  return (await browser.page.snapshot(options)).text;
}

/** A fold's line with its count, what it is about and its refs. */
const FOLD = /… (\d+) more ([\w ]+) \((?:in )?(e\d+)(?:–(e\d+))?\)/;

test('lists every row within the budget, and folds the middle rows into one line beyond it', async () => {
  expect(await textOf(table(8))).not.toContain('…');
  const lines = (await textOf(table(300))).split('\n');
  const folds = lines.filter((line) => FOLD.test(line));
  expect(folds).toHaveLength(1);
  const [, count] = FOLD.exec(folds[0] ?? '') ?? [];
  expect(Number(count) + lines.filter((line) => line.includes('link "Details"')).length).toBe(300);
  expect(lines[1]).toBe(' row | Name | Price | More | Order');
  expect(lines[2]).toContain('Mug 0');
  expect(lines.at(-1)).toContain('Mug 299');
});

const choice = (labels: readonly (string | number)[]): string =>
  `<select>${labels.map((label) => `<option>${label}`).join('')}</select>`;
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index));

test.each<[what: string, labels: readonly (string | number)[], shown: string]>([
  ['days', ['Day', ...numbers(1, 31)], '"Day", "1"–"31"'],
  ['descending years', numbers(2026, 1900), '"2026"–"1900"'],
  ['months with leading zeros', ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'], '"01"–"12"'],
  ['a gap and a change of direction', [1, 2, 3, 4, 6, 7, 8, 9, 8, 7], '"1"–"4", "6"–"9", "8", "7"'],
  ['three numbers', [1, 2, 3], '"1", "2", "3"'],
  ['numbers with a unit', ['1 kg', '2 kg', '3 kg', '4 kg'], '"1 kg", "2 kg", "3 kg", "4 kg"'],
  ['mixed leading zeros', ['8', '09', '10', '11'], '"8", "09", "10", "11"'],
])('shortens only runs of four or more plain numbers among options to a range: %s', async (_what, labels, shown) => {
  expect(await textOf(choice(labels), { tokenBudget: Infinity })).toContain(` options ${shown}`);
  expect(await textOf(choice(labels), { tokenBudget: 60 })).toContain(` options ${shown}`);
});

test('lists three options that two selects share only once', async () => {
  const [first, second] = (
    await textOf(`${choice(['Red', 'Green', 'Blue'])} ${choice(['Red', 'Green', 'Blue'])}`)
  ).split('\n');
  expect(first).toBe('e1 combobox = "Red" options "Red", "Green", "Blue"');
  expect(second).toBe('e2 combobox = "Red" options as e1');
});

test('prefers the `tokenBudget` of the call, and shows every row with `Infinity`', async () => {
  expect((await textOf(table(300), { tokenBudget: Infinity })).split('\n')).toHaveLength(302);
  const [small, large] = [
    await textOf(table(300), { tokenBudget: 300 }),
    await textOf(table(300), { tokenBudget: 2000 }),
  ];
  expect(small.length).toBeLessThan(large.length / 3);
});

test.each<[what: string, body: string, noun: string]>([
  [
    'list items',
    `<ul>${times(200, (index) => `<li><a href="/${index}">Item ${index}</a> costs ${index} euros</li>`)}</ul>`,
    'list items',
  ],
  ['adjacent links', `<nav>${times(200, (index) => `<a href="/${index}">Link ${index}</a> `)}</nav>`, 'links'],
  [
    'boxes without a role',
    times(
      200,
      (index) =>
        `<div class="card"><h3>Card ${index}</h3>${index % 3 ? '<p>On sale</p>' : ''}<p>Text ${index}</p><button>Buy</button></div>`,
    ),
    'groups',
  ],
  [
    'terms and definitions',
    `<dl>${times(200, (index) => `<dt>Term ${index}</dt><dd>Meaning ${index}</dd>`)}</dl>`,
    'groups',
  ],
  [
    'repeated elements without a wrapper',
    times(200, (index) => `<h3>Name ${index}</h3><button>Buy</button>`),
    'groups',
  ],
  [
    'text-only rows',
    `<table>${times(200, (index) => `<tr><td>Left ${index}</td><td>Right ${index}</td></tr>`)}</table>`,
    'rows',
  ],
  [
    'options of a multiple select',
    `<select multiple>${times(200, (index) => `<option>Choice ${index}</option>`)}</select>`,
    'options',
  ],
])('folds %s and keeps the heading and the button around them', async (_what, body, noun) => {
  const text = await textOf(`<h1>Before</h1>${body}<button>After</button>`, { tokenBudget: 300 });
  expect(FOLD.exec(text)?.[2]).toBe(noun);
  expect(text).toContain('heading 1 "Before"');
  expect(text).toContain('button "After"');
});

test('folds repeated boxes in a tree item that takes its name from them', async () => {
  const box = (index: number): string =>
    `<div><p>Mug ${index}</p><ul><li>Size ${index} <button>Choose</button></ul>${index % 3 ? '<a href="#">Sale</a>' : ''}<button>Buy</button></div>`;
  const item = (content: string): string =>
    `<div role="tree"><div role="treeitem"><ul><li>Mugs</ul>${content}</div></div><button>After</button>`;
  const below = (content: string): string => item(`<figure>${content}</figure>`);
  for (const body of [item(times(120, box)), below(times(120, box))]) {
    const text = await textOf(body, { tokenBudget: 300 });
    expect(FOLD.exec(text)?.[2]).toBe('groups');
    expect(text).toContain('button "After"');
  }
});

/** A select with 200 options that begin with a word. */
const select = (label: string, word: string): string =>
  `<label>${label} <select>${times(200, (option) => `<option${option === 77 ? ' selected' : ''}>${word} number ${option}</option>`)}</select></label>`;

test('folds the options of six selects, and keeps the selected value', async () => {
  const text = await textOf(
    times(6, (index) => select(`Zone ${index}`, `Zone ${index}`)),
    { tokenBudget: 500 },
  );
  expect(text.match(/… \d+ more$/gm)).toHaveLength(6);
  expect(text).toContain('combobox "Zone 5" = "Zone 5 number 77" options "Zone 5 number 0"');
});

test('lists 200 options that two selects share only once, and keeps both names in table cells', async () => {
  const text = await textOf(select('From', 'Stop') + select('To', 'Stop'), { tokenBudget: Infinity });
  expect(text.split('\n')[1]).toBe('e2 combobox "To" = "Stop number 77" options as e1');
  const cells = `<table><tr><th>From</th><th>To</th></tr><tr><td>${select('From', 'Stop')}</td><td>${select('To', 'Stop')}</td><td>x</td></tr></table>`;
  await open(cells);
  expect((await browser.page.snapshot()).refs).toEqual({
    e1: { role: 'combobox', name: 'From' },
    e2: { role: 'combobox', name: 'To' },
  });
});

test('folds the rows of a large table and the cells of a long row', async () => {
  const cells = (rowNumber: number): string => times(60, (index) => `<td>${rowNumber}/${index}</td>`);
  const text = await textOf(`<table>${times(100, (index) => `<tr>${cells(index)}</tr>`)}</table>`);
  expect(text).toMatch(/row \| 0\/0 .*… \d+ more cells \(in e\d+\) \| 0\/59/);
  expect(text).toMatch(/… \d+ more rows/);
});

test('lists folded elements in `refs` with role and name', async () => {
  await open(table(300));
  const { text, refs } = await browser.page.snapshot();
  const { refs: all } = await browser.page.snapshot({ tokenBudget: Infinity });
  expect(refs).toEqual(all);
  const [, , , first = '', last = ''] = FOLD.exec(text) ?? [];
  expect(refs[first]).toEqual({ role: 'link', name: 'Details' });
  expect(refs[last]).toEqual({ role: 'button', name: 'Add' });
  expect(text).not.toMatch(new RegExp(`^.*${first} `, 'm'));
});

test('expands only the fold that starts at the requested ref', async () => {
  await open(`<nav>${times(100, (index) => `<a href="/${index}">Link ${index}</a>`)}</nav>${table(100)}`);
  const { text } = await browser.page.snapshot();
  const [, , , first = ''] = FOLD.exec(text.slice(text.indexOf('table'))) ?? [];
  const expanded = (await browser.page.snapshot({ expand: first })).text;
  expect(expanded.match(/link "Details"/g)).toHaveLength(100);
  expect(expanded.match(/… \d+ more links/g)).toHaveLength(1);
});

test('expands a fold without refs by the ref of its container', async () => {
  const body = `<ul>${times(300, (index) => `<li>Entry number ${index} of the list</li>`)}</ul>`;
  const [, , , holder = ''] = FOLD.exec(await textOf(body)) ?? [];
  const { text } = await browser.page.snapshot({ expand: holder });
  expect(text).toContain('Entry number 150 of');
  expect(text).not.toContain('…');
});

test('expands the options of a select by its ref', async () => {
  const body = `<select aria-label="Zone">${times(300, (index) => `<option>Zone number ${index}</option>`)}</select>`;
  expect(await textOf(body)).not.toContain('"Zone number 150"');
  expect((await browser.page.snapshot({ expand: 'e1' })).text).toContain('"Zone number 150"');
});

const isShared = (rows: number): boolean => rows > 10 && rows < 30;

test('shares the budget among frames: shows a small frame whole and folds two large ones', async () => {
  browser.server.page('/long', `<body>${table(300)}`);
  browser.server.page('/short', '<button>Pay</button>');
  const { otherOrigin } = browser.server;
  const frames = `<iframe src="/long"></iframe><iframe src="${otherOrigin}/long"></iframe><iframe src="${otherOrigin}/short"></iframe>`;
  const text = await textOf(`<h1>Main</h1>${frames}`, { tokenBudget: 1200 });
  expect(text.match(/… \d+ more rows/g)).toHaveLength(2);
  expect(text).toContain('button "Pay"');
  expect(text.length / 3).toBeLessThan(1200);
  const [, ...shown] = text.split(/^e\d+ iframe$/m).map((part) => part.match(/link "Details"/g)?.length ?? 0);
  expect(shown).toEqual([expect.toSatisfy(isShared), expect.toSatisfy(isShared), 0]);
});

test('cuts off long paragraphs, and keeps every link', async () => {
  const prose = 'The council approved the new bridge after a long debate. '.repeat(10);
  const section = (index: number): string =>
    `<h2>Part ${index}</h2><p>${prose}${index}</p><a href="/${index}">More ${index}</a>`;
  const text = await textOf(times(3, section), { tokenBudget: 200 });
  expect(text.length).toBeLessThan(900);
  for (const index of [0, 1, 2]) expect(text).toContain(`link "More ${index}"`);
});

test('fills the budget after a row of links that does not fit', async () => {
  const links = times(70, (index) => `<a href="#${index}">part${index}()</a> `);
  // Blocks in no order, so that none of them repeat.
  const kinds = ['p', 'blockquote', 'pre', 'ul', 'nav', 'aside', 'form'];
  const blocks = Array.from({ length: 160 }, (_, index) => {
    const kind = kinds[(index * index) % 7] ?? 'p';
    return `<${kind}><b>The council approved the new bridge after a long debate.</b> <a href="#b">Part ${index}</a></${kind}>`;
  });
  blocks.splice(10, 0, `<table><tr><th>Parts</th></tr><tr><td>${links}</td></tr></table>`);
  const text = await textOf(blocks.join(''), { tokenBudget: 400 });
  expect(text).toContain('… 1 more line (e11–e80)');
  expect(text).toContain('link "Part 10"');
  expect(tokensIn(text)).toBeGreaterThan(0.7 * 400);
});

test.each<[options: object, argument: string]>([
  [{ tokenBudget: 0 }, 'tokenBudget'],
  [{ tokenBudget: '600' }, 'tokenBudget'],
  [{ expand: 'row 3' }, 'expand'],
  [{ expand: 3 }, 'expand'],
])('rejects %j and names the invalid option', async (options, argument) => {
  const error = await failureOf(browser.page.snapshot(options));
  expect(error).toMatchObject({ name: 'DriverInvalidArgumentError', argument });
});

test('rejects an `expand` ref that is not on the page', async () => {
  await textOf('<button>Buy</button>');
  await expect(browser.page.snapshot({ expand: 'e9999' })).rejects.toMatchObject({
    name: 'DriverElementNotFoundError',
    message: expect.stringContaining('e9999'),
  });
});

test('rejects a negative `snapshot.tokenBudget` when the driver is created', () => {
  const make = (): Driver =>
    new Driver({ env: 'LOCAL', snapshot: { tokenBudget: -1 }, llmClient: new ScriptedModel([]) });
  expect(make).toThrow(/snapshot\.tokenBudget must be a number of tokens above 0/);
});

const NAMES = 'Orders Customers Returns Discounts Reports Settings Staff Billing Domains Themes'.split(' ');
const menu = NAMES.map((name, index) => `<li><a href="/${index}">${name}</a></li>`).join('');

/** What an agent sees of a page. */
async function agentText(body: string, instruction: string, expand?: string): Promise<string> {
  await open(body);
  using progress = new Progress({ operation: 'snapshot', timeout: 10_000 });
  const options = { tokenBudget: 5000, instruction, foldsNavigation: true, ...(expand !== undefined && { expand }) };
  return (await takeSnapshot(progress, browser.page.target, options)).text;
}

test.each([
  ['navigation', `<nav><ul>${menu}</ul></nav>`],
  ['a sidebar', `<aside aria-label=Menu><div>${menu}</div></aside>`],
  ['a banner', `<header>${menu}</header>`],
  ['a footer', `<footer>${menu}</footer>`],
])('folds the links in %s to one line of names for an agent, except the link of the task', async (_what, html) => {
  const text = await agentText(`${html}<main><button>Save</button></main>`, 'Open the customers');
  expect(text).toMatch(/e2 link "Customers"/);
  expect(text).toMatch(/… 7 more .*: Discounts, Reports, Settings, Staff, Billing, Domains, Themes$/m);
  expect(text).not.toMatch(/link "Themes"/);
  expect(text).toContain('button "Save"');
  expect((await textOf(`${html}<main></main>`)).match(/ link "/g)).toHaveLength(10);
});

test('keeps fields and the current link in navigation, and all links of the main part', async () => {
  const current = menu.replace('<a href="/6"', '<a aria-current=page href="/6"');
  const html = `<nav>${current}<input aria-label=Search></nav><main><ul>${menu}</ul></main>`;
  const text = await agentText(html, 'Do it');
  expect(text).toMatch(/… 6 more .*: Orders, Customers, Returns, Discounts, Reports, Settings/);
  expect(text).toContain('link "Staff" current');
  expect(text).toContain('textbox "Search"');
  expect(text.match(/ link "(Orders|Themes)"/g)).toHaveLength(3);
});

test('keeps the text of a sidebar such as a cart, and expands folded navigation on request', async () => {
  const cart = `<aside>${NAMES.map((name) => `<div>${name}</div><div>4.50</div>`).join('')}<a href="/pay">Pay</a></aside>`;
  expect(await agentText(cart, 'Do it')).toContain('- Themes');
  expect(await agentText(`<nav>${menu}</nav>`, 'Do it', 'e3')).toContain('link "Themes"');
});

test('reports a change in folded navigation', async () => {
  await open(`<nav>${menu}</nav>`);
  using progress = new Progress({ operation: 'snapshot', timeout: 10_000 });
  const options = { tokenBudget: 5000, instruction: 'Do it', foldsNavigation: true };
  const before = await takeSnapshot(progress, browser.page.target, options);
  await browser.page.evaluate(`document.querySelectorAll('a')[5].title = 'Two are new'`);
  const after = await takeSnapshot(progress, browser.page.target, { ...options, earlier: before });
  expect(diffSnapshots(before, after).text).toMatch(/~folded: e6 link "Settings"/);
});
