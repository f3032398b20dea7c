import { beforeEach, describe, expect, it } from 'vitest';
import { AgentAbortError, type AgentCallbacks, type AgentConfig, type AgentStep } from '../../src/index.ts';
import { type ScriptedAnswer, ScriptedModel } from '../../src/testing.ts';
import { modelFor } from '../model/provider-client-for-test.ts';
import { ANTHROPIC } from '../model/provider-formats.ts';
import { startProviderServer } from '../model/provider-server.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { OPENAI_COMPUTER } from './computer-formats.ts';
import { click, done, step } from './steps-for-test.ts';
import { ANTHROPIC_AGENT } from './wire-formats.ts';

const browser = useBrowser();
const USAGE = { promptTokens: 100, completionTokens: 10, reasoningTokens: 4, cachedInputTokens: 40 };

beforeEach(() =>
  browser.page.setContent(
    `<title>Shop</title><button onclick="said.textContent = 'Bought'">Buy</button><p id=said>Nothing bought`,
  ),
);

/** A model that answers by a script, and a run with it. */
function play(script: readonly ScriptedAnswer[], callbacks: AgentCallbacks, config: AgentConfig = {}) {
  const model = new ScriptedModel(script, { allowUnknownRefs: true, usage: USAGE });
  const agent = browser.driver.agent({ model, ...config, stream: false });
  return { model, result: agent.execute({ instruction: 'Buy a mug', page: browser.page, callbacks }) };
}

class Counter {
  readonly #heard: string[] = [];

  get heard(): readonly string[] {
    return this.#heard;
  }

  prepareStep(): void {
    this.#heard.push('prepareStep');
  }

  onStepEnd(): void {
    this.#heard.push('onStepEnd');
  }

  onFinish(): void {
    this.#heard.push('onFinish');
  }
}

describe('callbacks with AI SDK names', () => {
  it('calls `onStart`, `onStepStart`, `onStepEnd` and `onEnd` in order', async () => {
    const heard: string[] = [];
    const { result } = play([step(click('Buy')), done()], {
      onStart: ({ instruction, modelName, tools }) =>
        void heard.push(`${modelName} begins ${instruction} with ${tools.includes('click')}`),
      onStepStart: ({ stepNumber, steps }) => void heard.push(`step ${stepNumber} after ${steps.length}`),
      onStepEnd: ({ step: number }) => void heard.push(`step ${number} ended`),
      onEnd: ({ success, steps }) => void heard.push(`ended ${success} after ${steps.length}`),
      onError: () => void heard.push('failed'),
      onAbort: () => void heard.push('aborted'),
    });
    await result;
    expect(heard).toEqual([
      'scripted/model begins Buy a mug with true',
      'step 0 after 0',
      'step 1 ended',
      'step 1 after 1',
      'step 2 ended',
      'ended true after 2',
    ]);
  });

  it('calls `onStepFinish` and `onFinish` only without `onStepEnd` and `onEnd`', async () => {
    const heard: string[] = [];
    const names = ['onStepFinish', 'onFinish'];
    const old: AgentCallbacks = Object.fromEntries(names.map((name) => [name, () => void heard.push(name)]));
    await play([done()], old).result;
    await play([done()], {
      ...old,
      onStepEnd: () => void heard.push('onStepEnd'),
      onEnd: () => void heard.push('onEnd'),
    }).result;
    expect(heard).toEqual(['onStepFinish', 'onFinish', 'onStepEnd', 'onEnd']);
  });

  it('calls each callback as a method of its object', async () => {
    const counter = new Counter();
    await play([done()], counter).result;
    expect(counter.heard).toEqual(['prepareStep', 'onStepEnd', 'onFinish']);
  });

  it('calls `onAbort` with the reason and earlier steps, and not `onError` or `onEnd`', async () => {
    const controller = new AbortController();
    const heard: unknown[] = [];
    const { result } = play(
      [step(click('Buy')), () => controller.abort('enough')],
      {
        onAbort: ({ steps, reason }) => void heard.push(['aborted', steps.length, reason]),
        onError: (error) => void heard.push(['failed', error]),
        onEnd: () => void heard.push('ended'),
      },
      { signal: controller.signal },
    );
    expect(await failureOf(result)).toBeInstanceOf(AgentAbortError);
    expect(heard).toEqual([['aborted', 1, 'enough']]);
  });

  it('calls `onError`, and not `onAbort`, when the run fails', async () => {
    const heard: unknown[] = [];
    const { result } = play([], {
      onError: (error) => void heard.push(error),
      onAbort: () => void heard.push('aborted'),
    });
    expect(heard).toEqual([]);
    expect(await failureOf(result)).toBe(heard[0]);
    expect(heard).toHaveLength(1);
  });
});

