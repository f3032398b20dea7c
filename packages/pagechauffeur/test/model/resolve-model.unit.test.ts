import { describe, expect, test } from 'vitest';
import { createOpenAI } from '@ai-sdk/openai';
import {
  DriverInvalidArgumentError,
  InvalidSdkModelFormatError,
  LLMResponseError,
  MissingLLMConfigurationError,
  UnsupportedModelError,
} from '../../src/errors.ts';
import type { ModelRequest, ModelResponse } from '../../src/model/model-client.ts';
import type { ModelConfiguration } from '../../src/model/model-configuration.ts';
import { NO_USAGE } from '../../src/model/model-usage.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import { modelRequest } from './model-request.ts';
import { OPENAI_CHAT } from './provider-formats.ts';
import { startProviderServer } from './provider-server.ts';

describe('resolveModel()', () => {
  // [spec: authentication.environment-keys]
  test.each([
    [{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_API_KEY: 'k' }, 'openai/gpt-6-luna'],
    [{ ANTHROPIC_API_KEY: 'k', GOOGLE_API_KEY: 'k' }, 'anthropic/claude-haiku-5-5'],
    [{ GOOGLE_API_KEY: 'k' }, 'google/gemini-3.8-flash'],
    [{ GEMINI_API_KEY: 'k' }, 'google/gemini-3.8-flash'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'google/gemini-3.8-flash'],
  ])('given %o and no configuration, chooses %s', async (environment, modelName) => {
    expect((await resolveModel(undefined, environment)).modelName).toBe(modelName);
  });

  test('uses an AI SDK model object', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"ref":"e4","confidence":1}'));
    const model = createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }).chat('from-object');
    const client = await resolveModel(model, {});
    expect(client.modelName).toBe('openai/from-object');
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 1 });
    expect(server.calls[0]?.body['model']).toBe('from-object');
  });

  // [spec: other-types.LLMClient]
  test('accepts a model object of an older AI SDK', async () => {
    class OldModel {
      readonly specificationVersion = 'v3';
      readonly provider = 'home.grown';
      readonly modelId = 'old';
      readonly supportedUrls = {};
      readonly #answer = '{"ref":"e4","confidence":1}';
      async doGenerate(): Promise<object> {
        return {
          content: [{ type: 'text', text: this.#answer }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: { total: 7, cacheRead: 2 }, outputTokens: { total: 3, reasoning: 1 } },
          warnings: [{ type: 'other', message: 'It is old.' }],
        };
      }
    }
    const client = await resolveModel(new OldModel() as unknown as ModelConfiguration, {});
    expect(client.modelName).toBe('home/old');
    expect(await client.generate(modelRequest())).toMatchObject({
      output: { ref: 'e4', confidence: 1 },
      usage: { promptTokens: 7, completionTokens: 3, reasoningTokens: 1, cachedInputTokens: 2 },
      warnings: ['It is old.'],
    });
  });

  test('uses an object with `generate()` as a custom client, even without `modelName`', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedInputTokens: 0 };
    class OwnClient {
      readonly #answer = { ref: 'e5' };
      async generate(_request: ModelRequest): Promise<ModelResponse> {
        return { output: this.#answer, usage };
      }
    }
    const client = await resolveModel(new OwnClient(), {});
    expect(client.modelName).toBe('custom/client');
    expect(await client.generate(modelRequest())).toEqual({ output: { ref: 'e5' }, usage });
  });

  test.each([
    ['usage', { output: 1 }, { output: 1, usage: NO_USAGE }],
    [
      'complete usage',
      { output: 1, usage: { promptTokens: 3, completionTokens: NaN } },
      { usage: { ...NO_USAGE, promptTokens: 3 } },
    ],
    ['`output`', { text: '{"a":1}' }, { output: '{"a":1}' }],
  ])('completes responses of a custom client without %s', async (_what, answer, whole) => {
    const generate = (): Promise<ModelResponse> => Promise.resolve(answer as unknown as ModelResponse);
    const client = await resolveModel({ generate, takesImages: false }, {});
    expect(client.takesImages).toBe(false);
    expect(await client.generate(modelRequest())).toMatchObject(whole);
  });

  test.each([
    [
      'returns `undefined`',
      () => Promise.resolve(undefined),
      /custom\/client: generate\(\) must resolve to \{ output, usage \}\. Received undefined/,
    ],
    ['rejects', () => Promise.reject(new RangeError('out of luck')), /custom\/client: the client failed: out of luck/],
  ])('names the custom client in the error when it %s', async (_what, generate, message) => {
    const client = await resolveModel({ generate: generate as () => Promise<never> }, {});
    const answer = client.generate(modelRequest());
    await expect(answer).rejects.toThrow(LLMResponseError);
    await expect(answer).rejects.toThrow(message);
  });

  test('sends chat completion requests to `OPENAI_BASE_URL`', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"ref":"e4","confidence":1}'));
    const environment = { OPENAI_API_KEY: 'from-environment', OPENAI_BASE_URL: `${server.url}/v1` };
    const client = await resolveModel('openai/any', environment);
    await client.generate(modelRequest());
    expect(server.calls[0]?.path).toBe('/v1/chat/completions');
    expect(server.calls[0]?.headers.authorization).toBe('Bearer from-environment');
  });
});

test('resolves `offline/lexical` without an API key', async () => {
  expect((await resolveModel('offline/lexical', {})).modelName).toBe('offline/lexical');
});

describe('invalid model configuration', () => {
  const failing: readonly (readonly [
    string,
    ModelConfiguration | undefined,
    new (...rest: never[]) => Error,
    RegExp,
  ])[] = [
    [
      'a name without a provider',
      'gpt-6-luna',
      InvalidSdkModelFormatError,
      /"gpt-6-luna" must have the form "provider\/model"/,
    ],
    ['a name without a model', 'openai/', InvalidSdkModelFormatError, /provider\/model/],
    ['an empty name', { modelName: '' }, InvalidSdkModelFormatError, /provider\/model/],
    [
      'a provider that is not installed',
      'mistral/large',
      UnsupportedModelError,
      /openai, anthropic, google, ollama, offline.*npm install @ai-sdk\/mistral/,
    ],
    ['a misspelt provider', 'opnai/gpt-6', UnsupportedModelError, /Did you mean openai\/gpt-6\?$/],
    ['a relative path as provider', '../x', UnsupportedModelError, /unknown provider "\.\."/],
    ['an unknown offline model', 'offline/neural', UnsupportedModelError, /offline\/lexical/],
    [
      'a missing key for a named provider',
      'anthropic/claude-haiku-5-5',
      MissingLLMConfigurationError,
      /Set ANTHROPIC_API_KEY, or/,
    ],
    [
      'a missing key for Google',
      'google/gemini-3.8-flash',
      MissingLLMConfigurationError,
      /GOOGLE_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY/,
    ],
    [
      'an environment without any key',
      undefined,
      MissingLLMConfigurationError,
      /OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_API_KEY.*offline\/lexical/,
    ],
    [
      'an invalid base URL',
      { modelName: 'openai/x', baseURL: 'not a url' },
      DriverInvalidArgumentError,
      /openai\/x needs an http or https URL\. Received "not a url"/,
    ],
  ];
  test.each(failing)('rejects %s with advice', async (_name, configuration, errorClass, message) => {
    const resolved = resolveModel(configuration, {});
    await expect(resolved).rejects.toThrow(errorClass);
    await expect(resolved).rejects.toThrow(message);
  });
});
