import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import {
  AgentAbortError,
  type AgentPart,
  type AgentResult,
  Driver,
  DriverInvalidArgumentError,
  DriverNotInitializedError,
  type ExecuteOptions,
  type ModelCallResult,
  type ModelMessage,
  type ModelRequest,
} from '../../src/index.ts';
import { World } from '../../src/cdp/world.ts';
import type { ExtractSchema } from '../../src/extract/schema.ts';
import { type ScriptedAnswer, ScriptedModel, type ScriptedModelOptions } from '../../src/testing.ts';
import { isRecord } from '../../src/util/is-record.ts';
import { failureOf } from '../support/failure-of.ts';
import { highlightsDuring } from '../support/highlights-during.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { click, done, never, readAll, step } from './steps-for-test.ts';

const browser = useBrowser({ routes: { '/': '<title>Here</title>', '/second': '<title>Two</title><h1>Second</h1>' } });
let model: ScriptedModel;

const SHOP = `<title>Shop</title><h1>Mugs</h1><p id=said>Nothing bought</p><label>Note <input></label>
  <button onclick="document.querySelector('#said').textContent = 'One mug bought'">Buy</button><button>Idle</button>
  <a href="#terms">Terms</a>`;

beforeEach(async () => {
  if (browser.page.url() !== 'about:blank') await browser.page.goto('about:blank');
  await browser.page.setContent(SHOP);
});

type Options<Schema extends ExtractSchema> = Partial<ExecuteOptions<Schema>>;

/** Carries out a task with a model that answers so. */
function play<const Schema extends ExtractSchema = never>(
  script: readonly ScriptedAnswer[] | ((request: ModelRequest) => unknown),
  options: Options<Schema> = {},
  settings: ScriptedModelOptions = {},
): Promise<AgentResult> {
  model = new ScriptedModel(script, { allowUnknownRefs: true, ...settings });
  return browser.driver.agent({ model }).execute({ instruction: 'Buy a mug', page: browser.page, ...options });
}

/** The results of all calls, as data. */
function resultsOf(request: ModelRequest | undefined): readonly ModelCallResult[] {
  return request?.messages.flatMap(({ results = [] }) => results) ?? [];
}

/** What a model is told at its last question, or at this one. */
function told(index = -1): string {
  const { messages = [] } = model.requests.at(index) ?? {};
  return messages
    .map(({ text, results = [] }) => [text, ...results.map((result) => result.text)].join('\n'))
    .join('\n');
}

