import { beforeEach, expect, test, vi } from 'vitest';
import { World } from '../../src/cdp/world.ts';
import type { Observation } from '../../src/snapshot/next-observation.ts';
import { PageView, type ViewOptions } from '../../src/snapshot/page-view.ts';
import { Progress } from '../../src/util/progress.ts';
import { useBrowser } from '../support/use-browser.ts';

const ROWS = 400;
const row = (index: number): string =>
  `<tr id="r${index}"><td>Mug ${index}</td><td>${index}.50</td><td><a href="/mug/${index}">More</a></td><td><button>Add ${index}</button></td></tr>`;
const SHOP =
  `<!doctype html><title>Shop</title><body><h1>Shop</h1><p id="note">Welcome</p><p id="cart">Empty</p><ul id="log"></ul><div id="place"></div>` +
  `<table><tr><th>Name</th><th>Price</th><th>More</th><th>Order</th></tr>${Array.from({ length: ROWS }, (_, index) => row(index)).join('')}</table>` +
  `<section aria-label="News">${Array.from({ length: 90 }, (_, index) => `<p>News ${index}</p>`).join('')}</section>`;
const SMALL =
  '<!doctype html><title>Small</title><h1>Small</h1><button>One</button><button>Two</button><p id="note">Text</p>';

const browser = useBrowser({
  routes: { '/shop': SHOP, '/small': SMALL },
});

let view: PageView;
beforeEach(() => {
  view = new PageView(browser.page.target);
});

async function look(options: ViewOptions = {}): Promise<Observation> {
  using progress = new Progress({ operation: 'look', timeout: 30_000 });
  return await view.next(progress, { tokenBudget: 1500, ...options });
}

async function openShop(): Promise<Observation> {
  await browser.page.goto(`${browser.server.origin}/shop`);
  return look();
}

const change = (script: string): Promise<unknown> => browser.page.evaluate(script);
const refOf = (text: string, words: string): string => new RegExp(`((?:f\\d+)?e\\d+) ${words}`).exec(text)?.[1] ?? '';

test('shows the page first, then only the changes of each step, also inside folds', async () => {
  const { kind, text } = await openShop();
  expect(kind).toBe('page');
  expect(text).toMatch(/… \d+ more rows \(e\d+–e\d+\)/);
  expect(await look()).toEqual({ kind: 'same', text: '' });

  await change(`document.querySelector('#r200 td').textContent = 'Sold out'`);
  expect((await look()).text).toMatch(/^~folded: e401 link "More"$/);

  await change(`document.querySelector('#place').innerHTML = '<button>Pay now</button>'`);
  expect((await look()).text).toMatch(/^\*e\d+ button "Pay now"$/);

  await change(`document.querySelector('#r201').remove(); document.querySelector('#r0 td').textContent = 'Cup'`);
  expect((await look()).text.split('\n')).toEqual([
    'table',
    ' ~row | Cup | 0.50 | e1 link "More" #0 | e2 button "Add 0"',
    expect.stringMatching(/^ ~… \d+ more rows/),
    'gone: e403–e404',
  ]);

  await change(`document.querySelectorAll('section p')[50].textContent = 'Breaking'`);
  expect((await look()).text).toMatch(/^~folded: 1 in e\d+$/);
});

test('reads an untouched page again only after its document changed or reloaded', async () => {
  await browser.page.goto(`${browser.server.origin}/small`);
  await browser.driver.act({ selector: 'button', description: 'One', method: 'click', arguments: [] });
  const { kind } = await look();
  expect(kind).toBe('page');
  using asked = vi.spyOn(World.prototype, 'call');
  const calls = (): readonly string[] => asked.mock.calls.splice(0).map(([method]) => method);
  expect(await look({ isWithoutActions: true })).toEqual({ kind: 'same', text: '' });
  expect(calls()).toEqual(['quietDuration']);

  await change(`document.querySelector('#note').textContent = 'News'`);
  expect((await look({ isWithoutActions: true })).text).toContain('News');
  expect(calls()).toEqual(['quietDuration', 'snapshot']);

  await browser.page.reload();
  await look();
  calls();
  expect((await look({ isWithoutActions: true })).kind).toBe('same');
  expect(calls()).toEqual(['quietDuration', 'snapshot']);
});

