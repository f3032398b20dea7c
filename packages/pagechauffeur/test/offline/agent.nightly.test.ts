import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentResult, ExecuteOptions } from '../../src/index.ts';
import { shop as bigShop } from '../agent-tasks/applications/shop.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { testFolder } from '../support/test-folder.ts';
import { type AgentShop, startAgentShop } from './agent-shop.ts';

let shop: AgentShop;
let running: TestDriver;

const variables = { user: 'ada@harbour.example', password: 'hunter2!' };

beforeAll(async () => {
  shop = await startAgentShop();
  running = await startDriver({ model: 'offline/lexical' });
});

afterAll(async () => {
  await running?.driver.close();
  await shop?.server.close();
});

beforeEach(async () => {
  shop.reset();
  await running.page.goto(`${shop.server.origin}/orders`);
});

/** Has an instruction carried out, beginning on the page of the orders. */
async function runTask(instruction: string, options: Partial<ExecuteOptions> = {}): Promise<AgentResult> {
  return running.driver.agent().execute({ instruction, variables, ...options });
}

test('logs in and downloads an invoice without tokens and without variable values in the result', async () => {
  const path = join(testFolder(), 'invoice.pdf');
  const result = await runTask(
    `log in with %user% and %password%, open the second order, download its invoice as "${path}"`,
  );
  expect(result).toMatchObject({ success: true, completed: true });
  expect(result.usage).toEqual({ promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 });
  expect(JSON.stringify(result)).not.toContain(variables.password);
  expect(shop.state).toMatchObject({ user: variables.user, invoices: ['1002'] });
  expect(await readFile(path, 'utf8')).toBe('%PDF-1.4 invoice of 1002');
  expect(result.actions.map(({ tool, step }) => [tool, step])).toEqual([
    ['fill', 1],
    ['fill', 1],
    ['click', 1],
    ['click', 2],
    ['click', 3],
    ['download', 3],
    ['done', 4],
  ]);
});

/** What was asked for has been done, and this is what was told. */
test.each<[string, string, Partial<AgentShop['state']>]>([
  [
    'log in with %user% and %password%, then open the profile, enter Ada Lovelace as full name and Porto as city, choose Portugal as the country, tick the news and save',
    'Done: ',
    { profiles: [{ name: 'Ada Lovelace', city: 'Porto', country: 'Portugal', news: 'on' }] },
  ],
  [
    '1. open the profile 2. fill the form with full name Grace Hopper, city: "New York" and country France 3. submit it 4. check that "Your profile was saved." is shown',
    'Done: ',
    { profiles: [{ name: 'Grace Hopper', city: 'New York', country: 'France' }] },
  ],
  ['log in with %user% and %password% and tell me the total of order 1003', '€03.00', { user: 'ada@harbour.example' }],
  [
    'log in with %user% and %password%, open order 1002, tell me its status, go back and delete order 1001, accept the dialog',
    'On its way',
    { removed: ['1001'] },
  ],
  ['log in with %user% and %password%, delete the second order, dismiss the dialog', 'Done: ', { removed: [] }],
  ['search for mug, add the red mug to the cart', 'Done: ', { cart: ['Red mug'] }],
  [
    'go to the home page, click "Next page" until "Wool blanket" is shown and add it to the cart',
    'Done: ',
    { cart: ['Wool blanket'] },
  ],
  [
    'if there is a cookie banner, accept it, then search for lamp\nadd it to the cart',
    'Done: ',
    { cart: ['Brass lamp'] },
  ],
])('completes: %s', async (instruction, message, state) => {
  const result = await runTask(instruction);
  expect(result).toMatchObject({ success: true, completed: true, message: expect.stringContaining(message) });
  expect(shop.state).toMatchObject(state);
});

