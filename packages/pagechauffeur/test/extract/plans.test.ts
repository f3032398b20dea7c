import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DriverOptions, ExperimentalFeatureError } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

let script: (request: ModelRequest) => unknown;
const model = new ScriptedModel((request) => script(request));
const cacheDir = join(tmpdir(), `chauffeur-plans-${process.pid}`);
const browser = useBrowser({ llmClient: model, experimental: true, cacheDir });

beforeEach(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});
afterAll(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});

interface Mug {
  readonly name: string;
  readonly price: string;
  readonly note?: string;
}

const MUGS: readonly Mug[] = [
  { name: 'Blue mug', price: '€ 8.50', note: 'handmade' },
  { name: 'Red mug', price: '€ 1,009.00' },
  { name: 'Tall cup', price: '€ 8.50', note: 'new' },
];
const SCHEMA = z.object({
  title: z.string(),
  mugs: z.array(
    z.object({ name: z.string(), price: z.number().positive(), url: z.url(), note: z.string().nullable() }),
  ),
});
const DATA = {
  title: 'Our mugs',
  mugs: [
    { name: 'Blue mug', price: 8.5, url: '#0', note: 'handmade' },
    { name: 'Red mug', price: 1009, url: '#1', note: null },
    { name: 'Tall cup', price: 8.5, url: '#2', note: 'new' },
  ],
};

function table(mugs: readonly Mug[], { headers = 'Name,Price', currency = '€' } = {}): string {
  const [first, second] = headers.split(',');
  const rows = mugs.map(
    ({ name, price, note }) =>
      `<tr><td><a href="/mugs/${encodeURIComponent(name)}">${name}</a>${note ? ` <i class="note">${note}</i>` : ''}</td>
       <td>${price.replace('€', currency)}</td></tr>`,
  );
  return `<h1>Our mugs</h1><nav><a href="/">Home</a></nav>
    <table><tr><th>${first}</th><th>${second}</th></tr>${rows.join('')}</table>`;
}

function cards(mugs: readonly Mug[]): string {
  const items = mugs.map(
    ({ name, price, note }) =>
      `<div class="card"><h3><a href="/mugs/${encodeURIComponent(name)}">${name}</a></h3><p>${price}</p>
       ${note ? `<small>${note}</small>` : ''}</div>`,
  );
  return `<h1>Our mugs</h1><div class="grid">${items.join('')}</div>`;
}

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/shop', `<!doctype html><title>Shop</title>${html}`), {
    waitUntil: 'load',
  });
}

function numbered({ mugs, ...rest }: typeof DATA, request: ModelRequest): unknown {
  const link = (name: string): string | undefined => new RegExp(`link "${name}" (#\\d+)`).exec(request.page.text)?.[1];
  return { ...rest, mugs: mugs.map((mug) => ({ ...mug, url: link(mug.name) })) };
}

async function learn(html: string): Promise<void> {
  await open(html);
  script = (request) => numbered(DATA, request);
  await extractCounted(1);
}

async function extractCounted(questions: number): Promise<z.infer<typeof SCHEMA>> {
  const before = model.requests.length;
  const result = await browser.driver.extract('all mugs', SCHEMA);
  expect(model.requests.length - before).toBe(questions);
  return result;
}

function urlOf(name: string): string {
  return `${browser.server.origin}/mugs/${encodeURIComponent(name)}`;
}

test('stores a plan under the URL that a pending navigation leads to', async () => {
  const { page, server } = browser;
  const sale = server.page('/sale', (_request, response) => {
    response.setHeader('content-type', 'text/html');
    setTimeout(() => response.end(`<!doctype html><title>Sale</title>${table(MUGS)}`), 500);
  });
  await open('');
  script = (request) => numbered(DATA, request);
  await page.evaluate(`location.href = ${JSON.stringify(sale)}`);
  expect(page.url()).not.toBe(sale);
  await extractCounted(1);
  await page.goto(sale, { waitUntil: 'load' });
  await extractCounted(0);
});

test('stores a plan without an instruction', async () => {
  await open(table(MUGS));
  script = (request) => numbered(DATA, request);
  const before = model.requests.length;
  const first = await browser.driver.extract({ schema: SCHEMA });
  expect(await browser.driver.extract({ schema: SCHEMA })).toEqual(first);
  expect(model.requests.length - before).toBe(1);
});

test.each([
  ['the description of a field', z.object({ name: z.string().describe('of the cheapest mug') })],
  ['the name of a field', z.object({ cheapestMug: z.string() })],
])('uses no plan if %s chooses an entry', async (_where, schema) => {
  await open(table(MUGS));
  script = () => ({ name: 'Blue mug', cheapestMug: 'Blue mug' });
  const before = model.requests.length;
  await browser.driver.extract('the mug', schema);
  await browser.driver.extract('the mug', schema);
  expect(model.requests.length - before).toBe(2);
});

