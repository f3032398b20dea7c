import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LLMResponseError } from '../../src/errors.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let running: TestDriver;

beforeAll(async () => {
  server = await serve();
  running = await startDriver({ model: 'offline/lexical' });
});

afterAll(async () => {
  await running?.driver.close();
  await server?.close();
});

async function open(file: string): Promise<void> {
  await show(await readFile(new URL(`./pages/${file}`, import.meta.url), 'utf8'));
}

async function show(html: string): Promise<void> {
  await running.page.goto(server.page('/shown', html), { waitUntil: 'load' });
}

describe('act', () => {
  test('fills a field, selects an option and checks a box', async () => {
    await open('settings.html');
    const { driver, page } = running;
    await driver.act('change the first name to Grace');
    await driver.act('choose Germany from the country dropdown');
    await driver.act('enable the weekly digest');
    const state = await page.evaluate(
      `[document.getElementById('first').value, document.getElementById('country').value, document.getElementById('n-week').checked]`,
    );
    expect(state).toEqual(['Grace', 'Germany', true]);
  });

  test('types the value of a variable into a field', async () => {
    await open('login.html');
    await running.driver.act('type %password% into the password box', { variables: { password: 'hunter2!' } });
    expect(await running.page.evaluate(`document.getElementById('pass').value`)).toBe('hunter2!');
  });

  test.each([
    ['remove Bread', 'remove Bread'],
    ['remove the tile Milk', 'remove Milk'],
    ['click Bread', 'open Bread'],
    ['click the frame Map', ''],
    ['close Bread', ''],
  ])('handles %j on clickable items without a role', async (instruction, done) => {
    const item = (name: string): string =>
      `<div onclick="done(event, 'open ${name}')"><p>${name}</p><i class="remove" onclick="done(event, 'remove ${name}')">✖</i></div>`;
    const script = 'function done(event, what) { event.stopPropagation(); document.title = what }';
    await show(`<!doctype html><script>${script}</script>${item('Milk')}${item('Bread')}<iframe title="Map"></iframe>`);
    const { success } = await running.driver.act(instruction);
    expect(success).toBe(instruction !== 'close Bread');
    expect(await running.page.title()).toBe(done);
  });

  test('opens a closed list and selects an option in two steps', async () => {
    await show(`<!doctype html><title>Size</title><p id=l>Size</p>
      <button id=size aria-haspopup=listbox aria-expanded=false aria-labelledby="l size">Small</button>
      <script>size.onclick = () => {
        size.setAttribute('aria-expanded', 'true');
        size.insertAdjacentHTML('afterend', '<ul role=listbox><li role=option tabindex=0>Small<li role=option tabindex=0>Large</ul>');
        document.querySelectorAll('li').forEach((option) => { option.onclick = () => { size.textContent = option.textContent; option.parentElement.remove(); }; });
      };</script>`);
    const result = await running.driver.act('select Large as the size');
    expect(result).toMatchObject({ success: true });
    expect(result.actions).toHaveLength(2);
    expect(await running.page.evaluate('size.textContent')).toBe('Large');
  });

  test('fills and submits a search', async () => {
    await show(
      `<!doctype html><title>Search</title><form onsubmit="document.title = 'searched ' + q.value; return false"><input id=q type=search aria-label="Search"></form>`,
    );
    const result = await running.driver.act('search for blue mugs');
    expect(result).toMatchObject({ success: true });
    expect(result.actions?.map(({ method }) => method)).toEqual(['fill', 'press']);
    expect(await running.page.title()).toBe('searched blue mugs');
  });

  test('refuses an instruction with two steps and runs neither', async () => {
    await open('login.html');
    const { driver, page } = running;
    const result = await driver.act('type ada@example.com into the email address and press Print');
    expect(result).toMatchObject({ success: false });
    expect(result.message).toContain('press Print');
    expect(await page.evaluate(`document.getElementById('user').value`)).toBe('');
  });

  test('presses a key, scrolls to a heading and scrolls to the bottom', async () => {
    await show(`<!doctype html><title>Keys</title><form onsubmit="document.title = 'searched ' + q.value; return false"><input id=q aria-label=Search></form>
      <div style="height:3000px"></div><h2>Comments</h2><button>Reply</button><div style="height:3000px"></div>`);
    const { driver, page } = running;
    await driver.act('type mugs into the search field');
    await driver.act('press Enter in the search field');
    expect(await page.title()).toBe('searched mugs');
    await driver.act('scroll to the comments');
    const top = Number(await page.evaluate(`document.querySelector('h2').getBoundingClientRect().top`));
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(720);
    await driver.act('scroll to the bottom');
    expect(await page.evaluate(`Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight`)).toBe(true);
  });

  test('refuses a missing target and names the nearest element', async () => {
    await open('orders.html');
    const result = await running.driver.act('delete the order of Wayne Enterprises');
    expect(result).toMatchObject({ success: false });
    expect(result.message).toContain('Wayne Enterprises');
    expect(result.message).toContain('Delete');
  });

  test('refuses equal elements, and clicks one when the instruction names its row', async () => {
    await open('orders.html');
    const { driver, page } = running;
    await page.evaluate(
      `document.body.addEventListener('click', (event) => { document.title = event.target.id; }, true)`,
    );
    expect(await driver.act('click Delete')).toMatchObject({ success: false });
    expect(await driver.act('click Delete in the row of Initech')).toMatchObject({ success: true });
    expect(await page.title()).toBe('d3');
  });

  test.each(['click Go', 'click go', 'press Open', 'click on View', 'click Use'])(
    'resolves "%s" to the control with the verb as its name',
    async (instruction) => {
      await show(
        '<!doctype html><title>Verbs</title><button>Open</button><button>Go</button><a href="#v">View</a><button>Use</button>',
      );
      const result = await running.driver.act(instruction);
      const name = instruction.split(' ').at(-1) ?? '';
      expect(result.actions?.[0]?.description).toMatch(new RegExp(`"${name}"`, 'i'));
    },
  );

  test('chooses a row in a frame by the text of the row, not of the frame', async () => {
    const rows = ['Blue mug', 'Red mug'].map(
      (name) => `<li>${name} <button onclick="document.title = '${name}'">Buy</button>`,
    );
    server.page('/rows', `<!doctype html><title>Rows</title><ul>${rows.join('')}</ul>`);
    await show('<!doctype html><title>Outer</title><h1>Shop</h1><iframe src="/rows"></iframe>');
    expect(await running.driver.act('buy the red mug')).toMatchObject({ success: true });
    expect(await running.page.frames()[1]?.title()).toBe('Red mug');
  });

  test('uses no tokens', async () => {
    const metrics = await running.driver.metrics;
    expect(metrics.totalPromptTokens + metrics.totalCompletionTokens).toBe(0);
  });
});

