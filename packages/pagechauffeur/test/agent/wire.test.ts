import { describe, expect, it } from 'vitest';
import { LLMResponseError } from '../../src/index.ts';
import { ANTHROPIC, GOOGLE, OPENAI_CHAT, OPENAI_RESPONSES, type ProviderFormat } from '../model/provider-formats.ts';
import { modelFor } from '../model/provider-client-for-test.ts';
import { type ReceivedCall, type ServerAnswer, startProviderServer } from '../model/provider-server.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { readAll } from './steps-for-test.ts';
import { type AgentFormat, ANTHROPIC_AGENT, GOOGLE_AGENT, OPENAI_AGENT, refIn, type WireCall } from './wire-formats.ts';

const browser = useBrowser();

const PAGE = `<title>Shop</title><h1>Mugs</h1><p id=said>Nothing bought</p>
  <button onclick="document.querySelector('#said').textContent += ', one more'">Buy</button>`;

const PROVIDERS: readonly (readonly [string, ProviderFormat, AgentFormat])[] = [
  ['Anthropic', ANTHROPIC, ANTHROPIC_AGENT],
  ['OpenAI by Responses', OPENAI_RESPONSES, OPENAI_AGENT],
  ['Google', GOOGLE, GOOGLE_AGENT],
];

function done(id: string): WireCall {
  return { id, tool: 'done', input: { success: true, message: 'Bought.' } };
}

