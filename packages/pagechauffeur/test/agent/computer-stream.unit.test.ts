import { expect, test } from 'vitest';
import { ANTHROPIC } from '../../src/agent/computer-use/anthropic.ts';
import { GOOGLE } from '../../src/agent/computer-use/google.ts';
import { OPENAI } from '../../src/agent/computer-use/openai.ts';
import type { Protocol } from '../../src/agent/computer-use/protocol.ts';
import type { AnswerPart, StepAnswer } from '../../src/model/model-client.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import { modelRequest } from '../model/model-request.ts';
import { startProviderServer } from '../model/provider-server.ts';
import { ANTHROPIC_COMPUTER, type ComputerFormat, GOOGLE_COMPUTER, OPENAI_COMPUTER } from './computer-formats.ts';

const SCREEN = { viewport: { width: 10, height: 10 }, picture: { width: 10, height: 10 } };

const COMPUTER_CALL = {
  type: 'computer_call',
  id: 'cu_1',
  call_id: 'call_1',
  status: 'completed',
  actions: [{ type: 'wait' }],
  pending_safety_checks: [],
};

const OPENAI_EVENTS = [
  { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-6-astra' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...COMPUTER_CALL, status: 'in_progress' } },
  { type: 'response.output_item.done', output_index: 0, item: COMPUTER_CALL },
  { type: 'response.completed', response: { usage: { input_tokens: 120, output_tokens: 30 } } },
];

const ANTHROPIC_EVENTS = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 120, output_tokens: 1 },
    },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'wait', toolset_name: 'computer', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"duration":1}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 30 } },
  { type: 'message_stop' },
];

const GOOGLE_EVENTS = [
  { event_type: 'interaction.created', interaction: { id: 'int_1', model: 'gemini-3.8-flash', status: 'in_progress' } },
  {
    event_type: 'step.start',
    index: 0,
    step: { type: 'function_call', id: 'fc_1', name: 'wait', arguments: { seconds: 1 } },
  },
  { event_type: 'step.stop', index: 0 },
  {
    event_type: 'interaction.completed',
    interaction: {
      id: 'int_1',
      status: 'requires_action',
      usage: { total_input_tokens: 120, total_output_tokens: 30 },
    },
  },
];

test.each<readonly [string, ComputerFormat, Protocol, readonly object[]]>([
  ['OpenAI', OPENAI_COMPUTER, OPENAI, OPENAI_EVENTS],
  ['Anthropic', ANTHROPIC_COMPUTER, ANTHROPIC, ANTHROPIC_EVENTS],
  ['Google', GOOGLE_COMPUTER, GOOGLE, GOOGLE_EVENTS],
])('reads computer actions and usage from a stream of %s', async (_name, format, protocol, events) => {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  await using server = await startProviderServer({ headers: { 'content-type': 'text/event-stream' }, body });
  const { modelName, basePath } = format;
  const client = await resolveModel({ modelName, apiKey: 'secret-key', baseURL: server.url + basePath });
  const provided = protocol.tool('claude-opus-5-5', SCREEN, new Set());
  const computer = { name: 'computer', description: '', input: { type: 'object' }, provided };
  const parts: AnswerPart[] = [];
  const onPart = (part: AnswerPart): void => void parts.push(part);
  const { output, usage } = await client.generate(modelRequest({ verb: 'agent', tools: [computer], onPart }));
  const { calls } = output as StepAnswer;
  expect(calls).toMatchObject([{ tool: 'computer' }]);
  expect(protocol.actionsOf(calls[0]?.input, SCREEN)).toEqual([{ kind: 'wait', seconds: 1 }]);
  expect(parts).toMatchObject([{ kind: 'call', call: { tool: 'computer', input: calls[0]?.input } }]);
  expect(usage).toMatchObject({ promptTokens: 120, completionTokens: 30 });
  expect(server.calls[0]?.body['stream']).toBe(true);
});