test('shows at most 2 % of the page per step in 40 steps, repeats it at most twice and keeps refs', async () => {
  const first = await openShop();
  using progress = new Progress({ operation: 'look', timeout: 30_000 });
  const whole = await new PageView(browser.page.target).next(progress);
  const button = refOf(first.text, 'button "Add 1"');
  const meant = view.target(button);
  const told = new Map<string, string>();
  let keyframes = 0;
  let longest = 0;
  for (let step = 0; step < 40; step += 1) {
    await change(
      `document.querySelector('#cart').textContent = 'Items: ${step}';` +
        `document.querySelector('#place').innerHTML = '<button>Undo ${step}</button>';` +
        `document.querySelector('#r${step * 9} td').textContent = 'Picked ${step}';`,
    );
    const { kind, text } = await look();
    if (kind === 'page') keyframes += 1;
    else longest = Math.max(longest, text.length);
    const undo = refOf(text, `button "Undo ${step}"`);
    expect(told.has(undo)).toBe(false);
    for (const [earlier] of told) expect(view.target(earlier)).toBeUndefined();
    told.set(undo, text);
    expect(view.target(undo)).toMatchObject({ role: 'button', name: `Undo ${step}` });
  }
  expect(view.target(button)).toEqual(meant);
  expect(keyframes).toBeLessThanOrEqual(2);
  expect(longest).toBeLessThanOrEqual(whole.text.length * 0.02);
});

test('keeps the numbers of URLs from step to step', async () => {
  await openShop();
  await change(`document.querySelector('#place').innerHTML = '<a href="/sale">Sale</a>'`);
  const { text } = await look();
  expect(text).toMatch(/^\*e\d+ link "Sale" #(\d+)$/);
  const number = Number(/#(\d+)$/.exec(text)?.[1]);
  expect(view.snapshot?.urls[number]).toBe(`${browser.server.origin}/sale`);
  expect(view.snapshot?.urls[0]).toBe(`${browser.server.origin}/mug/0`);
});

test('shows an expanded fold without marks, keeps it expanded and reports its changes', async () => {
  const { text } = await openShop();
  const [, from = ''] = /more rows \((e\d+)–/.exec(text) ?? [];
  const expanded = await look({ expand: from });
  expect(expanded.kind).toBe('changes');
  expect(expanded.text).toContain(`\n row | Mug 100 | 100.50 |`);
  expect(expanded.text).not.toMatch(/^ *[*~]row/m);
  expect(await look()).toEqual({ kind: 'same', text: '' });
  await change(`document.querySelector('#r100 td').textContent = 'Jug'`);
  expect((await look()).text).toMatch(/^table\n ~row \| Jug \| 100\.50 \|.*$/);
  const again = await look({ isWhole: true });
  expect(again.text).not.toContain('Mug 101 ');
});

test('reports frames that appear, reload and disappear, and drops their old refs', async () => {
  await browser.page.goto(browser.server.page('/frames', `${SMALL}${'<p>Words to fill the page.</p>'.repeat(90)}`));
  await look();
  const addFrame = (text: string): string =>
    `new Promise((done) => { const frame = document.querySelector('iframe') ?? document.createElement('iframe'); frame.onload = done; ` +
    `frame.srcdoc = '<button>${text}</button>'; if (!frame.isConnected) document.body.prepend(frame); }).then(() => 0)`;
  await change(addFrame('In it'));
  const came = await look();
  expect(came.text.split('\n')).toEqual([
    expect.stringMatching(/^\*e\d+ iframe$/),
    expect.stringMatching(/^ \*f\d+e1 button "In it"$/),
  ]);
  const inner = refOf(came.text, 'button "In it"');
  await change(addFrame('In it'));
  const reloaded = await look();
  const next = refOf(reloaded.text, 'button "In it"');
  expect(reloaded.text).toContain(`*${next} button "In it"`);
  expect(reloaded.text).toContain(`gone: ${inner} button "In it"`);
  expect(next).not.toBe(inner);
  expect(view.target(inner)).toBeUndefined();
  await change(`document.querySelector('iframe').remove()`);
  expect((await look()).text).toMatch(new RegExp(`^gone: e\\d+ iframe; 1 more line \\(${next}\\)$`));
  expect(view.target(next)).toBeUndefined();
});

test('shows the whole page for another document, after a large change and after many small ones', async () => {
  await openShop();
  await browser.page.goto(`${browser.server.origin}/small`);
  const other = await look();
  expect(other).toEqual({ kind: 'page', text: 'heading 1 "Small"\ne1 button "One"\ne2 button "Two"\n- Text' });
  await change(`document.body.innerHTML = '<h1>Large</h1><button>Three</button>'`);
  expect((await look()).kind).toBe('page');

  await browser.page.goto(`${browser.server.origin}/small`);
  await look();
  const kinds: string[] = [];
  for (let step = 0; step < 6; step += 1) {
    await change(`document.querySelector('#note').textContent = 'N${step}'`);
    kinds.push((await look()).kind);
  }
  expect(kinds).toContain('page');
  expect(kinds[0]).toBe('changes');
});

test('shows only the changes of a similar document, with refs into the new document', async () => {
  const rows = Array.from({ length: 20 }, (_, place) => `<li><a href="#${place}">Row ${place}</a></li>`).join('');
  const page = (note: string): string =>
    `<!doctype html><title>Shop</title><ul>${rows}</ul><p>${note}</p><button onclick="document.title = 'Sent'">Send</button>`;
  await browser.page.goto(browser.server.page('/list', page('Nothing yet')));
  expect((await look()).kind).toBe('page');
  await browser.page.goto(browser.server.page('/sent', page('Thank you')));
  const { kind, text } = await look();
  expect(kind).toBe('changes');
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^The page has reloaded\./),
    '*- Thank you',
    'gone: - Nothing yet',
  ]);
  const send = [...(view.snapshot?.refs ?? [])].find(([, { name }]) => name === 'Send');
  expect(view.target(send?.[0] ?? '')?.world).toBe(view.snapshot?.world);
  await browser.page.goto(browser.server.page('/again', page('Thank you')));
  expect((await look()).text).toBe('The page has reloaded. Lines not listed here are unchanged and keep their refs.');
});