describe('observe', () => {
  test('returns all matching elements and no others', async () => {
    await open('shop.html');
    const found = await running.driver.observe('find the add to cart buttons');
    expect(found.map(({ method }) => method)).toEqual(['click', 'click', 'click', 'click']);
    expect(found.every(({ description }) => description.includes('Add to cart'))).toBe(true);
  });

  test('returns the best match first, with its method and arguments', async () => {
    await open('login.html');
    const [first] = await running.driver.observe('fill in the email with %email%', {
      variables: { email: 'kim@example.org' },
    });
    expect(first).toMatchObject({ method: 'fill', arguments: ['%email%'] });
    expect(first?.description).toContain('Email address');
  });

  test.each([
    ['the e-mail field', ['E-mail']],
    ['all fields', ['E-mail', 'City']],
    ['the name field', []],
    ['what can be clicked', ['Send', 'E-mail', 'City', 'Help']],
    ['all elements of the page', ['Send', 'E-mail', 'City', 'Help']],
  ])('returns for "%s" the elements with that role or name', async (instruction, names) => {
    await show(`<!doctype html><title>Mail</title><button>Send</button><label>E-mail <input></label>
      <label>City <input></label><a href="/help">Help</a>`);
    const found = await running.driver.observe(instruction);
    expect(found.map(({ description }) => /"(.*)"/.exec(description)?.[1])).toEqual(names);
  });

  test('logs why it found nothing', async () => {
    const lines: string[] = [];
    const { driver, page } = await startDriver({
      model: 'offline/lexical',
      verbose: 1,
      logger: ({ message }) => void lines.push(message),
    });
    try {
      await page.goto(server.page('/empty', '<!doctype html><title>Empty</title><button>Save</button>'));
      expect(await driver.observe('the wish list')).toEqual([]);
      expect(lines.join('\n')).toContain('the wish list');
    } finally {
      await driver.close();
    }
  });

  test('returns an empty list when nothing matches', async () => {
    await open('login.html');
    expect(await running.driver.observe('find the shopping cart')).toEqual([]);
  });
});