describe('agent run', () => {
  it.each([
    ['text to become readable before a text-only request', 'dom', ['arrival', 'text']],
    ['all motion before a request with a screenshot', 'hybrid', ['arrival', undefined]],
  ] as const)('waits only for arrival between calls of one step, and for %s', async (_who, mode, awaited) => {
    using asked = vi.spyOn(World.prototype, 'start');
    model = new ScriptedModel([step(click('Idle'), click('Buy')), done('One mug.')]);
    await browser.driver.agent({ model, mode }).execute({ instruction: 'Buy a mug', page: browser.page });
    const calls: readonly (readonly unknown[])[] = asked.mock.calls;
    const settlings = calls.flatMap(([method, options]) => (method === 'settle' ? [options] : []));
    const awaitedInput = settlings.filter(isRecord);
    const motions = awaitedInput.filter(({ eventTimeout }) => eventTimeout !== 0).map(({ motion }) => motion);
    expect(motions).toEqual(awaited);
  });

  // [spec: history.method]
  it('reports its own actions, usage and log lines, and adds no history entry', async () => {
    const before = (await browser.driver.history).length;
    const agent = browser.driver.agent({
      model: new ScriptedModel([step(click('Buy')), done('One mug.'), done('Two mugs.')], {
        usage: { promptTokens: 100, completionTokens: 10, reasoningTokens: 4, cachedInputTokens: 40 },
      }),
    });
    const [metrics, lines] = [await browser.driver.metrics, browser.lines.length];
    const first = await agent.execute('Buy a mug');
    const second = await agent.execute({ instruction: 'Buy another', maxSteps: 3 });
    expect(first.usage).toEqual({ promptTokens: 200, completionTokens: 20, reasoningTokens: 8, cachedInputTokens: 80 });
    expect(second.usage.promptTokens).toBe(100);
    const after = await browser.driver.metrics;
    expect(after.agentPromptTokens - metrics.agentPromptTokens).toBe(300);
    expect(after.agentReasoningTokens - metrics.agentReasoningTokens).toBe(12);
    expect(after.totalCachedInputTokens - metrics.totalCachedInputTokens).toBe(120);
    expect(first.actions.map(({ tool, success }) => [tool, success])).toEqual([
      ['click', true],
      ['done', true],
    ]);
    expect(await browser.driver.history).toHaveLength(before);
    const runs = browser.lines.slice(lines).filter(({ category, level }) => category === 'agent' && level === 1);
    expect(runs.map(({ message }) => message)).toEqual([
      'agent "Buy a mug" starts on about:blank',
      'step 1: click on button "Buy". The page changed.',
      expect.stringMatching(/^agent "Buy a mug" → One mug\. \(2 calls, 200\+20 tokens, \d+ ms\)$/),
      'agent "Buy another" starts on about:blank',
      expect.stringMatching(/^agent "Buy another" → Two mugs\. \(1 call, 100\+10 tokens, \d+ ms\)$/),
    ]);
  });

  it('logs the error of a failed run, and adds no history entry', async () => {
    const before = (await browser.driver.history).length;
    const error = await failureOf(play([new RangeError('no answer')]));
    expect(error).toMatchObject({ code: 'LLM_RESPONSE', message: expect.stringContaining('no answer') });
    expect(browser.lines.findLast(({ level }) => level === 1)?.message).toMatch(/^agent ".+" failed: .*no answer/);
    expect(await browser.driver.history).toHaveLength(before);
  });

  it('adds only its navigations to the history', async () => {
    const before = (await browser.driver.history).length;
    const url = browser.server.page('/there', '<title>There</title><button>Buy</button>');
    await play([step({ tool: 'navigate', input: { url } }), step(click('Buy')), done('There.')]);
    expect((await browser.driver.history).slice(before)).toMatchObject([
      { method: 'navigate', parameters: { method: 'goto', url }, result: { status: 200 } },
    ]);
  });

  it('masks variable values in requests, results, callbacks, history and logs', async () => {
    const secret = 'Zanzibar-Quince-77';
    const line = browser.lines.length;
    const html = `<title>Sign in</title><label>Password <input oninput="
      document.title = this.value; document.querySelector('p').textContent = document.querySelector('button').textContent = 'Hello ' + this.value"></label><p></p><button>Go</button>`;
    await browser.page.goto(browser.server.page('/sign-in', html));
    const parts: AgentPart[] = [];
    const planned: unknown[] = [];
    const result = await play(
      [
        step(
          { tool: 'fill', input: { text: '%password%' }, on: { role: 'textbox' } },
          { tool: 'click', on: { role: 'button' } },
        ),
        step({ tool: 'find', input: { words: 'Hello' } }, { tool: 'wait', input: { text: '%password%' } }),
        done('Signed in as %password%', { evidence: ['Hello %password%'], output: { name: '%password%' } }),
      ],
      {
        instruction: 'Sign in with %password%',
        variables: { password: { value: secret, description: 'of the account' } },
        output: z.object({ name: z.string().length(secret.length) }),
        callbacks: { onChunk: (part) => void parts.push(part), onBeforeAction: (action) => void planned.push(action) },
      },
    );
    expect(result).toMatchObject({ success: true, message: 'Signed in as %password%', output: { name: '%password%' } });
    expect(await browser.page.locator('p').textContent()).toBe(`Hello ${secret}`);
    const requests = model.requests.map(({ signal: _signal, tools: _tools, ...request }) => ({
      ...request,
      nodes: request.page.nodes,
    }));
    const seen = [requests, result, parts, planned, await browser.driver.history, browser.lines.slice(line)];
    expect(seen.map((data) => JSON.stringify(data).includes(secret))).toEqual(seen.map(() => false));
    expect(JSON.stringify(requests)).toContain('Hello %password%');
  });
});

it('uses `executionModel` for model calls of the `extract` tool', async () => {
  const reader = new ScriptedModel([{ found: [{ price: '12' }] }], { usage: { promptTokens: 7 } });
  const driverModel = new ScriptedModel([
    step({ tool: 'extract', input: { instruction: 'the price', fields: ['price'] } }),
    done(),
  ]);
  const agent = browser.driver.agent({ model: driverModel, executionModel: reader });
  const result = await agent.execute({ instruction: 'Read the price', page: browser.page });
  expect(result).toMatchObject({ success: true, usage: { promptTokens: 7 } });
  expect(reader.requests.map(({ verb }) => verb)).toEqual(['extract']);
  expect(driverModel.requests.map(({ verb }) => verb)).toEqual(['agent', 'agent']);
});