const PAGES = [
  ['a table', table],
  ['cards', cards],
] as const;

describe.each(PAGES)('plan for %s', (_kind, pageOf) => {
  // [spec: driver-options.experimental, driver-options.cacheDir, versioning.experimental]
  test('reads the current page without a model, with more rows, fewer rows and other values', async () => {
    await learn(pageOf(MUGS));
    await open(
      pageOf([
        { name: 'Green bowl', price: '€ 12.00', note: 'sale' },
        ...MUGS.slice(1),
        { name: 'Jug', price: '€ 3.25' },
        { name: 'Jug', price: '€ 3.25' },
      ]),
    );
    expect(await extractCounted(0)).toEqual({
      title: 'Our mugs',
      mugs: [
        { name: 'Green bowl', price: 12, url: urlOf('Green bowl'), note: 'sale' },
        { name: 'Red mug', price: 1009, url: urlOf('Red mug'), note: null },
        { name: 'Tall cup', price: 8.5, url: urlOf('Tall cup'), note: 'new' },
        { name: 'Jug', price: 3.25, url: urlOf('Jug'), note: null },
        { name: 'Jug', price: 3.25, url: urlOf('Jug'), note: null },
      ],
    });
    await open(pageOf(MUGS.slice(2)));
    expect(await extractCounted(0)).toEqual({
      title: 'Our mugs',
      mugs: [{ name: 'Tall cup', price: 8.5, url: urlOf('Tall cup'), note: 'new' }],
    });
  });
});

describe('page that no longer matches its plan', () => {
  test.each([
    ['columns changed places', table(MUGS, { headers: 'Price,Name' })],
    ['prices are in another currency', table(MUGS, { currency: '$' })],
    ['a price is not a number', table([...MUGS, { name: 'Vase', price: 'sold out' }])],
    ['the table becomes a list of cards', cards(MUGS)],
    ['there are no rows', table([])],
    ['one row has another shape', table(MUGS).replace('</table>', '<tr><td colspan="2">Jug, € 2.00</td></tr></table>')],
    ['a value does not fit the schema', table([...MUGS, { name: 'Vase', price: '€ -4.00' }])],
  ])('asks the model when %s', async (_change, html) => {
    await learn(table(MUGS));
    await open(html);
    script = () => ({ title: 'Our mugs', mugs: [] });
    expect(await extractCounted(1)).toEqual({ title: 'Our mugs', mugs: [] });
    expect(browser.lines.some(({ message }) => message.includes('does not match its stored plan'))).toBe(true);
  });

  test('reads the new shape without a model afterwards', async () => {
    await learn(table(MUGS));
    await learn(cards(MUGS));
    await open(cards(MUGS.slice(1)));
    expect((await extractCounted(0)).mugs.map(({ name }) => name)).toEqual(['Red mug', 'Tall cup']);
  });
});

describe('extract() without a plan', () => {
  test.each([
    ['the model left entries out', 'all mugs', { ...DATA, mugs: DATA.mugs.slice(0, 2) }],
    ['a value is not on the page', 'all mugs', { ...DATA, title: 'Three mugs' }],
    ['the instruction filters entries', 'the mugs under 2000 euros', DATA],
  ])('stores no plan when %s', async (_reason, instruction, data) => {
    await open(table(MUGS));
    script = (request) => numbered(data, request);
    for (const time of [1, 2]) {
      const before = model.requests.length;
      await browser.driver.extract(instruction, SCHEMA);
      expect(model.requests.length - before, `call ${time}`).toBe(1);
    }
  });

  test('asks the model with `screenshot: true` although a plan exists', async () => {
    await learn(table(MUGS));
    const before = model.requests.length;
    await browser.driver.extract('all mugs', SCHEMA, { screenshot: true });
    expect(model.requests.length - before).toBe(1);
    const images = model.requests.at(-1)?.messages.flatMap((message) => message.images ?? []);
    expect(images).toHaveLength(1);
  });
});

test('finds a single value by its label, and returns evidence without a model', async () => {
  const order = (number: string, status: string): string =>
    `<dl><dt>Number</dt><dd>${number}</dd><dt>Status</dt><dd>${status}</dd></dl>`;
  const schema = z.object({ number: z.string(), status: z.string() });
  const extract = () => browser.driver.extract('the order', schema, { withEvidence: true });
  await open(order('A-17', 'open'));
  script = () => ({ number: 'A-17', status: 'open' });
  await extract();
  await open(order('B-4', 'shipped'));
  const before = model.requests.length;
  expect(await extract()).toEqual({
    data: { number: 'B-4', status: 'shipped' },
    evidence: {
      number: { selector: 'xpath=/html[1]/body[1]/dl[1]/dd[1]', text: 'B-4' },
      status: { selector: 'xpath=/html[1]/body[1]/dl[1]/dd[2]', text: 'shipped' },
    },
  });
  expect(model.requests.length).toBe(before);
  await open('<dl><dt>Status</dt><dd>shipped</dd><dt>Number</dt><dd>B-4</dd></dl>');
  script = () => ({ number: 'B-4', status: 'shipped' });
  expect((await extract()).data).toEqual({ number: 'B-4', status: 'shipped' });
  expect(model.requests.length).toBe(before + 1);
});

