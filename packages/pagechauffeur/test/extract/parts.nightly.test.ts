import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LLMResponseError, SchemaValidationError } from '../../src/errors.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { linesOf } from '../../src/model/page-view.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

let script: (request: ModelRequest) => unknown;
const model = new ScriptedModel((request) => script(request));
const browser = useBrowser({ llmClient: model, snapshot: { tokenBudget: 400 } });

const ROWS = 10_000;
const LARGE_TABLE = `<!doctype html><title>Orders</title><h1>Orders</h1>
  <table><thead><tr><th>Number</th><th>Status</th></tr></thead><tbody id="rows"></tbody></table><p>Imprint</p>
  <script>document.querySelector('#rows').innerHTML = Array.from({ length: ${ROWS} }, (_, i) =>
    '<tr><td><a href="/orders/' + i + '">Order ' + i + '</a></td><td>' + (i % 3 ? 'open' : 'shipped') + '</td></tr>').join('')</script>`;

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Test</title>${html}`), { waitUntil: 'load' });
}

async function questions<T>(run: () => Promise<T>): Promise<{ result: T; asked: readonly ModelRequest[] }> {
  const before = model.requests.length;
  const result = await run();
  return { result, asked: model.requests.slice(before) };
}

function textOf(request: ModelRequest): string {
  return request.messages.map(({ text }) => text).join('\n');
}

/** The cells of the rows that a model is shown, without headers. */
function rowsShown({ page }: ModelRequest): string[][] {
  return [...page.text.matchAll(/^ *row \| (?!Number|Name)(.*)$/gm)].map(([, cells = '']) => cells.split(' | '));
}

const orders = z.object({
  orders: z.array(z.object({ number: z.string(), status: z.enum(['open', 'shipped']), url: z.url() })),
});

function orderOf([link = '', status = '']: string[]): unknown {
  return { number: /"(.*)"/.exec(link)?.[1], status, url: /#\d+/.exec(link)?.[0] };
}

test('reads a table of 10,000 rows in parts: each row once, in order, with the header and its own URL', async () => {
  await browser.page.goto(browser.server.page('/orders', LARGE_TABLE), { waitUntil: 'load' });
  let underWay = 0;
  let most = 0;
  script = async (request) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return { orders: rowsShown(request).map(orderOf) };
  };
  const large = new ScriptedModel((request) => script(request));
  const { result, asked } = await questions(() => browser.driver.extract('all orders', orders, { model: large }));
  expect(asked).toEqual([]);
  expect(result.orders).toEqual(
    Array.from({ length: ROWS }, (_, i) => ({
      number: `Order ${i}`,
      status: i % 3 ? 'open' : 'shipped',
      url: `${browser.server.origin}/orders/${i}`,
    })),
  );
  expect(large.requests.length).toBeGreaterThan(50);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  for (const request of large.requests) {
    expect([...linesOf(request.page)].filter(({ role }) => role === 'columnheader')).toHaveLength(2);
    expect(request.page.text).toContain('row | Number | Status');
    expect(request.page.text).toContain('heading 1 "Orders"');
    expect(request.page.text.length).toBeLessThan(800 * 4);
    expect(textOf(request)).toContain(request.page.text);
  }
  expect(large.requests.map(({ page }) => page.text).filter((text) => text.includes('Imprint'))).toHaveLength(1);
}, 120_000);

const LONG =
  'Words that take their place on the page, so that there is not room for many of such lines in one part of it. ';

describe('field that occurs once on the page', () => {
  const schema = z.object({
    title: z.string(),
    owner: z.string().nullable(),
    note: z.string().optional(),
    tags: z.array(z.string()).min(2),
  });

  test('comes from the part that has it, and is null or absent if no part does', async () => {
    await open(`<h1>Long page</h1><p>Tag one</p>${`<p>${LONG}</p>`.repeat(60)}<p>Tag two</p>`);
    script = ({ page }) => ({
      title: page.text.includes('- Tag one') ? 'Long page' : null,
      owner: null,
      tags: [...page.text.matchAll(/Tag (\w+)/g)].map(([, tag]) => tag),
    });
    const { result, asked } = await questions(() => browser.driver.extract('title and tags', schema));
    expect(asked.length).toBeGreaterThan(1);
    expect(result).toEqual({ title: 'Long page', owner: null, tags: ['one', 'two'] });
  });

  test('asks the model once more when parts disagree', async () => {
    await open(`<p>Owner: Ann</p>${`<p>${LONG}</p>`.repeat(60)}<p>Owner: Ben</p>`);
    script = ({ page, schema: asked }) => {
      const names = [...page.text.matchAll(/Owner: (\w+)/g)].map(([, name]) => name);
      if (page.text.includes('"Ann"')) return { [Object.keys(asked['properties'] as object)[0] ?? '']: 'Ben' };
      return { value: names[0] ?? null };
    };
    const { result, asked } = await questions(() => browser.driver.extract('the owner', z.string()));
    expect(result).toBe('Ben');
    expect(asked.filter(({ page }) => page.text.includes('"Ann"'))).toHaveLength(1);
    expect(textOf(asked.at(-1) as ModelRequest)).toContain('"Ben"');
  });

  test('throws a SchemaValidationError with the found data if all parts lack a required field', async () => {
    await open(`<p>Tag</p>${`<p>${LONG}</p>`.repeat(60)}`);
    script = ({ page }) => ({ title: null, owner: null, tags: page.text.includes('Tag') ? ['x', 'y'] : [] });
    const failure = browser.driver.extract('title and tags', schema);
    await expect(failure).rejects.toThrow(SchemaValidationError);
    await expect(failure).rejects.toMatchObject({ issues: [{ path: ['title'] }], value: { tags: ['x', 'y'] } });
  });
});

test('merges text answers with one more model call, and reads a short page with one', async () => {
  await open(`<p>Begins.</p>${`<p>${LONG}</p>`.repeat(80)}<p>Ends.</p>`);
  script = ({ page }) => {
    if (page.text.includes('"It begins"')) return { field_1: 'It begins, then it ends' };
    if (page.text.includes('Begins.')) return { extraction: 'It begins' };
    return { extraction: page.text.includes('Ends.') ? 'It ends' : null };
  };
  const { result, asked } = await questions(() => browser.driver.extract('what happens'));
  expect(result).toEqual({ extraction: 'It begins, then it ends' });
  expect(asked.length).toBeGreaterThan(2);
  await open('<p>Begins.</p>');
  expect((await questions(() => browser.driver.extract('what happens'))).asked).toHaveLength(1);
});

test('never splits a card, and keeps equal cards', async () => {
  const card = (name: string, tall: boolean): string =>
    `<div><em>Offer</em><h3>${name}</h3><p>${LONG}</p>${tall ? `<p>${LONG}</p>` : ''}<p>Price ${name.length}</p></div>`;
  const names = Array.from({ length: 60 }, (_, i) => (i % 4 === 3 ? 'Same' : `Card ${i}`));
  await open(`<h1>Cards</h1><section>${names.map((name, i) => card(name, i % 3 === 0)).join('')}</section>`);
  script = ({ page }) => {
    const read = page.text.split(/heading 3 /).slice(1);
    for (const text of read) expect(text).toMatch(/Price \d+/);
    return { value: read.map((text) => /"(.*)"/.exec(text)?.[1]) };
  };
  const { result, asked } = await questions(() => browser.driver.extract('all cards', z.array(z.string())));
  expect(asked.length).toBeGreaterThan(3);
  expect(result).toEqual(names);
});

test('merges an entry that continues in the next part, and does not read context twice', async () => {
  const items = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${name} number ${i}`);
  const groups = [
    { name: 'Fruit', items: items('fruit', 150) },
    { name: 'Bread', items: items('bread', 3) },
    { name: 'Tea', items: items('tea', 120) },
  ];
  const section = ({ name, items: all }: (typeof groups)[number]): string =>
    `<section aria-label="${name}"><h2>${name}</h2><ul>${all.map((item) => `<li>${item}</li>`).join('')}</ul></section>`;
  await open(groups.map(section).join(''));
  script = ({ page }) => {
    const shown = page.text.split(/heading 2 /).slice(1);
    return {
      groups: shown.map((text) => ({ name: /"(.*)"/.exec(text)?.[1], items: text.match(/\w+ number \d+/g) ?? [] })),
    };
  };
  const schema = z.object({ groups: z.array(z.object({ name: z.string(), items: z.array(z.string()) })) });
  const { result, asked } = await questions(() => browser.driver.extract('all groups', schema));
  expect(asked.length).toBeGreaterThan(2);
  expect(result).toEqual({ groups });
});