const ODD = [
  [{ instruction: 'Buy %what%' }, 'variables'],
  [{ variables: { name: null } }, 'variables.name'],
  [{ excludeTools: ['clik', 'click'] }, 'excludeTools'],
  [{ excludeTools: ['done'] }, 'excludeTools'],
  [{ budget: { tokens: 0 } }, 'budget.tokens'],
  [{ budget: { usd: '1' } }, 'budget.usd'],
  [{ budget: { usd: 1 } }, 'budget.usd'],
  [{ budget: { ms: -1 } }, 'budget.ms'],
  [{ budget: { usd: 1, price: { input: -1, output: 1 } } }, 'budget.price.input'],
  [{ budget: { token: 5 } }, 'budget.token'],
  [{ budget: { usd: 1, price: { input: 1, output: 1, cached: 1 } } }, 'budget.price.cached'],
  [{ callbacks: { onAction: 'log' } }, 'callbacks.onAction'],
  [{ callbacks: { onaction: () => undefined } }, 'callbacks.onaction'],
  [{ maxStep: 3 }, 'maxStep'],
  [{ exludeTools: ['click'] }, 'exludeTools'],
  [{ output: 'text' }, 'output'],
  [{ page: {} }, 'page'],
] as const;

describe('invalid options', () => {
  it.each(ODD)('rejects the run before any model call: %o', async (options, argument) => {
    const error = await failureOf(play([done()], options as never));
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(error).toMatchObject({ argument });
    expect(model.requests).toHaveLength(0);
  });

  it('reports the known options of `budget`', async () => {
    const error = await failureOf(play([done()], { budget: { token: 5 } as object }));
    expect(error).toMatchObject({
      message: 'budget.token is not an option of a budget. Known options: tokens, usd, ms, price.',
    });
  });

  it.each([
    [{ modes: 'dom' }, 'modes'],
    [{ mode: 'text' }, 'mode'],
    [{ maxSteps: 5 }, 'maxSteps'],
    [{ integrations: ['http://127.0.0.1/mcp', { url: 'http://127.0.0.1/mcp', header: {} }] }, 'integrations[1].header'],
  ])('throws from `agent()`: %o', (config, argument) => {
    expect(() => browser.driver.agent(config as object)).toThrow(expect.objectContaining({ argument }));
  });

  it('reports the excludable tools', async () => {
    const error = await failureOf(play([done()], { excludeTools: ['clik'] }));
    expect(error).toMatchObject({
      message: expect.stringMatching(/"clik".* can be excluded: click, fill, /),
    });
  });
});

it('does not offer excluded tools, and reports a call of one as a failure', async () => {
  const result = await play([step({ tool: 'navigate', input: { url: 'about:blank' } }), done()], {
    excludeTools: ['navigate'],
  });
  expect(model.requests[0]?.tools?.map(({ name }) => name)).not.toContain('navigate');
  expect(result.actions[0]).toMatchObject({
    success: false,
    result: 'There is no tool "navigate". Available: act, read, screenshot, done.',
  });
});