describe('AgentStep', () => {
  it('contains tool calls, tool results, finish reason and usage', async () => {
    const steps: AgentStep[] = [];
    const { result } = play([step(click('Buy'), { tool: 'nothing' }), { text: 'Hm.', calls: [] }, done()], {
      onStepEnd: (ended) => void steps.push(ended),
    });
    expect((await result).steps).toEqual(steps);
    const [first, second, third] = steps;
    expect(first).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'click', input: { ref: expect.any(String) } },
        { type: 'tool-call', toolCallId: 'call-2', toolName: 'nothing', input: {} },
      ],
      toolResults: [
        { type: 'tool-result', toolCallId: 'call-1', toolName: 'click', isError: false },
        { type: 'tool-result', toolCallId: 'call-2', toolName: 'nothing', isError: true },
      ],
      usage: USAGE,
    });
    expect(first?.toolResults[0]?.output).toContain('Done: click on button "Buy"');
    expect(first?.toolResults.map(({ output }) => output)).toEqual(first?.actions.map(({ result: said }) => said));
    expect(second).toMatchObject({ finishReason: 'stop', toolCalls: [], toolResults: [], text: 'Hm.' });
    expect(third).toMatchObject({ toolResults: [{ toolName: 'done', isError: false }], usage: USAGE });
    expect(steps.map(({ totalUsage }) => totalUsage.promptTokens)).toEqual([100, 200, 300]);
  });

  it('lists tool results in call order when `done` comes first', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Done.' } };
    const { steps } = await play([step(end, click('Buy'))], {}).result;
    expect(steps[0]?.toolResults.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['done', false],
      ['click', true],
    ]);
  });

  it('contains the finish reason of the provider', async () => {
    const answer = ANTHROPIC_AGENT.answer([{ id: 'toolu_1', tool: 'done', input: { success: true, message: 'Ok.' } }]);
    await using server = await startProviderServer(ANTHROPIC_AGENT.nothing, answer);
    const { result } = play([], {}, { model: modelFor(ANTHROPIC, server) });
    const { steps } = await result;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['stop', 'tool-calls']);
    expect(steps[1]?.toolCalls).toMatchObject([{ toolCallId: 'toolu_1' }]);
  });
});

