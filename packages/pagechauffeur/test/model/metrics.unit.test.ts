import { expect, test } from 'vitest';
import type { ModelVerb } from '../../src/model/model-client.ts';
import { failureOf } from '../support/failure-of.ts';
import { modelServiceForTest } from './model-service-for-test.ts';
import { modelFor } from './provider-client-for-test.ts';
import {
  ANTHROPIC,
  BLOCKED_PROMPT,
  FAILED_RESPONSE,
  GOOGLE,
  NO_CHOICES,
  OLLAMA,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  type ProviderFormat,
} from './provider-formats.ts';
import { type ServerAnswer, startProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });

/** The five measures of a group of metrics; time as whether there was any. */
function measuresOf(metrics: object, group: string): unknown[] {
  const fields = metrics as Record<string, number>;
  const [prompt, completion, reasoning, cached, time = 0] = [
    'PromptTokens',
    'CompletionTokens',
    'ReasoningTokens',
    'CachedInputTokens',
    'InferenceTimeMs',
  ].map((measure) => fields[group + measure]);
  return [prompt, completion, reasoning, cached, time > 0];
}

// [spec: metrics.actPromptTokens, metrics.actCompletionTokens, metrics.actReasoningTokens]
// [spec: metrics.actCachedInputTokens, metrics.actInferenceTimeMs, metrics.totalInferenceTimeMs]
test('counts prompt, completion, reasoning and cached tokens and time per verb and in total', async () => {
  const modelService = modelServiceForTest();
  const rounds: readonly (readonly [ModelVerb, ProviderFormat])[] = [
    ['act', OPENAI_RESPONSES],
    ['act', OPENAI_CHAT],
    ['observe', ANTHROPIC],
    ['extract', GOOGLE],
    ['agent', OLLAMA],
  ];
  for (const [verb, format] of rounds) {
    await using server = await startProviderServer(format.answer(GOOD));
    await modelService.ask(modelFor(format, server), { verb });
  }
  const metrics = modelService.metrics();
  expect(Object.keys(metrics)).toHaveLength(25);
  expect(measuresOf(metrics, 'act')).toEqual([240, 60, 24, 80, true]);
  expect(measuresOf(metrics, 'observe')).toEqual([120, 30, 12, 40, true]);
  expect(measuresOf(metrics, 'extract')).toEqual([120, 30, 12, 40, true]);
  expect(measuresOf(metrics, 'agent')).toEqual([120, 30, 0, 0, true]);
  expect(measuresOf(metrics, 'total')).toEqual([600, 150, 48, 160, true]);
  const { actInferenceTimeMs, observeInferenceTimeMs, extractInferenceTimeMs, agentInferenceTimeMs } = metrics;
  const sum = actInferenceTimeMs + observeInferenceTimeMs + extractInferenceTimeMs + agentInferenceTimeMs;
  expect(metrics.totalInferenceTimeMs).toBeCloseTo(sum, 6);
});

test.each<readonly [string, ProviderFormat, readonly ServerAnswer[], readonly unknown[]]>([
  ['a repair turn', OPENAI_CHAT, [OPENAI_CHAT.answer('no'), OPENAI_CHAT.answer(GOOD)], [240, 60, 24, 80, true]],
  ['two unusable answers', ANTHROPIC, [ANTHROPIC.answer('no')], [240, 60, 24, 80, true]],
  ['a truncated answer', GOOGLE, [GOOGLE.cutOff('{')], [120, 30, 12, 40, true]],
  ['a refusal', OPENAI_RESPONSES, [OPENAI_RESPONSES.refusal('No.')], [120, 30, 12, 40, true]],
  ['a blocked prompt', GOOGLE, [BLOCKED_PROMPT], [120, 30, 12, 40, true]],
  ['a response with status `failed`', OPENAI_RESPONSES, [FAILED_RESPONSE], [120, 30, 12, 40, true]],
  ['an answer without choices', OPENAI_CHAT, [NO_CHOICES], [120, 30, 12, 40, true]],
  ['an error response without usage', OPENAI_CHAT, [{ status: 404, body: {} }], [0, 0, 0, 0, true]],
])('adds tokens and time to the metrics after %s', async (_name, format, answers, expected) => {
  const modelService = modelServiceForTest();
  await using server = await startProviderServer(...answers);
  await failureOf(modelService.ask(modelFor(format, server)));
  expect(measuresOf(modelService.metrics(), 'act')).toEqual(expected);
  expect(measuresOf(modelService.metrics(), 'total')).toEqual(expected);
});

test('adds the usage of a failed attempt to that of its retry, as one record', async () => {
  const modelService = modelServiceForTest();
  const failed = {
    status: 500,
    headers: { 'retry-after-ms': '0' },
    body: { usage: { input_tokens: 5, output_tokens: 2 } },
  };
  await using server = await startProviderServer(failed, ANTHROPIC.answer(GOOD));
  await modelService.ask(modelFor(ANTHROPIC, server));
  expect(measuresOf(modelService.metrics(), 'act')).toEqual([125, 32, 12, 40, true]);
  expect(modelService.records).toHaveLength(1);
});

test('counts the time of an aborted request, without tokens', async () => {
  const modelService = modelServiceForTest();
  await using server = await startProviderServer('hang');
  const controller = new AbortController();
  const failure = failureOf(modelService.ask(modelFor(OPENAI_CHAT, server), {}, { signal: controller.signal }));
  await server.hanging;
  controller.abort();
  expect(await failure).toMatchObject({ name: 'DriverAbortError' });
  expect(measuresOf(modelService.metrics(), 'act')).toEqual([0, 0, 0, 0, true]);
  await server.closedByClient;
});

test('logs answers and retries, and an unsupported setting once', async () => {
  const modelService = modelServiceForTest();
  const limited = { status: 429, headers: { 'retry-after-ms': '0' }, body: OPENAI_RESPONSES.error('slow down') };
  await using server = await startProviderServer(limited, OPENAI_RESPONSES.answer(GOOD));
  const model = modelFor(OPENAI_RESPONSES, server, { seed: 1 });
  await modelService.ask(model);
  await modelService.ask(model);
  const said = modelService.lines.map(({ category, level, message }) => `${category} ${level} ${message}`);
  expect(said.map((line) => line.replace(/\d+ ms/, '0 ms'))).toEqual([
    'model 1 openai/gpt-6-luna: HTTP 429: slow down; retrying in 0 s',
    'model 1 openai/gpt-6-luna: seed has no effect.',
    'model 2 openai/gpt-6-luna answered act in 0 ms',
    'model 2 openai/gpt-6-luna answered act in 0 ms',
  ]);
});