describe('`output` schema', () => {
  const PART: ExtractSchema = z.object({
    name: z.string(),
    get parts() {
      return z.array(PART as z.ZodType).optional();
    },
  });
  const MUG = { name: 'Blue mug', price: 12 };
  const shapes: readonly (readonly [string, ExtractSchema, unknown, unknown])[] = [
    ['Zod 4', z.object({ name: z.string(), price: z.number() }), MUG, MUG],
    [
      'Zod 3',
      z3.object({ name: z3.string(), price: z3.number().transform((price) => price * 2) }),
      MUG,
      { ...MUG, price: 24 },
    ],
    ['JSON Schema', { type: 'array', items: { type: 'string' } }, { value: ['a', 'b'] }, ['a', 'b']],
    ['a recursive schema', PART, { name: 'a', parts: [{ name: 'b' }] }, { name: 'a', parts: [{ name: 'b' }] }],
  ];

  it.each(shapes)('validates and transforms the output with %s', async (_library, output, answer, expected) => {
    const result = await play([done('Read.', { output: answer })], { output });
    expect(result.output).toEqual(expected);
    const tool = model.requests[0]?.tools?.find(({ name }) => name === 'done');
    expect(tool?.input).toMatchObject({ required: ['success', 'message'] });
  });

  it('reports missing and invalid output to the model, and accepts the corrected output', async () => {
    const output = z.object({ price: z.number().max(20) });
    const wrong = done('Read.', { output: { price: 25 } });
    const result = await play([done('Read.'), wrong, done('Read.', { output: { price: 12 } })], { output });
    expect(result).toMatchObject({ success: true, output: { price: 12 } });
    expect(told(1)).toContain('output is missing');
    expect(told()).toMatch(/output is invalid: .*price/);
  });

  it('requires no output when `done` reports `success: false`', async () => {
    const output = z.object({ price: z.number() });
    const result = await play([step({ tool: 'done', input: { success: false, message: 'No mug.' } })], { output });
    expect(result).toMatchObject({ success: false, completed: true, message: 'No mug.' });
    expect(result).not.toHaveProperty('output');
  });

  it('resolves a link number such as `#0` to its URL', async () => {
    const output = z.object({ terms: z.url() });
    await browser.page.setContent('<a href="https://example.com/terms">Terms</a>');
    const { output: read } = await play([done('Read.', { output: { terms: '#0' } })], { output });
    expect(read).toEqual({ terms: 'https://example.com/terms' });
  });
});

describe('`done` call', () => {
  it('ends the run without a further model call when the page shows the evidence', async () => {
    const result = await play([step(click('Buy')), done('Bought.', { evidence: ['One mug bought'] })]);
    expect(result).toMatchObject({ success: true, completed: true, message: 'Bought.' });
    expect(model.requests).toHaveLength(2);
  });

  it('questions the claim when the page has changed since the last snapshot', async () => {
    const changing: ScriptedAnswer = async () => {
      await browser.page.evaluate(`document.querySelector('#said').textContent = 'Sold out'`);
      return { text: '', calls: [{ tool: 'done', input: { success: true, message: 'Bought.' } }] };
    };
    const giveUp = step({ tool: 'done', input: { success: false, message: 'Sold out.' } });
    const result = await play([step(click('Buy')), changing, giveUp]);
    expect(result).toMatchObject({ success: false, completed: true, message: 'Sold out.' });
    expect(told()).toContain('The page has changed since you last saw it.');
    expect(told()).toContain('Sold out');
    expect(result.actions.map(({ tool, success }) => [tool, success])).toEqual([
      ['click', true],
      ['done', false],
      ['done', true],
    ]);
  });

  it('asks the model to confirm success after a click without effect and after a failed click', async () => {
    const idle = step(click('Idle'), { tool: 'done', input: { success: true, message: 'Bought.' } });
    expect(await play([idle, done('Bought.')])).toMatchObject({ success: true, completed: true });
    expect(model.requests).toHaveLength(2);
    expect(told()).toContain('had no observed effect');
    const failing = step({ tool: 'click', input: { ref: 'e999' } });
    expect(await play([failing, done(), done('Bought.', { evidence: ['Nothing bought'] })])).toMatchObject({
      success: true,
    });
    expect(told()).toContain('click, failed');
  });

  it('reports `success: false` after two claims with evidence that no page shows', async () => {
    const claim = done('Bought.', { evidence: ['Order 4711 confirmed'] });
    expect(await play([claim, claim])).toMatchObject({ success: false, completed: true, message: 'Bought.' });
    expect(model.requests).toHaveLength(2);
    expect(told()).toContain('Not found: "Order 4711 confirmed"');
  });
});

