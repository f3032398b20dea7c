import { jsonSchema } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentConfig, AgentResult, ExecuteOptions } from '../../src/index.ts';
import { ScriptedModel, type ScriptedAnswer } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';
import { click, done, never, step } from './steps-for-test.ts';

const browser = useBrowser();
let model: ScriptedModel;

const SHOP = `<title>Shop</title><p id=said>Nothing done</p>
  <button onclick="said.textContent = 'Bought'">Buy</button><button onclick="said.textContent = 'Deleted'">Delete</button>
  <canvas id=dial width=300 height=200 onclick="
    const pen = this.getContext('2d');
    pen.fillStyle = 'hsl(' + (this.turn = (this.turn ?? 0) + 30) + ' 90% 50%)';
    pen.fillRect(0, 0, 300, 200);"></canvas>`;

beforeEach(() => browser.page.setContent(SHOP));

function play(
  script: readonly ScriptedAnswer[],
  options: Partial<ExecuteOptions> = {},
  config: AgentConfig = {},
): Promise<AgentResult> {
  model = new ScriptedModel(script, { allowUnknownRefs: true });
  const agent = browser.driver.agent({ ...config, model, stream: false });
  return agent.execute({ instruction: 'Buy a mug', page: browser.page, ...options });
}

const SILENT: ScriptedAnswer = { text: 'Hm.', calls: [] };

function toolOf(execute: () => unknown): NonNullable<AgentConfig['tools']> {
  return { job: { description: 'How far it is', inputSchema: jsonSchema({ type: 'object' }), execute } };
}

describe('tool calls of one answer', () => {
  it('skips calls that follow an accepted `done`', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Bought.' } };
    const second = { tool: 'done', input: { success: false, message: 'It failed.' } };
    const result = await play([step(end, click('Delete'), second)]);
    expect(result).toMatchObject({ success: true, message: 'Bought.' });
    expect(await browser.page.locator('#said').textContent()).toBe('Nothing done');
    expect(result.actions.map(({ success }) => success)).toEqual([false, true, false]);
  });

  it('reports a call with incomplete JSON, and quotes the received input', async () => {
    const result = await play([{ text: '', calls: [{ tool: 'click', input: '{"ref": "e' }] }, done(), done()]);
    expect(result.actions[0]).toMatchObject({
      success: false,
      result:
        'click was not called: its input is not a JSON object (received {"ref": "e). Call it again with the complete input.',
    });
  });
});

describe('loop detection', () => {
  it('ignores repeated calls whose results differ', async () => {
    let percent = 0;
    const tools = toolOf(() => `${(percent += 10)} %`);
    const polling = Array.from({ length: 9 }, () => step({ tool: 'job' }));
    expect(await play([...polling, done()], {}, { tools })).toMatchObject({ success: true });
  });

  it('ignores repeated clicks that change the screenshot', async () => {
    const { x = 0, y = 0 } = (await browser.page.locator('canvas').centroid()) ?? {};
    const input = { x: Math.round(x), y: Math.round(y) };
    const turning = Array.from({ length: 7 }, () => step({ tool: 'clickAt', input }));
    const result = await play([...turning, done(), done()], {}, { mode: 'hybrid' });
    expect(result.completed).toBe(true);
  });

  it('resets the count of empty answers after a tool call', async () => {
    const script = [SILENT, SILENT, step(click('Buy')), SILENT, SILENT, done('Bought.', { evidence: ['Bought'] })];
    expect(await play(script)).toMatchObject({ success: true, message: 'Bought.' });
  });
});

describe('custom tool result', () => {
  const circle: Record<string, unknown> = { name: 'Ada' };
  circle['self'] = circle;

  it.each([
    ['a bigint', { id: 9_007_199_254_740_993n }, '{"id":"9007199254740993"}'],
    ['a circular object', circle, "name: 'Ada'"],
  ])('converts %s to text', async (_what, answer, words) => {
    const result = await play([step({ tool: 'job' }), done()], {}, { tools: toolOf(() => answer) });
    expect(result.actions[0]).toMatchObject({ success: true, result: expect.stringContaining(words) });
  });
});

describe('early end of a run', () => {
  it('returns the results of a step that the time budget interrupts', async () => {
    const tools = toolOf(never);
    const calls = [{ tool: 'find', input: { words: 'Nothing' } }, click('Buy'), { tool: 'job' }, click('Delete')];
    const result = await play([step(...calls)], { budget: { ms: 5000 } }, { tools });
    expect(result).toMatchObject({ completed: false });
    const results = result.messages.at(-1)?.results ?? [];
    expect(results.map(({ tool, isError = false }) => [tool, isError])).toEqual([
      ['read', false],
      ['act', false],
      ['job', true],
      ['act', true],
    ]);
    expect(results[1]?.text).toContain('The page changed');
    expect(results.at(-1)?.text).toBe('Not finished: the run ended.');
    expect(await play([done()], { messages: result.messages })).toMatchObject({ completed: true });
  });

  it('reports the spent budget when an integration does not connect in time', async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const result = await play([], { budget: { ms: 500 } }, { integrations: [silent] });
    expect(result).toMatchObject({
      success: false,
      completed: false,
      message: 'The run ended before the task was done: its budget of 500 ms was spent.',
      actions: [],
    });
  });
});

describe('messages of an earlier run', () => {
  const find = { id: 'call-7', tool: 'find', input: { words: 'code' } };
  const earlier = [
    { role: 'user', kind: 'task', text: 'Task: Find the code' },
    { role: 'user', text: `page ${'x'.repeat(5000)}` },
    { role: 'assistant', text: 'I look for it.', calls: [find] },
    {
      role: 'tool',
      text: '',
      results: [{ id: 'call-7', tool: 'find', text: 'One line contains these words: The code is ZX81' }],
    },
  ] as const;

  it('keeps earlier findings in the digest between boundary lines', async () => {
    await play(
      [step(click('Buy')), done('', { evidence: ['Bought'] })],
      { messages: earlier },
      { contextTokens: 1000 },
    );
    const [, task, digest] = model.requests[1]?.messages ?? [];
    expect(task?.text).toBe('Task: Buy a mug');
    expect(digest?.text.split('\n').map((line) => line.replace(/^page-\d+$/, '|'))).toEqual([
      'The earlier messages are omitted. Your actions so far:',
      '|',
      'before: Task: Find the code',
      'before: you said I look for it.',
      'before: find {"words":"code"} → One line contains these words: The code is ZX81',
      expect.stringMatching(/^step 1: click .* → Done: click on button "Buy"/),
      '|',
    ]);
  });

  it('numbers new calls after the earlier ones', async () => {
    const { messages } = await play([done()], { messages: earlier });
    const ids = messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
    expect(ids).toEqual(['call-7', 'call-8']);
  });
});
