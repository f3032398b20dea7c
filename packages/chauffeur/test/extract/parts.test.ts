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

test('a table of 10,000 rows is read in parts: each row once, in order, with the header and the address of its own', async () => {
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
    expect(request.page.text).toContain('row | Number | Status');
    expect(request.page.text).toContain('heading 1 "Orders"');
    expect(request.page.text.length).toBeLessThan(800 * 4);
    expect(textOf(request)).toContain(request.page.text);
  }
  expect(large.requests.map(({ page }) => page.text).filter((text) => text.includes('Imprint'))).toHaveLength(1);
});