describe('run limits', () => {
  const idle = { tool: 'wait', input: {} };

  it('warns in the last of `maxSteps`, and ends the run with the data read so far', async () => {
    const read = step({ tool: 'find', input: { words: 'Mugs' } });
    const saying: ScriptedAnswer = () => ({ text: 'Mugs cost 12.', calls: [idle] });
    const result = await play([step(click('Buy')), read, saying, step(click('Idle'))], { maxSteps: 4 });
    expect(result).toMatchObject({ success: false, completed: false });
    expect(result.message).toMatch(
      /^The run ended before the task was done: it reached its limit of 4 steps \(maxSteps\)\.\nRead so far:\n.*Mugs.*\nLast message of the agent: Mugs cost 12\.$/,
    );
    expect(told()).toContain('This is the last step: call done now');
    expect(result.actions).toHaveLength(4);
  });

  it.each([
    [{ tokens: 250 }, 'its budget of 250 tokens was spent', 3],
    [{ usd: 0.0002, price: { input: 1, output: 1 } }, 'its budget of 0.0002 USD was spent', 2],
  ])('ends the run after the step that exceeds the budget %o', async (budget, why, calls) => {
    const result = await play(
      Array.from({ length: 9 }, (_, index) => step({ tool: 'find', input: { words: `${index}` } })),
      { budget },
      { usage: { promptTokens: 100 } },
    );
    expect(result).toMatchObject({ completed: false, message: expect.stringContaining(why) });
    expect(model.requests).toHaveLength(calls);
  });

  it('accepts a `done` call in the step that exceeds the token budget', async () => {
    const result = await play([done()], { budget: { tokens: 1 } }, { usage: { promptTokens: 100 } });
    expect(result).toMatchObject({ success: true, completed: true });
  });

  it('ends the run at `budget.ms` while a model call is pending', async () => {
    const result = await play([step(click('Buy')), never], { budget: { ms: 600 } });
    expect(result).toMatchObject({
      success: false,
      completed: false,
      message: expect.stringContaining('600 ms was spent'),
    });
  });
});