describe('prepareStep', () => {
  it('receives the run state, and changes nothing when it returns undefined or {}', async () => {
    const seen: unknown[] = [];
    const { result } = play(
      [step(click('Buy')), done()],
      {
        prepareStep: ({ stepNumber, steps, messages, model, instructions, activeTools }) => {
          const said = messages.map(({ role }) => role).join(' ');
          seen.push({
            stepNumber,
            ended: steps.length,
            said,
            model,
            instructions,
            click: activeTools.includes('click'),
          });
          return Promise.resolve(stepNumber === 0 ? undefined : {});
        },
      },
      { systemPrompt: 'Be quick.' },
    );
    expect(await result).toMatchObject({ success: true });
    const same = { model: 'scripted/model', instructions: 'Be quick.', click: true };
    expect(seen).toEqual([
      { ...same, stepNumber: 0, ended: 0, said: 'user user' },
      { ...same, stepNumber: 1, ended: 1, said: 'user user assistant tool user' },
    ]);
  });

  it('chooses the tools of one step', async () => {
    const { result, model } = play([step(click('Buy')), step(click('Buy')), done()], {
      prepareStep: ({ stepNumber }) => (stepNumber === 0 ? { activeTools: ['find'] } : undefined),
    });
    const { actions } = await result;
    expect(actions.map(({ success }) => success)).toEqual([false, true, true]);
    expect(actions[0]?.result).toBe('There is no tool "act". Available: read, done.');
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['read', 'done']);
    expect(model.requests[1]?.tools?.map(({ name }) => name)).toContain('act');
  });

  it('chooses the model of one step', async () => {
    const other = new ScriptedModel([step(click('Buy'))], { modelName: 'scripted/other', usage: { promptTokens: 7 } });
    const { result, model } = play([done()], {
      prepareStep: ({ stepNumber }) => (stepNumber === 0 ? { model: other } : {}),
    });
    const { usage, steps } = await result;
    expect([other.requests.length, model.requests.length]).toEqual([1, 1]);
    expect(usage.promptTokens).toBe(107);
    expect(steps.map((ended) => ended.usage.promptTokens)).toEqual([7, 100]);
  });

  it('changes the instructions and the conversation from that step on', async () => {
    const note = { role: 'user', text: 'The red one is sold out.' } as const;
    const { result, model } = play([step(click('Buy')), step({ tool: 'find', input: { words: 'mug' } }), done()], {
      prepareStep: ({ stepNumber, messages }) =>
        stepNumber === 1 ? { instructions: 'Speak French.', messages: [...messages, note] } : undefined,
    });
    await result;
    const [first, second, third] = model.requests.map(({ messages }) => messages);
    expect(first?.[0]?.text).not.toContain('French');
    expect(second?.[0]?.text).toContain('Speak French.');
    expect(third?.[0]?.text).toBe(second?.[0]?.text);
    expect(second?.at(-1)?.text).toBe(note.text);
    expect(third?.filter(({ text }) => text === note.text)).toHaveLength(1);
  });

  it('rejects the run with its error before any model call', async () => {
    const heard: unknown[] = [];
    const { result, model } = play([done()], {
      prepareStep: () => {
        throw new RangeError('no plan');
      },
      onError: (error) => void heard.push(error),
    });
    const failure = await failureOf(result);
    expect(failure).toMatchObject({ message: 'no plan' });
    expect(heard).toEqual([failure]);
    expect(model.requests).toEqual([]);
  });

  it('does not delay an abort while its promise is pending', async () => {
    const controller = new AbortController();
    const { result, model } = play(
      [done()],
      {
        prepareStep: () => {
          controller.abort();
          return Promise.withResolvers<undefined>().promise;
        },
      },
      { signal: controller.signal },
    );
    expect(await failureOf(result)).toBeInstanceOf(AgentAbortError);
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['a number', 3, 'prepareStep() must be an object. Received'],
    ['an unknown option', { toolChoice: 'auto' }, 'prepareStep().toolChoice is not an option of prepareStep()'],
    ['a string as `activeTools`', { activeTools: 'click' }, 'prepareStep().activeTools must be an array of strings'],
    ['an unknown tool', { activeTools: ['clik'] }, 'prepareStep().activeTools contains "clik"'],
    ['a number as `model`', { model: 3 }, 'prepareStep().model must be "provider/model" or an object'],
    ['a number as `instructions`', { instructions: 3 }, 'prepareStep().instructions must be a string'],
    [
      'messages of another shape',
      { messages: [{ content: 'Hi' }] },
      'prepareStep().messages must be an array of messages from an earlier',
    ],
  ])('rejects the run before any model call when it returns %s', async (_what, given, message) => {
    const { result, model } = play([done()], { prepareStep: () => given as object });
    expect(await failureOf(result)).toMatchObject({
      name: 'DriverInvalidArgumentError',
      message: expect.stringContaining(message),
    });
    expect(model.requests).toEqual([]);
  });

  it('rejects a model without the same computer-use API in cua mode', async () => {
    const { modelName, basePath } = OPENAI_COMPUTER;
    const model = { modelName, apiKey: 'secret-key', baseURL: `http://127.0.0.1:9${basePath}` };
    const { result } = play([], { prepareStep: () => ({ model: new ScriptedModel([]) }) }, { model, mode: 'cua' });
    expect(await failureOf(result)).toMatchObject({
      name: 'UnsupportedModelError',
      message: expect.stringContaining('the same computer-use API'),
    });
  });

  it('rejects the run before any model call when it is not a function', async () => {
    const { result, model } = play([done()], { prepareStep: 3 as never });
    expect(await failureOf(result)).toMatchObject({
      message: expect.stringContaining('callbacks.prepareStep must be a function'),
    });
    expect(model.requests).toEqual([]);
  });
});