test('shows one line for the page behind a modal dialog, and recognizes the page afterwards', async () => {
  await browser.page.goto(`${browser.server.origin}/small`);
  await change(
    `document.body.insertAdjacentHTML('beforeend', '<ul>' + '<li><a href="#">Item</a></li>'.repeat(40) + '</ul><iframe srcdoc="<button>In frame</button>"></iframe><dialog aria-label="Sure?"><button>Yes</button></dialog>')`,
  );
  await expect.poll(async () => (await browser.page.snapshot()).text).toContain('In frame');
  expect((await look()).kind).toBe('page');

  await change(`document.querySelector('dialog').showModal()`);
  const opened = await look();
  expect(opened.text.split('\n')).toEqual([
    expect.stringMatching(/^\*e\d+ dialog "Sure\?"/),
    expect.stringMatching(/^ \*e\d+ button "Yes"/),
    expect.stringMatching(/^~… 45 more lines of the page behind the dialog/),
  ]);
  expect((await browser.page.snapshot()).text.split('\n')).toHaveLength(3);

  await change(`note.textContent = 'Other text'; document.querySelector('dialog').append('Really?')`);
  expect((await look()).text.split('\n')).toEqual([expect.stringMatching(/^e\d+ dialog "Sure\?"/), ' *- Really?']);

  await change(`document.querySelector('dialog').close()`);
  expect((await look()).text.split('\n')).toEqual([
    '*- Other text',
    expect.stringMatching(/^gone: - Text; e\d+ dialog "Sure\?"/),
  ]);
});

test('does not repeat a long value that has not changed when its field gets the focus', async () => {
  await browser.page.goto(`${browser.server.origin}/small`);
  await change(
    `document.body.insertAdjacentHTML('beforeend', '<textarea aria-label="Article">' + 'A line of "words".\\n'.repeat(60) + '</textarea>')`,
  );
  expect((await look()).text).toContain('A line of \\"words\\".\\nA line');
  await change(`document.querySelector('textarea').focus()`);
  expect((await look()).text).toMatch(
    /^~e\d+ textbox "Article" = "A line of .{20,40}…" \(unchanged\) multiline focused$/,
  );
  await change(`document.querySelector('textarea').value += 'The end'`);
  expect((await look({ tokenBudget: 6000 })).text).toContain('The end"');
});