it('warns a model that repeats an action, ends the run after 7 repetitions, and logs both', async () => {
  const lines = browser.lines.length;
  const result = await play(() => ({ text: '', calls: [{ tool: 'find', input: { words: 'x' } }] }));
  expect(result).toMatchObject({ success: false, completed: false, message: expect.stringContaining('7 times') });
  expect(told()).toContain(
    'You have repeated the same action 3 times and the page does not change. Try something else.',
  );
  expect(told()).toContain('Make a new plan');
  const logged = browser.lines.slice(lines).map(({ message }) => message);
  expect(logged).toContain(
    'step 3: advised the model: You have repeated the same action 3 times and the page does not change. Try something else.',
  );
  expect(logged).toContain('step 7: find "x": One line contains these words');
  expect(logged.at(-1)).toMatch(
    /→ The run ended before the task was done: the same action was repeated 7 times .* \(7 calls,/,
  );
});

it('logs actions, failures and skipped calls, but no passwords and no page data', async () => {
  await browser.page.setContent(
    '<title>Sign in</title><label>Name <input></label><label>Pass <input type=password></label><p>Pin 4711',
  );
  const lines = browser.lines.length;
  const words: ScriptedAnswer = (request) => ({
    ...(done('Signed in.', { evidence: ['Welcome'] }) as (given: ModelRequest) => object)(request),
    text: 'That was all.',
  });
  await play([
    step(
      { tool: 'fill', input: { text: 'Ada' }, on: { name: 'Name' } },
      { tool: 'fill', input: { text: 'hunter2', submit: true }, on: { name: 'Pass' } },
    ),
    step({ tool: 'find', input: { words: 'Pin' } }, { tool: 'scroll', input: { to: 'here' } }, click('Name')),
    words,
    step({ tool: 'done', input: { success: false, message: 'It asks for a pin.' } }),
  ]);
  const logged = browser.lines
    .slice(lines)
    .filter(({ level }) => level === 1)
    .map(({ message }) => message);
  expect(logged.slice(1)).toEqual([
    'step 1: fill "Ada" into textbox "Name". The page changed.',
    'step 1: fill on textbox "Pass". The page changed. press Enter on textbox "Pass". No change was observed.',
    'step 2: find "Pin": One line contains these words',
    'step 2: scroll failed: scroll here needs the ref of the element to scroll into view.',
    'step 2: click was skipped: the earlier call scroll failed.',
    'step 3: "That was all."',
    'step 3: done was not accepted: Your last action, scroll, failed. Not found: "Welcome".',
    expect.stringMatching(/^agent "Buy a mug" → Not done: It asks for a pin\. \(4 calls,/),
  ]);
});

it('asks again twice when the model calls no tool, then ends the run', async () => {
  const result = await play(() => ({ text: 'Hm.', calls: [] }));
  expect(result).toMatchObject({
    completed: false,
    message: expect.stringContaining('called no tool: Hm.'),
  });
  expect(model.requests).toHaveLength(3);
});

it('replaces the conversation with a digest beyond `contextTokens`, and sends the page again', async () => {
  await browser.page.setContent(
    SHOP +
      Array.from({ length: 120 }, (_, index) => `<p>Paragraph ${index} of a long page that goes on and on</p>`).join(
        '',
      ),
  );
  const agent = browser.driver.agent({
    model: (model = new ScriptedModel(
      [
        step({ tool: 'find', input: { words: 'Paragraph' } }),
        step({ tool: 'find', input: { words: 'Paragraph 11' } }),
        step(click('Buy')),
        done('Bought.', { evidence: ['One mug bought'] }),
      ],
      {},
    )),
    contextTokens: 1500,
  });
  expect(await agent.execute({ instruction: 'Buy a mug', page: browser.page })).toMatchObject({ success: true });
  const roles = model.requests.map(({ messages }) => messages.map(({ role }) => role).join(' '));
  expect(roles.at(-1)).toBe('system user user assistant tool user');
  expect(told()).toMatch(/Your actions so far:\npage-\w+\n… 1 earlier\nstep 2: find \{"words":"Paragraph 11"\}/);
  expect(told()).toContain('One mug bought');
});

describe('tool calls of one step', () => {
  it('runs up to 10 calls, and reports the rest as not done', async () => {
    const many = step(...Array.from({ length: 12 }, (_, index) => ({ tool: 'find', input: { words: `${index}` } })));
    const { actions } = await play([many, done()]);
    expect(actions.map(({ success }) => success)).toEqual([...Array(10).fill(true), false, false, true]);
    expect(actions[10]?.result).toBe('Not done: a step runs at most 10 calls.');
  });

  it('skips the remaining calls after a navigation and after a failed call', async () => {
    const away = `<button onclick="location.hash = '/terms'; this.replaceWith('Terms')">Leave</button>`;
    await browser.page.setContent(away + SHOP);
    const { actions } = await play([
      step(click('Leave'), click('Buy')),
      step({ tool: 'click', input: { ref: 'e999' } }, click('Buy')),
      done('', { evidence: ['Nothing bought'] }),
      done('', { evidence: ['Nothing bought'] }),
    ]);
    expect(actions.slice(0, 4).map(({ result }) => result)).toEqual([
      expect.stringContaining('Done: click on button "Leave"'),
      'Not done: the earlier call click opened another page, which you have not seen yet.',
      expect.stringContaining('e999'),
      'Not done: the earlier call click failed.',
    ]);
    const results = resultsOf(model.requests.at(-1)).filter(({ tool }) => tool !== 'done');
    expect(results.map(({ isSkipped }) => isSkipped)).toEqual([undefined, true, undefined, true]);
    expect(await browser.page.locator('#said').textContent()).toBe('Nothing bought');
  });
});

describe('callbacks', () => {
  it('calls the callbacks for actions, steps and the end in order, and logs their errors', async () => {
    const heard: string[] = [];
    const lines = browser.lines.length;
    const result = await play([step(click('Buy'), click('Idle')), done()], {
      callbacks: {
        onAction: ({ tool, step: number }) => void heard.push(`${number} ${tool}`),
        onStepEnd: ({ step: number, actions }) => void heard.push(`${number} finished with ${actions.length}`),
        onChunk: (part) => {
          if (part.type === 'step-start') throw new RangeError('chunks are too much');
        },
        onEnd: ({ success }) => void heard.push(`finished ${success}`),
        onError: () => void heard.push('failed'),
      },
    });
    expect(result.success).toBe(true);
    expect(heard).toEqual(['1 click', '1 click', '1 finished with 2', '2 done', '2 finished with 1', 'finished true']);
    const failures = browser.lines
      .slice(lines)
      .filter(({ message }) => message === 'onChunk failed: chunks are too much');
    expect(failures).toHaveLength(2);
  });

  it('passes the error of a failed run to `onError`', async () => {
    const errors: unknown[] = [];
    const error = await failureOf(play([], { callbacks: { onError: (given) => void errors.push(given) } }));
    expect(errors).toEqual([error]);
  });

  it.each([
    ['returns false', () => false, 'The user refused click. Continue without it.'],
    ['returns a reason', () => Promise.resolve('it costs money'), 'click was refused: it costs money'],
    [
      'rejects',
      () => Promise.reject(new RangeError('no such rule')),
      'click was not run because onBeforeAction failed: no such rule',
    ],
  ])('skips the action when `onBeforeAction` %s', async (_how, onBeforeAction, why) => {
    const giveUp = step({ tool: 'done', input: { success: false, message: 'Refused.' } });
    const { actions } = await play([step({ tool: 'find', input: { words: 'Mugs' } }, click('Buy')), giveUp], {
      callbacks: { onBeforeAction },
    });
    expect(actions.map(({ success }) => success)).toEqual([true, false, true]);
    expect(actions[1]?.result).toBe(why);
    expect(await browser.page.locator('#said').textContent()).toBe('Nothing bought');
  });

  it('passes the planned action and its element description to `onBeforeAction`', async () => {
    const planned: unknown[] = [];
    await play([step(click('Buy')), done()], { callbacks: { onBeforeAction: (action) => void planned.push(action) } });
    expect(planned).toEqual([
      { tool: 'click', input: { ref: expect.any(String) }, url: 'about:blank', step: 1, element: 'button "Buy"' },
    ]);
  });
});

describe('URL that the domain policy refuses', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await serve({ '/': '<title>Inside</title><p>Inside</p>' });
    await browser.driver.context.setDomainPolicy({ allowedDomains: ['127.0.0.1'] });
  });
  afterAll(async () => {
    await browser.driver.context.setDomainPolicy(null);
    await server.close();
  });

  it('blocks `navigate` and link clicks, and reports the reason to the model', async () => {
    await browser.page.goto(server.origin);
    await browser.page.setContent('<a href="https://example.com/">Out #1</a>');
    const giveUp = step({ tool: 'done', input: { success: false, message: 'Not allowed.' } });
    const script = [
      step({ tool: 'navigate', input: { url: 'https://example.com/' } }),
      step({ tool: 'navigate', input: { url: '#0' } }),
      step(click('Out #1')),
      step({ tool: 'navigate', input: { url: server.origin } }),
      giveUp,
    ];
    const { actions } = await play(script);
    expect(actions.map(({ success }) => success)).toEqual([false, false, false, true, true]);
    expect(actions[0]?.result).toMatch(
      /^The domain policy does not allow https:\/\/example\.com\/\. Allowed domains: 127\.0\.0\.1\./,
    );
    expect(actions[1]?.result).toBe(actions[0]?.result);
    expect(actions[2]?.result).toBe(actions[0]?.result);
  });
});

