import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AgentAbortError, type SafetyQuestion } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ANTHROPIC_COMPUTER, GOOGLE_COMPUTER, OPENAI_COMPUTER } from './computer-formats.ts';
import { driverFor, openPage, strictServer } from './computer-server.ts';

const shared = useBrowser();

const DONE = { success: true, message: 'All is done.' };
const NOT_DONE = { success: false, message: 'It cannot be done.' };

const PAGE = `<!doctype html><title>Shop</title><style>* { position: absolute; margin: 0; width: 200px; height: 40px }</style>
  <button style="left:100px;top:100px" onclick="this.textContent += '!'">Buy</button>
  <a style="left:100px;top:200px" href="/next">On</a>
  <a style="left:100px;top:300px" href="/next" target="_blank">Beside</a>`;
const NEXT = `<!doctype html><title>Next</title><input autofocus>`;

const BUY = { type: 'click', button: 'left', x: 200, y: 120 };
const GO_ON = { type: 'click', button: 'left', x: 110, y: 210 };
const GO_BESIDE = { type: 'click', button: 'left', x: 110, y: 310 };

describe('action with a safety check', () => {
  const CHECK = { id: 'cu_sc_1', code: 'malicious_instructions', message: 'The page gives instructions.' };
  const DECISION = { decision: 'require_confirmation', explanation: 'This buys something.' };

  test('ends the run without the action, with the reason, when there is no `onSafetyCheck`', async () => {
    await using provider = await strictServer(OPENAI_COMPUTER, [
      OPENAI_COMPUTER.actions(1, [BUY], [CHECK]),
      OPENAI_COMPUTER.tool(2, 'done', NOT_DONE),
    ]);
    await using driver = await driverFor(OPENAI_COMPUTER, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/shop', PAGE));
    const result = await driver.agent({ mode: 'cua' }).execute('Buy it');
    expect(result).toMatchObject({ success: false, completed: false });
    expect(result.message).toContain('malicious_instructions: The page gives instructions.');
    expect(await page.locator('button').textContent()).toBe('Buy');
    expect(provider.calls).toHaveLength(1);
    // Whoever goes on from here can, with any model.
    expect(JSON.stringify(result.messages)).toMatch(/^(?!.*iVBORw0KGgo).*Buy it/);
    const options = { instruction: 'Leave it then', messages: result.messages };
    await driver.agent({ mode: 'cua' }).execute(options);
    expect(provider.calls).toHaveLength(2);
  });

  test.each([
    [
      'OpenAI',
      OPENAI_COMPUTER,
      OPENAI_COMPUTER.actions(1, [BUY], [CHECK]),
      [CHECK],
      { acknowledged_safety_checks: [CHECK] },
    ],
    [
      'Google',
      GOOGLE_COMPUTER,
      GOOGLE_COMPUTER.actions(1, [{ action: 'click', x: 156, y: 167, safety_decision: DECISION }]),
      [{ id: '', code: DECISION.decision, message: DECISION.explanation }],
      { safety_acknowledgement: 'true' },
    ],
  ])(
    'runs after `onSafetyCheck` confirms it, and sends the acknowledgement to %s',
    async (_name, format, answer, checks, told) => {
      await using provider = await strictServer(format, [answer, format.tool(2, 'done', DONE)]);
      await using driver = await driverFor(format, provider, { driver: shared.driver });
      const page = await openPage(driver, shared.server.page('/shop', PAGE));
      const asked: SafetyQuestion[] = [];
      const onSafetyCheck = (question: SafetyQuestion): boolean => asked.push(question) > 0;
      expect(
        await driver.agent({ mode: 'cua' }).execute({ instruction: 'Buy it', callbacks: { onSafetyCheck } }),
      ).toMatchObject(DONE);
      expect(asked).toMatchObject([{ checks, url: page.url() }]);
      expect(await page.locator('button').textContent()).toBe('Buy!');
      const [[name, value] = ['', '']] = Object.entries(told);
      const { body } = provider.calls[1] ?? { body: {} };
      expect(JSON.stringify(body).replaceAll('\\"', '"')).toContain(`"${name}":${JSON.stringify(value)}`);
    },
  );
});

describe('several computer actions in one answer', () => {
  test('stops at the first failed action, and reports it and the skipped actions to Anthropic', async () => {
    const format = ANTHROPIC_COMPUTER;
    const actions = [
      { action: 'left_click', coordinate: [200, 120] },
      { action: 'key', text: 'NoSuchKey' },
      { action: 'left_click', coordinate: [200, 120] },
      { action: 'screenshot' },
    ];
    await using provider = await strictServer(format, [format.actions(1, actions), format.tool(2, 'done', NOT_DONE)]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/shop', PAGE));
    const { actions: done } = await driver.agent({ mode: 'cua' }).execute('Press it');
    expect(done.map(({ success }) => success)).toEqual([true, false, false, false, true]);
    expect(await page.locator('button').textContent()).toBe('Buy!');
    const bytes = JSON.stringify(provider.calls[1]?.body);
    expect(bytes).toContain('Unknown key \\"NoSuchKey\\"');
    expect(bytes.split('Not executed: an earlier computer action in this turn failed.')).toHaveLength(3);
    expect(format.pictures(provider.calls[1] ?? never())).toHaveLength(2);
  });

  test('stops at a navigation, and sends a screenshot of the new page', async () => {
    const format = OPENAI_COMPUTER;
    shared.server.page('/next', NEXT);
    const actions = [GO_ON, { type: 'type', text: 'meant for the page before' }, { type: 'screenshot' }];
    await using provider = await strictServer(format, [format.actions(1, actions), format.tool(2, 'done', DONE)]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/shop', PAGE));
    const { actions: done } = await driver.agent({ mode: 'cua' }).execute('Go on');
    expect(done[0]).toMatchObject({ success: false, effect: 'navigated' });
    expect(await page.locator('input').inputValue()).toBe('');
    const { body } = provider.calls[1] ?? never();
    expect(JSON.stringify(body)).toContain('an earlier action opened another page, which you have not seen yet');
    expect(JSON.stringify(body)).toContain('page \\"Next\\"');
    expect(format.pictures(provider.calls[1] ?? never()).at(-1)).toEqual(await page.screenshot({ scale: 'css' }));
  });
});

test('continues in a page that the click opened', async () => {
  const format = OPENAI_COMPUTER;
  shared.server.page('/next', NEXT);
  const actions = [{ type: 'type', text: 'Ada' }];
  await using provider = await strictServer(format, [
    format.actions(1, [GO_BESIDE]),
    format.actions(2, actions),
    format.tool(3, 'done', DONE),
  ]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  await openPage(driver, shared.server.page('/shop', PAGE));
  expect(await driver.agent({ mode: 'cua' }).execute('Enter Ada there')).toMatchObject(DONE);
  const beside = driver.context.activePage();
  expect(await beside?.locator('input').inputValue()).toBe('Ada');
  await beside?.close();
});

describe('slow computer action', () => {
  const LONG = ANTHROPIC_COMPUTER.actions(1, [{ action: 'hold_key', text: 'shift', duration: 300 }]);

  test('stops at `toolTimeout`, releases the held key, and the run continues', async () => {
    const format = ANTHROPIC_COMPUTER;
    await using provider = await strictServer(format, [LONG, format.tool(2, 'done', NOT_DONE)]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/shop', PAGE));
    await page.evaluate(`addEventListener('keyup', ({ key }) => document.title = key + ' is up')`);
    const result = await driver.agent({ mode: 'cua' }).execute({ instruction: 'Hold it', toolTimeout: 300 });
    expect(result).toMatchObject({ ...NOT_DONE, completed: true, actions: [{ success: false }, { success: true }] });
    expect(await page.title()).toBe('Shift is up');
  });

  test('rejects the run with AgentAbortError when the signal aborts during the action', async () => {
    await using provider = await strictServer(ANTHROPIC_COMPUTER, [LONG]);
    await using driver = await driverFor(ANTHROPIC_COMPUTER, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/shop', PAGE));
    const down = page.evaluate(`new Promise((told) => addEventListener('keydown', () => told()))`);
    const controller = new AbortController();
    const run = driver.agent({ mode: 'cua' }).execute({ instruction: 'Hold it', signal: controller.signal });
    await down;
    controller.abort();
    expect(await failureOf(run)).toBeInstanceOf(AgentAbortError);
    expect(provider.calls).toHaveLength(1);
  });
});

test('reports the effect of actions on a checkbox, a scroll container and an out-of-process frame', async () => {
  const format = ANTHROPIC_COMPUTER;
  shared.server.page('/frame', FRAME);
  const actions = [
    { action: 'left_click', coordinate: [60, 20] },
    { action: 'scroll', coordinate: [100, 100], scroll_direction: 'down', scroll_amount: 1 },
    { action: 'left_click', coordinate: [100, 320] },
    { action: 'type', text: 'Ada' },
    { action: 'left_click', coordinate: [900, 600] },
  ];
  await using provider = await strictServer(format, [format.actions(1, actions), format.tool(2, 'done', NOT_DONE)]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  await openPage(driver, shared.server.page('/parts', PARTS.replace('ORIGIN', shared.server.otherOrigin)));
  const result = await driver.agent({ mode: 'cua' }).execute('Try it');
  expect(result.actions.slice(0, -1).map(({ success, effect }) => [success, effect])).toEqual([
    [true, 'changed'],
    [true, 'changed'],
    [true, 'changed'],
    [true, 'changed'],
    [true, 'none-observed'],
  ]);
});

const PARTS = `<!doctype html><title>Parts</title><style>* { position: absolute; margin: 0 } label, input, iframe { left: 0; top: 0 }</style>
  <label style="width:200px;height:40px"><input type=checkbox><b style="left:40px">News</b></label>
  <section style="top:50px;width:200px;height:200px;overflow:auto"><p style="height:2000px">Long</p></section>
  <iframe style="top:300px;width:300px;height:100px;border:0" src="ORIGIN/frame"></iframe>`;
const FRAME = `<!doctype html><style>* { margin: 0 }</style><input style="width:200px;height:40px">`;

test('offers custom tools beside the computer tool, and stores no cache entry', async () => {
  const format = OPENAI_COMPUTER;
  const lookUp = tool({
    description: 'Looks a name up',
    inputSchema: z.object({ id: z.number() }),
    execute: ({ id }) => `Number ${id} is Ada`,
  });
  await using provider = await strictServer(format, [
    format.tool(1, 'lookUp', { id: 7 }),
    format.actions(2, [GO_ON]),
    format.actions(3, [{ type: 'type', text: 'Ada Lovelace' }]),
    format.tool(4, 'done', DONE),
  ]);
  const cacheDir = await mkdtemp(join(tmpdir(), 'kept-'));
  await using driver = await driverFor(format, provider, { driver: shared.driver, cacheDir });
  shared.server.page('/next', NEXT);
  await openPage(driver, shared.server.page('/shop', PAGE));
  const { actions } = await driver.agent({ mode: 'cua', tools: { lookUp } }).execute('Enter the name of number 7');
  expect(actions[0]).toMatchObject({ tool: 'lookUp', success: true, result: expect.stringContaining('Ada') as string });
  const { tools = [] } = (provider.calls[0]?.body ?? {}) as { tools?: readonly Record<string, unknown>[] };
  expect(tools.find(({ name }) => name === 'lookUp')).toMatchObject({
    type: 'function',
    parameters: { type: 'object' },
  });
  const kept = await readdir(cacheDir, { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => entry.isFile())).toEqual([]);
});

test('lists excluded tools in requests to Google, and refuses calls of them', async () => {
  const format = GOOGLE_COMPUTER;
  await using provider = await strictServer(format, [
    format.actions(1, [{ action: 'navigate', url: 'http://elsewhere.test/' }]),
    format.actions(2, [{ action: 'scroll', direction: 'down' }]),
    format.tool(3, 'done', NOT_DONE),
  ]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  await openPage(driver, shared.server.page('/shop', PAGE));
  const { actions } = await driver
    .agent({ mode: 'cua' })
    .execute({ instruction: 'Go elsewhere', excludeTools: ['navigate', 'drag', 'scroll'] });
  expect(actions.map(({ result }) => result).slice(0, 2)).toEqual([
    'navigate is excluded from this task. Continue without it.',
    'scroll is excluded from this task. Continue without it.',
  ]);
  const { tools = [] } = (provider.calls[0]?.body ?? {}) as { tools?: readonly Record<string, unknown>[] };
  expect(tools.find(({ type }) => type === 'computer_use')).toMatchObject({
    excludedPredefinedFunctions: ['navigate', 'search', 'drag_and_drop'],
  });
});

test('refuses to navigate to a URL that the domain policy does not allow', async () => {
  const format = GOOGLE_COMPUTER;
  await using provider = await strictServer(format, [
    format.actions(1, [{ action: 'navigate', url: 'http://elsewhere.test/' }]),
    format.tool(2, 'done', NOT_DONE),
  ]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  const page = await openPage(driver, shared.server.page('/shop', PAGE));
  await driver.context.setDomainPolicy({ allowedDomains: ['127.0.0.1'] });
  const { actions } = await driver.agent({ mode: 'cua' }).execute('Go elsewhere');
  await driver.context.setDomainPolicy(null);
  expect(actions[0]).toMatchObject({ success: false, result: expect.stringContaining('elsewhere.test') as string });
  expect(await page.title()).toBe('Shop');
});

test('does not send a variable to another site in a URL', async () => {
  const format = GOOGLE_COMPUTER;
  const home = `${shared.server.origin}/next`;
  shared.server.page('/next', NEXT);
  const urls = ['http://127.0.0.1:9/?%secret%', `${shared.server.origin}/%plase%`, '%place%'];
  await using provider = await strictServer(format, [
    ...urls.map((url, index) => format.actions(index + 1, [{ action: 'navigate', url }])),
    format.tool(4, 'done', NOT_DONE),
  ]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  const page = await openPage(driver, shared.server.page('/shop', PAGE));
  const variables = { secret: 'tr0ub4dor', place: home };
  const { actions } = await driver.agent({ mode: 'cua' }).execute({ instruction: 'Go to %place%', variables });
  expect(actions.slice(0, 3).map(({ success, result }) => [success, result])).toEqual([
    [false, expect.stringContaining('cannot be part of the URL of another site')],
    [false, expect.stringContaining('There is no variable %plase%. Did you mean %place%?')],
    [true, expect.stringContaining('Opened %place% (200).')],
  ]);
  expect(page.url()).toBe(home);
});

function never(): never {
  throw new TypeError('the call was made');
}