describe.each(PROVIDERS)('%s', (_name, provider, format) => {
  it('receives the earlier messages and its own reasoning unchanged in each of 6 steps', async () => {
    let step = 0;
    const buy = (call: ReceivedCall) => {
      step += 1;
      const id = `call_${step}`;
      if (step === 6) return format.answer([done(id)]);
      const click = { id, tool: 'click', input: { ref: refIn(call, /button \\*"Buy/) } };
      return format.answer([click, { id: `${id}b`, tool: 'find', input: { words: `${step}` } }], 'I buy.');
    };
    await using server = await startProviderServer(buy);
    await browser.page.setContent(PAGE);
    const agent = browser.driver.agent({ model: modelFor(provider, server) });
    const before = await browser.driver.metrics;
    const result = await agent.execute({ instruction: 'Buy five mugs', page: browser.page });
    expect(result).toMatchObject({ success: true, message: 'Bought.' });
    expect(server.calls.map(({ path }) => path)).toEqual(Array(6).fill(provider.path));
    expect(await browser.page.locator('#said').textContent()).toBe(`Nothing bought${', one more'.repeat(5)}`);

    expect(new Set(server.calls.map((call) => format.head(call))).size).toBe(1);
    const conversations = server.calls.map((call) => format.pieces(call));
    for (const [index, pieces] of conversations.slice(0, -1).entries())
      expect(conversations[index + 1]?.slice(0, pieces.length)).toEqual(pieces);
    expect(conversations.map(({ length }, index) => length > (conversations[index - 1]?.length ?? 0))).not.toContain(
      false,
    );
    for (const [index, call] of server.calls.entries())
      expect(format.thoughts(call)).toEqual(Array(index).fill(format.thought));

    const { promptTokens, completionTokens, reasoningTokens, cachedInputTokens } = provider.usage;
    const usage = {
      promptTokens: promptTokens * 6,
      completionTokens: completionTokens * 6,
      reasoningTokens: reasoningTokens * 6,
      cachedInputTokens: cachedInputTokens * 6,
    };
    expect(result.usage).toEqual(usage);
    const after = await browser.driver.metrics;
    expect(after.agentPromptTokens - before.agentPromptTokens).toBe(usage.promptTokens);
    expect(after.agentReasoningTokens - before.agentReasoningTokens).toBe(usage.reasoningTokens);
    expect(after.agentCachedInputTokens - before.agentCachedInputTokens).toBe(usage.cachedInputTokens);
  });

  it('gets 5 retries while it is overloaded, and the run continues', async () => {
    const busy = { status: 529, headers: { 'retry-after-ms': '30' }, body: provider.error('Overloaded') };
    await using server = await startProviderServer(busy, busy, busy, busy, busy, format.answer([done('call_1')]));
    await browser.page.setContent(PAGE);
    const agent = browser.driver.agent({ model: modelFor(provider, server) });
    expect(await agent.execute({ instruction: 'Buy', page: browser.page })).toMatchObject({ success: true });
    expect(server.calls).toHaveLength(6);
  });

  it('rejects the run with LLMResponseError after 6 overload answers', async () => {
    const busy = { status: 529, headers: { 'retry-after-ms': '1' }, body: provider.error('Overloaded') };
    await using server = await startProviderServer(busy);
    const agent = browser.driver.agent({ model: modelFor(provider, server) });
    const error = await failureOf(agent.execute({ instruction: 'Buy', page: browser.page }));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(error).toMatchObject({ message: expect.stringContaining('Overloaded') });
    expect(server.calls).toHaveLength(6);
  });

  it('receives no empty assistant message after an empty answer', async () => {
    await using server = await startProviderServer(format.nothing, format.answer([done('call_1')]));
    await browser.page.setContent(PAGE);
    const agent = browser.driver.agent({ model: modelFor(provider, server) });
    expect(await agent.execute({ instruction: 'Buy', page: browser.page })).toMatchObject({ success: true });
    const [first, second] = server.calls.map((call) => format.pieces(call));
    expect(second?.slice(0, -1)).toEqual(first);
  });

  it('has its pending request closed when the run is aborted', async () => {
    await using server = await startProviderServer('hang');
    const controller = new AbortController();
    const agent = browser.driver.agent({ model: modelFor(provider, server), signal: controller.signal });
    const failure = failureOf(agent.execute({ instruction: 'Buy', page: browser.page }));
    await server.hanging;
    controller.abort();
    expect(await failure).toMatchObject({ name: 'AgentAbortError' });
    await server.closedByClient;
  });
});

it('sets Anthropic cache marks on the system prompt and the last message', async () => {
  const find = { id: 'call_1', tool: 'find', input: { words: 'mug' } };
  await using server = await startProviderServer(
    ANTHROPIC_AGENT.answer([find]),
    ANTHROPIC_AGENT.answer([done('call_2')]),
  );
  await browser.page.setContent(PAGE);
  const agent = browser.driver.agent({ model: modelFor(ANTHROPIC, server) });
  await agent.execute({ instruction: 'Buy', page: browser.page });
  const marks = server.calls.map(
    ({ body }) => JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g)?.length,
  );
  expect(marks).toEqual([2, 2]);
  for (const { body } of server.calls) {
    expect(JSON.stringify(body['system'])).toContain('cache_control');
    expect(JSON.stringify((body['messages'] as unknown[]).at(-1))).toContain('cache_control');
  }
});

it('describes tools as text after a server rejects tool definitions', async () => {
  const answers = [
    { text: 'First the search.', calls: [{ tool: 'find', input: { words: 'mug' } }] },
    { text: '', calls: [{ tool: 'done', input: { success: true, message: 'Bought.' } }] },
  ];
  const answer = ({ body }: ReceivedCall): ServerAnswer =>
    body['tools']
      ? { status: 400, body: OPENAI_CHAT.error('tools are not supported') }
      : OPENAI_CHAT.answer(JSON.stringify(answers.shift()));
  await using server = await startProviderServer(answer);
  await browser.page.setContent(PAGE);
  const agent = browser.driver.agent({ model: modelFor(OPENAI_CHAT, server) });
  const result = await agent.execute({ instruction: 'Buy', page: browser.page });
  expect(result).toMatchObject({ success: true, message: 'Bought.', actions: [{ tool: 'find', success: true }, {}] });
  expect(server.calls.map(({ body }) => 'tools' in body)).toEqual([true, false, false]);
  expect(JSON.stringify(server.calls.at(-1)?.body['messages'])).toContain('First the search.');
});

describe('streamed text of a model', () => {
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const input = JSON.stringify({ success: true, message: 'Bought.' });
  const beginning = [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-haiku-5-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'All is ' } }),
  ];
  const end = [
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'bought.' } }),
    event('content_block_stop', { index: 0 }),
    event('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: 'call_1', name: 'done', input: {} },
    }),
    event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: input } }),
    event('content_block_stop', { index: 1 }),
    event('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } }),
    event('message_stop', {}),
  ];
  const stream = (...events: readonly string[]): ServerAnswer => ({
    headers: { 'content-type': 'text/event-stream' },
    body: events.join(''),
  });

  it('arrives in deltas before the tool call', async () => {
    await using server = await startProviderServer(stream(...beginning, ...end));
    await browser.page.setContent(PAGE);
    const run = browser.driver.agent({ model: modelFor(ANTHROPIC, server), stream: true }).execute('Buy');
    expect(await readAll(run.textStream)).toEqual(['All is ', 'bought.']);
    const parts = await readAll(run.fullStream);
    expect(parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'text',
      'tool-call',
      'tool-result',
      'step-finish',
      'finish',
    ]);
    expect(await run.result).toMatchObject({ success: true, usage: { promptTokens: 100, completionTokens: 20 } });
  });

  it('triggers a second request when the stream breaks off with an overload error', async () => {
    const overload = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    await using server = await startProviderServer(stream(...beginning, overload), stream(...beginning, ...end));
    await browser.page.setContent(PAGE);
    const run = browser.driver.agent({ model: modelFor(ANTHROPIC, server), stream: true }).execute('Buy');
    expect(await run.result).toMatchObject({ success: true, message: 'Bought.' });
    expect(server.calls).toHaveLength(2);
  });

  it('rejects the run with the provider error when the stream breaks off for another reason', async () => {
    const refusal = event('error', { error: { type: 'invalid_request_error', message: 'Too many pictures' } });
    await using server = await startProviderServer(stream(...beginning, refusal));
    const run = browser.driver.agent({ model: modelFor(ANTHROPIC, server), stream: true }).execute('Buy');
    expect(await failureOf(run.result)).toMatchObject({ message: expect.stringContaining('Too many pictures') });
    expect(server.calls).toHaveLength(1);
  });
});