it('continues in a page that a click opens, and reports the dialog to the model', async () => {
  await browser.page.goto(browser.server.origin);
  await browser.page.setContent(`<button onclick="alert('Sure?'); window.open('/second')">Open</button>`);
  const result = await play([step(click('Open')), done('Read.', { evidence: ['Second'] })]);
  expect(result).toMatchObject({ success: true });
  expect(told()).toContain('a dialog (alert) said "Sure?"');
  expect(told()).toContain('You now work on page 2');
  expect(resultsOf(model.requests.at(-1))).toMatchObject([{ effect: 'opened', opened: ['dialog', 'page'] }]);
  expect(model.requests.at(-1)?.page.url).toBe(`${browser.server.origin}/second`);
  await browser.driver.context.activePage()?.close();
});

it('lists the open pages as text and as data', async () => {
  await browser.page.goto(browser.server.origin);
  await browser.page.setContent('<title>Shop\u200B %who%</title><p>Hello');
  await play([step({ tool: 'tabs', input: { what: 'list' } }), done('Read.', { evidence: ['Hello'] })], {
    variables: { who: 'Ada', site: browser.server.origin },
  });
  const [list] = resultsOf(model.requests.at(-1));
  expect(list?.text).toContain('1 (this one) "Shop % who %" %site%/');
  expect(list?.openPages).toEqual([{ number: 1, title: 'Shop % who %', url: '%site%/', isCurrent: true }]);
});

