import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, expect, test, vi } from 'vitest';
import { resolveDriverOptions } from '../../src/driver/resolve-driver-options.ts';
import { InvalidSdkModelFormatError, MissingLLMConfigurationError, UnsupportedModelError } from '../../src/errors.ts';
import { ScriptedModel } from '../../src/model/scripted-model.ts';
import { failureOf } from '../support/failure-of.ts';
import { modelServiceForTest } from './model-service-for-test.ts';
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES } from './provider-formats.ts';
import { type ReceivedCall, type ServerAnswer, startProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });

afterEach(() => vi.unstubAllEnvs());

test('reads key and URL of a named model from the environment', async () => {
  await using server = await startProviderServer(ANTHROPIC.answer(GOOD));
  vi.stubEnv('ANTHROPIC_API_KEY', 'from-environment');
  vi.stubEnv('ANTHROPIC_BASE_URL', `${server.url}/v1`);
  expect(await modelServiceForTest().ask('anthropic/some-model')).toEqual({ ref: 'e4', confidence: 9 });
  expect(server.calls[0]).toMatchObject({
    headers: { 'x-api-key': 'from-environment' },
    body: { model: 'some-model' },
  });
});

test('prefers `apiKey` and `baseURL` of a model object to the environment', async () => {
  await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
  vi.stubEnv('OPENAI_API_KEY', 'from-environment');
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
  const model = { modelName: 'openai/some-model', apiKey: 'own', baseURL: `${server.url}/v1`, project: 'shop' };
  await modelServiceForTest().ask(model);
  const headers = { authorization: 'Bearer own', 'openai-project': 'shop' };
  expect(server.calls[0]).toMatchObject({ headers, body: { model: 'some-model' } });
});

test('uses AI SDK model objects as they are', async () => {
  await using server = await startProviderServer(ANTHROPIC.answer(GOOD), OPENAI_RESPONSES.answer(GOOD));
  const modelService = modelServiceForTest();
  await modelService.ask(createAnthropic({ apiKey: 'a', baseURL: `${server.url}/v1` })('claude-x'));
  await modelService.ask(createOpenAI({ apiKey: 'o', baseURL: `${server.url}/v1` })('gpt-x'));
  expect(server.calls.map(({ path, body }) => [path, body['model']])).toEqual([
    ['/v1/messages', 'claude-x'],
    ['/v1/responses', 'gpt-x'],
  ]);
  expect(modelService.records.map(({ modelName }) => modelName)).toEqual(['anthropic/claude-x', 'openai/gpt-x']);
});

test('accepts a model object or a client as `llmClient`, and prefers `model`', () => {
  const model = createOpenAI({ apiKey: 'o' })('gpt-x');
  const client = new ScriptedModel([]);
  expect(resolveDriverOptions({ env: 'LOCAL', llmClient: model }).model).toBe(model);
  expect(resolveDriverOptions({ env: 'LOCAL', llmClient: client }).model).toBe(client);
  expect(resolveDriverOptions({ env: 'LOCAL', llmClient: client, model: 'openai/x' }).model).toBe('openai/x');
});

test.each([
  ['without a provider', 'gpt', InvalidSdkModelFormatError],
  ['with an unknown provider', 'nobody/x', UnsupportedModelError],
  ['without an API key', 'google/x', MissingLLMConfigurationError],
] as const)('rejects a model %s, and accepts a valid model in the next call', async (_name, model, errorClass) => {
  for (const name of ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, '');
  const modelService = modelServiceForTest();
  expect(await failureOf(modelService.ask(model))).toBeInstanceOf(errorClass);
  expect(await modelService.ask(new ScriptedModel([{ ref: 'e4', confidence: 9 }]))).toEqual({
    ref: 'e4',
    confidence: 9,
  });
});

test('reads an API key that was set after a failed call', async () => {
  await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
  vi.stubEnv('OPENAI_API_KEY', '');
  const modelService = modelServiceForTest();
  expect(await failureOf(modelService.ask('openai/x'))).toBeInstanceOf(MissingLLMConfigurationError);
  vi.stubEnv('OPENAI_API_KEY', 'now');
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  await modelService.ask('openai/x');
  expect(server.calls[0]?.headers.authorization).toBe('Bearer now');
});

test('remembers across calls that a model rejects structured output', async () => {
  const rejectSchema = ({ body }: ReceivedCall): ServerAnswer =>
    'response_format' in body ? { status: 400, body: OPENAI_CHAT.error('no formats') } : OPENAI_CHAT.answer(GOOD);
  await using server = await startProviderServer(rejectSchema);
  vi.stubEnv('OPENAI_API_KEY', 'k');
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  const modelService = modelServiceForTest();
  const model = { modelName: 'openai/y', apiKey: 'k', baseURL: `${server.url}/v1` };
  for (const each of ['openai/x', 'openai/x', model, model]) await modelService.ask(each);
  expect(server.calls.map(({ body }) => [body['model'], 'response_format' in body])).toEqual([
    ['x', true],
    ['x', false],
    ['x', false],
    ['y', true],
    ['y', false],
    ['y', false],
  ]);
});