test('asks the model to choose among the entries of all parts', async () => {
  const row = (i: number): string => `<tr><td>Item ${i}</td><td>${(i * 37) % 101}</td></tr>`;
  await open(`<table>${Array.from({ length: 150 }, (_, i) => row(i)).join('')}</table>`);
  script = ({ page }) => {
    const entries = [...page.text.matchAll(/entry (\d+): .*"price":(\d+)/g)];
    if (entries.length > 0)
      return {
        field_1: entries
          .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
          .slice(0, 2)
          .map(([, number]) => Number(number)),
      };
    const rows = [...page.text.matchAll(/row \| (Item \d+) \| (\d+)/g)].map(([, name, price]) => ({
      name,
      price: Number(price),
    }));
    return { value: rows.toSorted((a, b) => a.price - b.price).slice(0, 2) };
  };
  const schema = z.array(z.object({ name: z.string(), price: z.number() })).max(2);
  expect(await browser.driver.extract('the two cheapest items', schema)).toEqual([
    { name: 'Item 0', price: 0 },
    { name: 'Item 101', price: 0 },
  ]);
});

describe('part with an invalid answer', () => {
  const schema = z.array(z.object({ name: z.string(), price: z.number().refine((price) => price > 0) }));
  const rows = Array.from({ length: 150 }, (_, i) => `<tr><td>Item ${i}</td><td>${i + 1}</td></tr>`);
  const read = ({ page }: ModelRequest): { name: string; price: number }[] =>
    [...page.text.matchAll(/row \| (Item \d+) \| (\d+)/g)].map(([, name = '', price]) => ({
      name,
      price: Number(price),
    }));

  test('asks the model again for that part only', async () => {
    await open(`<table>${rows.join('')}</table>`);
    script = (request) => {
      const isRepair = request.messages.at(-1)?.text.includes('cannot be used');
      return {
        value: read(request).map((row) => (row.name === 'Item 100' && !isRepair ? { ...row, price: -1 } : row)),
      };
    };
    const { result, asked } = await questions(() => browser.driver.extract('all items', schema));
    expect(result).toHaveLength(150);
    expect(asked.filter(({ messages }) => messages.at(-1)?.text.includes('[')).length).toBeGreaterThan(0);
    expect(asked.filter(({ messages }) => messages.at(-1)?.text.includes('cannot be used'))).toHaveLength(1);
  });

  test('a second invalid answer rejects the call and aborts the other parts', async () => {
    await open(`<table>${rows.join('')}</table>`);
    const signals: AbortSignal[] = [];
    script = (request) => {
      if (request.page.text.includes('Item 0 ')) return { value: [{ name: 'Item 0', price: -1 }] };
      signals.push(request.signal);
      return new Promise((resolve) => {
        request.signal.addEventListener('abort', () => resolve(new LLMResponseError('late')));
      });
    };
    const failure = browser.driver.extract('all items', schema);
    await expect(failure).rejects.toThrow(SchemaValidationError);
    await expect(failure).rejects.toMatchObject({ issues: [{ path: [0, 'price'] }] });
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});

test('evidence points to rows of all parts', async () => {
  const rows = Array.from({ length: 150 }, (_, i) => `<tr><td>Item ${i}</td></tr>`);
  await open(`<table>${rows.join('')}</table>`);
  script = ({ page }) => ({ value: page.text.match(/Item \d+/g) ?? [] });
  const { data, evidence } = await browser.driver.extract('all items', z.array(z.string()), { withEvidence: true });
  expect(data).toHaveLength(150);
  expect(evidence[149]).toEqual({
    selector: 'xpath=/html[1]/body[1]/table[1]/tbody[1]/tr[150]/td[1]',
    text: 'Item 149',
  });
});

test('the offline model reads all 300 rows of a page', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => `<tr><td>Item ${i}</td><td>${i + 1}</td></tr>`);
  await open(`<h1>Items</h1><table><tr><th>Name</th><th>Price</th></tr>${rows.join('')}</table>`);
  const schema = z.object({ items: z.array(z.object({ name: z.string(), price: z.number() })) });
  const { items } = await browser.driver.extract('all items', schema, { model: 'offline/lexical' });
  expect(items).toHaveLength(300);
});