test('reads nested lists without a model', async () => {
  const groups = (all: Readonly<Record<string, readonly string[]>>): string =>
    Object.entries(all)
      .map(
        ([name, items]) =>
          `<section><h2>${name}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`,
      )
      .join('');
  const schema = z.array(z.object({ name: z.string(), items: z.array(z.string()) }));
  await open(groups({ Fruit: ['apple', 'pear'], Bread: ['rye'] }));
  script = () => ({
    value: [
      { name: 'Fruit', items: ['apple', 'pear'] },
      { name: 'Bread', items: ['rye'] },
    ],
  });
  await browser.driver.extract('all groups', schema);
  await open(groups({ Fruit: ['fig'], Tea: ['green', 'black', 'black'], Bread: ['rye', 'oat'] }));
  const before = model.requests.length;
  expect(await browser.driver.extract('all groups', schema)).toEqual([
    { name: 'Fruit', items: ['fig'] },
    { name: 'Tea', items: ['green', 'black', 'black'] },
    { name: 'Bread', items: ['rye', 'oat'] },
  ]);
  expect(model.requests.length).toBe(before);
});

test('stores no page values in a plan, and ignores a damaged one', async () => {
  await learn(table(MUGS));
  const [file = ''] = await readdir(cacheDir);
  const text = await readFile(join(cacheDir, file), 'utf8');
  for (const { name, price } of MUGS) {
    expect(text).not.toContain(name);
    expect(text).not.toContain(price);
  }
  await writeFile(join(cacheDir, file), text.replace('"kind": "list"', '"kind": "heap"'));
  expect((await extractCounted(1)).mugs).toHaveLength(3);
  expect((await extractCounted(0)).mugs).toHaveLength(3);
});

test('asks a model if an edited plan lacks an optional field', async () => {
  const schema = z.object({ number: z.string(), status: z.string().optional() });
  const extract = () => browser.driver.extract('the order', schema);
  await open('<dl><dt>Number</dt><dd>A-17</dd><dt>Status</dt><dd>open</dd></dl>');
  script = () => ({ number: 'A-17', status: 'open' });
  await extract();
  const [file = ''] = await readdir(cacheDir);
  const path = join(cacheDir, file);
  const entry = JSON.parse(await readFile(path, 'utf8')) as Record<string, { fields?: Record<string, unknown> }>;
  for (const { fields } of Object.values(entry)) delete fields?.['status'];
  await writeFile(path, JSON.stringify(entry));
  const before = model.requests.length;
  expect(await extract()).toEqual({ number: 'A-17', status: 'open' });
  expect(model.requests.length).toBe(before + 1);
});

test.each(['states', '__proto__'])('asks the model when an edited plan reads the non-text part %s', async (part) => {
  await learn(table(MUGS));
  const [file = ''] = await readdir(cacheDir);
  const path = join(cacheDir, file);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"part": "name"', `"part": "${part}"`));
  expect((await extractCounted(1)).mugs).toHaveLength(3);
});

// [spec: driver-options.experimental, versioning.experimental]
test('throws for `plan: true` without `experimental` or without `cacheDir`', async () => {
  await open(table(MUGS));
  const asked = model.requests.length;
  const ask = async (options: Partial<DriverOptions>): Promise<unknown> => {
    await using started = await startDriver({
      llmClient: model,
      ...options,
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    return await failureOf(started.driver.extract('all mugs', SCHEMA, { plan: true }));
  };
  const error = await ask({ cacheDir });
  expect(error).toBeInstanceOf(ExperimentalFeatureError);
  expect(error).toMatchObject({ code: 'EXPERIMENTAL_FEATURE', feature: 'extraction plans' });
  expect(error).toMatchObject({ message: expect.stringContaining('`experimental: true`') as string });
  expect(await ask({ experimental: true })).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'plan' });
  expect(model.requests.length).toBe(asked);
});

test('asks a model and stores nothing with `plan: false`', async () => {
  await learn(table(MUGS));
  const before = model.requests.length;
  const files = await readdir(cacheDir);
  await browser.driver.extract('all mugs', SCHEMA, { plan: false });
  expect(model.requests.length).toBe(before + 1);
  expect(await readdir(cacheDir)).toEqual(files);
  await browser.driver.extract('all mugs', SCHEMA, { plan: true });
});