/** What could not be done is named, and nothing else was done after it. */
test.each<[string, string, Partial<AgentShop['state']>]>([
  [
    'log in with %user% and wrong-word, open the second order',
    'Clause 1 of 2, "log in with %user% and wrong-word", failed: the form was submitted, but the page still shows a password field; the page says "The password is wrong.". Not tried: "open the second order".',
    {},
  ],
  [
    'log in with %user% and %password%, open the ninth order, download its invoice',
    'Clause 2 of 3, "open the ninth order", failed: no element is at that position; nearest matches: ',
    { invoices: [] },
  ],
  [
    'log in with %user% and %password%, click Delete and accept the dialog',
    '3 elements match equally well: button "Delete" in "Order 1001 €01.00 Delete"',
    { removed: [] },
  ],
  [
    'open the profile, choose Spain as the country, save',
    'Clause 2 of 3, "choose Spain as the country", failed: no single element matches; words without a match: "spain"; nearest matches: combobox "Country" (France, Portugal). Done before: "open the profile". Not tried: "save".',
    { profiles: [] },
  ],
  [
    'search for mug, check that "Blue lamp" is shown, add the blue mug to the cart',
    'the page does not show "Blue lamp"',
    { cart: [] },
  ],
])('stops and gives the reason: %s', async (instruction, message, state) => {
  const result = await runTask(instruction, { excludeTools: ['wait'] });
  expect(result).toMatchObject({ success: false, completed: false, message: expect.stringContaining(message) });
  expect(shop.state).toMatchObject(state);
});

test('ends without success when a click has no visible effect', async () => {
  const result = await runTask('log in with %user% and %password%, open the first order, click Print');
  expect(result).toMatchObject({ success: false, completed: true });
  expect(result.message).toContain('Clause 3 of 3, "click Print", had no visible effect.');
});

test('continues in a new tab and returns to the first one', async () => {
  const { driver } = running;
  const before = driver.context.pages().length;
  const result = await runTask('open the home page in a new tab, search for tray, add it to the cart, close the tab');
  expect(result).toMatchObject({ success: true });
  expect(shop.state.cart).toEqual(['Oak tray']);
  expect(driver.context.pages()).toHaveLength(before);
});

test('logs in without excluded tools and names the excluded tool that it needs', async () => {
  const excludeTools = ['fill', 'click'];
  const result = await runTask('log in with %user% and %password%', { excludeTools });
  expect(result).toMatchObject({ success: true });
  expect(shop.state.user).toBe(variables.user);
  const other = await runTask('open the profile', { excludeTools });
  expect(other.message).toContain('the required tool click is excluded');
});

test('continues from the messages of a run that reached `maxSteps`', async () => {
  const instruction = 'log in with %user% and %password%, open order 1003, download its invoice';
  const begun = await runTask(instruction, { maxSteps: 2 });
  expect(begun).toMatchObject({ success: false, completed: false });
  const rest = await runTask(instruction, { messages: begun.messages ?? [] });
  expect(rest).toMatchObject({ success: true });
  expect(rest.actions.map(({ tool }) => tool)).toEqual(['click', 'download', 'done']);
  expect(shop.state.invoices).toEqual(['1003']);
});

test('returns data for the `output` schema', async () => {
  const output = z.object({ status: z.string(), total: z.number() });
  const result = await runTask('log in with %user% and %password%, open order 1002', { output });
  expect(result).toMatchObject({ success: true, output: { status: 'On its way', total: 2 } });
});

/**
 * Tasks for agents that are said clause by clause. The other tasks leave steps to be thought of, but for two with a table of a thousand
 * orders, of which the demo does one.
 */
const TASKS_IN_REACH = [
  'removes one of two items from the cart',
  'allows necessary cookies and subscribes to the newsletter',
];

test.each(TASKS_IN_REACH)('completes a task in the demo shop: %s', { timeout: 60_000 }, async (name) => {
  const task = bigShop.tasks.find((one) => one.name === name);
  if (!task) throw new TypeError(`there is no task ${name}`);
  const app = await bigShop.start();
  try {
    await running.page.goto(app.url);
    const { instruction, variables: values = {} } = task;
    const result = await running.driver.agent().execute({ instruction, variables: values });
    expect(result).toMatchObject({ success: true, completed: true });
    expect(await task.outcome({ url: app.url, message: result.message, downloads: '' })).toEqual(task.expected);
  } finally {
    await app.close();
  }
});