describe('`messages` option', () => {
  it('continues the conversation of an earlier result', async () => {
    const first = await play([step(click('Buy')), done('One.')]);
    const second = await play([done('Still one.')], { instruction: 'How many are there?', messages: first.messages });
    expect(second.message).toBe('Still one.');
    const [request] = model.requests;
    const kept = request?.messages
      .map(({ isStable: _isStable, ...message }) => message)
      .slice(1, 1 + first.messages.length);
    expect(kept).toEqual(first.messages);
    expect(told()).toMatch(/Task: Buy a mug[^]*One mug bought[^]*Task: How many are there\?/);
    const ids = second.messages.flatMap(({ calls = [] }: ModelMessage) => calls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('abort signal and `toolTimeout`', () => {
  it.each(['execute', 'agent'] as const)(
    'rejects the run when the signal of %s aborts during a model call',
    async (where) => {
      const controller = new AbortController();
      model = new ScriptedModel([
        () => {
          queueMicrotask(() => controller.abort('enough'));
          return never();
        },
      ]);
      const { signal } = controller;
      const agent = browser.driver.agent({ model, ...(where === 'agent' ? { signal } : {}) });
      const error = await failureOf(agent.execute({ instruction: 'Buy', ...(where === 'execute' ? { signal } : {}) }));
      expect(error).toBeInstanceOf(AgentAbortError);
      expect(error).toMatchObject({ code: 'ABORTED', cause: 'enough' });
      expect(model.requests[0]?.signal.aborted).toBe(true);
    },
  );

  it('sends no click after an abort during the action', async () => {
    await browser.page.setContent(`<button disabled onclick="document.title = 'clicked'">Buy</button>`);
    const controller = new AbortController();
    const { signal } = controller;
    const run = play([step(click('Buy'))], {
      signal,
      callbacks: { onBeforeAction: () => void setTimeout(() => controller.abort(), 50) },
    });
    expect(await failureOf(run)).toBeInstanceOf(AgentAbortError);
    await browser.page.evaluate(`document.querySelector('button').disabled = false`);
    await browser.page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    expect(await browser.page.title()).toBe('');
  });

  it('stops a slow tool at `toolTimeout`, and the run continues', async () => {
    await browser.page.setContent('<button disabled>Buy</button>');
    const giveUp = step({ tool: 'done', input: { success: false, message: 'It is disabled.' } });
    const result = await play([step(click('Buy')), giveUp], { toolTimeout: 200 });
    expect(result.actions[0]).toMatchObject({ success: false, result: expect.stringContaining('click failed.') });
    expect(result.message).toBe('It is disabled.');
  });
});

it('highlights the target of each action with `highlightCursor`, without a mutation of the document', async () => {
  await browser.page.evaluate(
    'new MutationObserver((records) => { document.title += records.length }).observe(document.body, { childList: true, subtree: true })',
  );
  const drawn = await highlightsDuring(async () => {
    const result = await play([step(click('Idle')), done()], { highlightCursor: true });
    expect(result.actions[0]).toMatchObject({ success: true });
  });
  const backendNodeId = await browser.page.getByRole('button', { name: 'Idle' }).backendNodeId();
  expect(drawn).toEqual([expect.objectContaining({ backendNodeId }), 'hidden']);
  expect(await browser.page.title()).toBe('Shop');
});

describe('streaming run', () => {
  it('yields the text and parts of each step, then the result', async () => {
    model = new ScriptedModel((request: ModelRequest) => {
      request.onPart?.({ kind: 'text', text: 'On ' });
      request.onPart?.({ kind: 'text', text: 'it. ' });
      return {
        text: 'On it.',
        calls: [
          {
            tool: model.requests.length === 1 ? 'wait' : 'done',
            input: model.requests.length === 1 ? {} : { success: true, message: 'Done.' },
          },
        ],
      };
    });
    const run = browser.driver.agent({ model, stream: true }).execute('Buy a mug');
    const texts = await readAll(run.textStream);
    const parts = await readAll(run.fullStream);
    expect(texts.join('')).toBe('On it. On it. ');
    expect(parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'text',
      'tool-result',
      'step-finish',
      'step-start',
      'text',
      'text',
      'tool-result',
      'step-finish',
      'finish',
    ]);
    expect(await run.result).toMatchObject({ success: true, message: 'Done.' });
  });

  it('throws the same error from `fullStream` and `result`', async () => {
    const run = browser.driver.agent({ model: new ScriptedModel([]), stream: true }).execute('Buy a mug');
    const failure = await failureOf(readAll(run.fullStream));
    expect(failure).toBe(await failureOf(run.result));
    expect(failure).toMatchObject({ code: 'LLM_RESPONSE' });
  });
});

it('throws from `agent()` before `init()`', () => {
  const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true });
  expect(() => driver.agent({ stream: true })).toThrow(DriverNotInitializedError);
});
