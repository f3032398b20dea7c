import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { type FieldEvidence } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

let script: (request: ModelRequest) => unknown;
const model = new ScriptedModel((request) => script(request), { allowUnknownRefs: true });
const browser = useBrowser({ llmClient: model });

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Test</title>${html}`), { waitUntil: 'load' });
}

/** What the elements of some evidence say, by their selectors. */
async function wordsAt(evidence: readonly (FieldEvidence | undefined)[]): Promise<(string | undefined)[]> {
  return Promise.all(
    evidence.map(async (found) => found && (await browser.page.locator(found.selector).innerText()).trim()),
  );
}

const shop = z.object({
  mugs: z.array(z.object({ name: z.string(), price: z.number(), url: z.url(), inStock: z.boolean().optional() })),
});

test('returns the element of each field of each entry, with its ref if it has one', async () => {
  await open(`<table><tr><th>Name</th><th>Price</th></tr>
    <tr><td><a href="/blue">Blue mug</a></td><td>€ 8.50</td></tr>
    <tr><td><a href="/red">Red mug</a></td><td>€ 8.50</td></tr></table>`);
  script = () => ({
    mugs: [
      { name: 'Blue mug', price: 8.5, url: '#0' },
      { name: 'Red mug', price: 8.5, url: '#1', inStock: true },
    ],
  });
  const { data, evidence } = await browser.driver.extract('all mugs', shop, { withEvidence: true });
  expect(data.mugs.map(({ url }) => url)).toEqual([`${browser.server.origin}/blue`, `${browser.server.origin}/red`]);
  const [blue, red] = evidence.mugs;
  expect(await wordsAt([blue?.name, blue?.price, red?.name, red?.price])).toEqual([
    'Blue mug',
    '€ 8.50',
    'Red mug',
    '€ 8.50',
  ]);
  expect(red?.price?.selector).toBe('xpath=/html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[2]');
  expect(red?.price?.text).toBe('€ 8.50');
  expect(red?.price?.ref).toBeUndefined();
  expect(red?.name?.ref).toMatch(/^e\d+$/);
  expect(red?.url?.selector).toBe(red?.name?.selector);
  expect(red?.inStock).toBeUndefined();
  expectTypeOf(blue).toEqualTypeOf<
    | {
        readonly name: FieldEvidence | undefined;
        readonly price: FieldEvidence | undefined;
        readonly url: FieldEvidence | undefined;
        readonly inStock?: FieldEvidence | undefined;
      }
    | undefined
  >();
});

test('uses the ref that the model names for an ambiguous or reworded value, and drops unknown refs', async () => {
  await open(`<button>Open</button><section><h2>Ticket 7</h2><button>Open</button></section>
    <button aria-pressed="true">Notify me</button>`);
  script = (request) => ({
    status: 'Open',
    title: 'Ticket 7',
    notifies: true,
    age: 3,
    evidence_refs: [
      { field: 'status', ref: [...request.page.text.matchAll(/(e\d+) button "Open"/g)].at(-1)?.[1] },
      { field: 'notifies', ref: refOf(request, { name: 'Notify me' }) },
      { field: 'age', ref: 'e999' },
    ],
  });
  const ticket = z.object({ status: z.string(), title: z.string(), notifies: z.boolean(), age: z.number() });
  const request = { instruction: 'the ticket', schema: ticket, withEvidence: true } as const;
  const { data, evidence } = await browser.driver.extract(request);
  expect(data).toEqual({ status: 'Open', title: 'Ticket 7', notifies: true, age: 3 });
  expect(evidence.status?.selector).toContain('/section[1]/button[1]');
  expect(evidence.title?.text).toBe('Ticket 7');
  expect(evidence.notifies?.text).toBe('Notify me');
  expect(evidence.age).toBeUndefined();
});

test('uses the ref for the only field of a schema, even if it is called `value`', async () => {
  await open('<button>Open</button><section><button>Open</button></section>');
  script = (request) => ({
    value: 'Open',
    evidence_refs: [{ field: 'value', ref: [...request.page.text.matchAll(/(e\d+) button "Open"/g)].at(-1)?.[1] }],
  });
  const named = await browser.driver.extract('the second', z.object({ value: z.string() }), { withEvidence: true });
  expect(named.evidence.value?.selector).toContain('/section[1]/button[1]');
  const wrapped = await browser.driver.extract('the second', z.string(), { withEvidence: true });
  expect(wrapped.evidence?.selector).toContain('/section[1]/button[1]');
});

test('finds a value as a whole word after a longer word that contains it', async () => {
  await open('<p>Cart</p><p>cart of the car</p>');
  script = () => ({ vehicle: 'car' });
  const { evidence } = await browser.driver.extract('the vehicle', z.object({ vehicle: z.string() }), {
    withEvidence: true,
  });
  expect(evidence.vehicle?.text).toBe('cart of the car');
});

test('returns evidence in frames and shadow roots, also with a selector inside one', async () => {
  browser.server.page('/inner', '<title>Inner</title><main><h2>Stock</h2><p>Total: <b>42</b> pieces</p></main>');
  await open(`<iframe src="${browser.server.otherOrigin}/inner"></iframe><div id="host"></div>
    <script>host.attachShadow({ mode: 'closed' }).innerHTML = '<ul><li>Hidden depth</li></ul>'</script>`);
  script = () => ({ total: 42, depth: 'Hidden depth' });
  const all = z.object({ total: z.number(), depth: z.string() });
  const { evidence } = await browser.driver.extract('both', all, { withEvidence: true });
  expect(evidence.total?.selector).toContain('/iframe[1]/html[1]/body[1]/main[1]/p[1]');
  expect(evidence.depth?.selector).toContain('/div[1]//ul[1]/li[1]');
  expect(await wordsAt([evidence.total, evidence.depth])).toEqual(['Total: 42 pieces', 'Hidden depth']);
  script = () => ({ value: 42 });
  const inside = await browser.driver.extract('the total', z.number(), {
    selector: 'iframe >> main',
    withEvidence: true,
  });
  expect(inside).toEqual({ data: 42, evidence: evidence.total && { ...evidence.total } });
});

test('locates controls in a list whose text repeats the name of the item around it', async () => {
  await open(`<div role="tree"><div role="treeitem">Mugs
    <ul><li>Big <a href="/big">Details</a></li><li>Small <a href="/small">More</a></li></ul></div></div>`);
  script = () => ({ first: 'Details', second: 'More' });
  const links = z.object({ first: z.string(), second: z.string() });
  const { evidence } = await browser.driver.extract('the links', links, { withEvidence: true });
  expect(evidence.first?.selector).toMatch(/\/ul\[1\]\/li\[1\]\/a\[1\]$/);
  expect(evidence.second?.selector).toMatch(/\/ul\[1\]\/li\[2\]\/a\[1\]$/);
});

test('locates equal entries one by one, in page order', async () => {
  const row = '<tr><td>Cup</td><td>4</td></tr>';
  await open(`<nav>Cup</nav><table>${row}${row}<tr><td>Pot</td><td>4</td></tr>${row}</table>`);
  const entries = ['Cup', 'Cup', 'Pot', 'Cup'].map((name) => ({ name, count: 4 }));
  script = () => ({ value: entries });
  const { data, evidence } = await browser.driver.extract(
    'all rows',
    z.array(z.object({ name: z.string(), count: z.number() })),
    { withEvidence: true },
  );
  expect(data).toEqual(entries);
  expect(evidence.map(({ name }) => name?.selector.replace(/.*(tr\[\d\]).*/, '$1'))).toEqual([
    'tr[1]',
    'tr[2]',
    'tr[3]',
    'tr[4]',
  ]);
  expect(evidence.map(({ count }) => count?.selector.replace(/.*(tr\[\d\]).*/, '$1'))).toEqual([
    'tr[1]',
    'tr[2]',
    'tr[3]',
    'tr[4]',
  ]);
});

test('locates values before the schema transforms them', async () => {
  await open('<dl><dt>Ordered</dt><dd>2026-03-01</dd></dl>');
  script = () => ({ ordered: '2026-03-01' });
  const { data, evidence } = await browser.driver.extract(
    'the order',
    z.object({ ordered: z.string().transform((day) => new Date(day)) }),
    {
      withEvidence: true,
    },
  );
  expect(data.ordered).toEqual(new Date('2026-03-01'));
  expect(evidence).toEqual({
    ordered: { selector: 'xpath=/html[1]/body[1]/dl[1]/dd[1]', text: '2026-03-01' },
  });
});