describe('extract', () => {
  test('reads cards as records with text, numbers, booleans and URLs', async () => {
    await open('shop.html');
    const schema = z.object({
      products: z.array(
        z.object({
          name: z.string(),
          price: z.number(),
          reviewCount: z.number().int(),
          inStock: z.boolean(),
          link: z.url(),
        }),
      ),
    });
    const { products } = await running.driver.extract('extract all products', schema);
    expect(products).toHaveLength(4);
    expect(products[2]).toEqual({
      name: 'Travel mug with lid',
      price: 1024.99,
      reviewCount: 7,
      inStock: false,
      link: `${server.origin}/p/travel-mug`,
    });
  });

  test('applies a price limit, a count and a condition', async () => {
    await open('shop.html');
    const item = z.object({ name: z.string(), price: z.number() });
    const { driver } = running;
    expect(await driver.extract('products under $20', z.array(item))).toEqual([
      { name: 'Blue mug', price: 18 },
      { name: 'Red mug', price: 14.5 },
    ]);
    expect(await driver.extract('the first two products', z.array(item))).toHaveLength(2);
    expect((await driver.extract('products that are in stock', z.array(item))).map(({ name }) => name)).not.toContain(
      'Travel mug with lid',
    );
  });

  test('reads a table by its headers', async () => {
    await open('orders.html');
    const order = z.object({
      number: z.string(),
      customer: z.string(),
      date: z.iso.date(),
      total: z.number(),
      status: z.enum(['Open', 'Paid', 'Shipped', 'Cancelled']),
    });
    const orders = await running.driver.extract('the orders', z.array(order));
    expect(orders).toHaveLength(6);
    expect(orders[3]).toEqual({
      number: '1044',
      customer: 'Umbrella Corp',
      date: '2026-11-05',
      total: 2999,
      status: 'Open',
    });
  });

  test('reads labeled values, nested objects and states of controls', async () => {
    await open('settings.html');
    const schema = z.object({
      profile: z.object({ firstName: z.string(), lastName: z.string() }),
      itemsPerPage: z.number(),
      weeklyDigest: z.boolean(),
      nickname: z.string().nullable(),
    });
    expect(await running.driver.extract('the settings', schema)).toEqual({
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      itemsPerPage: 20,
      weeklyDigest: false,
      nickname: null,
    });
  });

  test('answers a question with a value', async () => {
    await open('shop.html');
    const { driver } = running;
    expect(await driver.extract('what is the price of the red mug?')).toEqual({ extraction: '$14.50' });
    await open('orders.html');
    expect(await driver.extract('what is the status of the Initech order?')).toEqual({ extraction: 'Shipped' });
  });

  test('throws an error that names a required field missing on the page', async () => {
    await open('tabs.html');
    const asked = running.driver.extract('the product', z.object({ weight: z.string(), price: z.number() }));
    await expect(asked).rejects.toThrow(LLMResponseError);
    await expect(running.driver.extract('the product', z.object({ price: z.number() }))).rejects.toThrow(/price/);
  });

  test('reads a nested list only from its own record', async () => {
    await show(`<!doctype html><title>Shelf</title>
      <article><h2>Tall vase</h2><p>Tags</p><ul aria-label="Tags"><li>blue</li><li>large</li></ul></article>
      <article><h2>Butter dish</h2><p>Tags</p><ul aria-label="Tags"><li>white</li><li>small</li></ul></article>`);
    const shelf = z.array(z.object({ name: z.string(), tags: z.array(z.string()) }));
    expect(await running.driver.extract('everything on the shelf', shelf)).toEqual([
      { name: 'Tall vase', tags: ['blue', 'large'] },
      { name: 'Butter dish', tags: ['white', 'small'] },
    ]);
  });

  test('terminates for a recursive schema', async () => {
    await open('tree.html');
    interface Entry {
      size: string;
      parts?: Entry[] | undefined;
    }
    const entry: z.ZodType<Entry> = z.lazy(() => z.object({ size: z.string(), parts: z.array(entry).optional() }));
    expect(await running.driver.extract('the file', entry)).toEqual({ size: '2.4 kB' });
  });

  test('refuses an average and a summary', async () => {
    await open('orders.html');
    await expect(running.driver.extract('the average total', z.object({ average: z.number() }))).rejects.toThrow(
      LLMResponseError,
    );
    await expect(running.driver.extract('summarize the page')).rejects.toThrow(/summarize/);
  });
});
