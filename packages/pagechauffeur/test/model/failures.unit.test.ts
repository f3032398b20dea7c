import { APICallError } from 'ai';
import * as ai from 'ai';
import { describe, expect, test } from 'vitest';
import { LLMResponseError, MissingLLMConfigurationError, UnsupportedModelError } from '../../src/errors.ts';
import { generateChecked, type Checked } from '../../src/model/generate-checked.ts';
import { shownRefs } from '../../src/model/page-view.ts';
import { retryDelay } from '../../src/model/retry-delay.ts';
import { failureOf } from '../support/failure-of.ts';
import { modelRequest } from './model-request.ts';
import { clientFor } from './provider-client-for-test.ts';
import {
  ANTHROPIC,
  BLOCKED_PROMPT,
  FORMATS,
  GOOGLE,
  OLLAMA,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
} from './provider-formats.ts';
import { startProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });
const accept = { check: (value: unknown): Checked<unknown> => ({ value }) };
const AT_ONCE = { 'retry-after-ms': '0' };

describe.each(FORMATS)('%s', (_name, format) => {
  const { modelName } = format;

  test.each([
    ['a rate limit', 429],
    ['an overload', 529],
    ['an unavailable service', 503],
    ['an internal server error', 500],
  ])('retries after %s', async (_what, status) => {
    const body = format.error('not now');
    await using server = await startProviderServer({ status, headers: AT_ONCE, body }, format.answer(GOOD));
    const client = await clientFor(format, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
    expect(server.calls).toHaveLength(2);
  });

  test.each(['reset', 'break-off'] as const)('retries when the connection ends by %s', async (end) => {
    await using server = await startProviderServer(end, format.answer(GOOD));
    const client = await clientFor(format, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
    expect(server.calls).toHaveLength(2);
  });

  test('gives up after `maxRetries` and quotes the provider error', async () => {
    const body = format.error('come back on Monday');
    await using server = await startProviderServer({ status: 429, headers: AT_ONCE, body });
    const client = await clientFor(format, server, { maxRetries: 1 });
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toContain(`${modelName}: the rate limit or the quota is used up (HTTP 429) after 2 attempts`);
    expect(String(error)).toMatch(/come back on Monday\..*Try again later, or raise maxRetries/);
    expect(server.calls).toHaveLength(2);
  });

  test('does not retry a refused API key, and names its source but not the key', async () => {
    await using server = await startProviderServer({ status: 401, body: format.error('Bad key: secret-key') });
    const client = await clientFor(format, server);
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(MissingLLMConfigurationError);
    const variable = { openai: 'OPENAI_API_KEY or ', anthropic: 'ANTHROPIC_API_KEY or ', google: 'GOOGLE_API_KEY or ' };
    const provider = modelName.split('/')[0] as keyof typeof variable;
    expect(String(error)).toContain(`${modelName}: the provider refused the API key (HTTP 401)`);
    expect(String(error)).toContain(`Check ${variable[provider] ?? ''}`);
    expect(server.calls).toHaveLength(1);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret-key');
    expect(String((error as Error).cause)).not.toContain('secret-key');
  });

  test('does not retry an unknown model', async () => {
    await using server = await startProviderServer({ status: 404, body: format.error('no such model', 'NOT_FOUND') });
    const client = await clientFor(format, server);
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(UnsupportedModelError);
    expect(error).toMatchObject({ model: modelName });
    expect(String(error)).toMatch(/does not have this model \(HTTP 404\): no such model\. Check the model's name/);
    expect(server.calls).toHaveLength(1);
  });

  test('does not retry a refusal, and quotes it', async () => {
    await using server = await startProviderServer(format.refusal('I cannot help with that.'));
    const client = await clientFor(format, server);
    const error = await failureOf(generateChecked(client, modelRequest(), accept));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toMatch(/refused to answer\. It said: I cannot help with that\./);
    expect(server.calls).toHaveLength(1);
  });

  test('does not retry a truncated answer, and suggests raising `maxOutputTokens`', async () => {
    await using server = await startProviderServer(format.cutOff('{"ref":"e4","no'));
    const client = await clientFor(format, server);
    const error = await failureOf(generateChecked(client, modelRequest(), accept));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toMatch(/cut off after 30 tokens\..*raise maxOutputTokens.*ends: \{"ref":"e4","no/);
    expect(server.calls).toHaveLength(1);
  });

  test('accepts a truncated answer whose JSON is complete', async () => {
    await using server = await startProviderServer(format.cutOff(`${GOOD} and furthermore`));
    const client = await clientFor(format, server);
    expect((await generateChecked(client, modelRequest(), accept)).value).toEqual({ ref: 'e4', confidence: 9 });
  });

  test('repeats the request once after an empty answer, then reports it', async () => {
    await using server = await startProviderServer(format.answer(''));
    const client = await clientFor(format, server);
    const error = await failureOf(generateChecked(client, modelRequest(), accept));
    expect(String(error)).toMatch(/is unusable, even after a second request.*The model returned: nothing\./);
    expect(server.calls).toHaveLength(2);
  });

  test('reports an HTML response as a protocol mismatch', async () => {
    await using server = await startProviderServer({ body: '<html>Welcome</html>' });
    const client = await clientFor(format, server);
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toMatch(/does not follow the provider's protocol \(HTTP 200\).*Check the model's baseURL/);
    expect(server.calls).toHaveLength(1);
  });
});

describe('provider-specific failures', () => {
  test.each([
    [
      'a refused Google key that is reported as an invalid argument',
      GOOGLE,
      400,
      'API_KEY_INVALID',
      MissingLLMConfigurationError,
      /refused the API key/,
    ],
    [
      'an exhausted OpenAI quota',
      OPENAI_RESPONSES,
      429,
      'insufficient_quota',
      LLMResponseError,
      /the quota is used up.*billing/,
    ],
    [
      'a prompt beyond the context length',
      OPENAI_CHAT,
      400,
      'context_length_exceeded',
      LLMResponseError,
      /too long for this model.*ignoreSelectors/,
    ],
    [
      'a missing model that is reported as a bad request',
      OPENAI_RESPONSES,
      400,
      'model_not_found',
      UnsupportedModelError,
      /does not have this model/,
    ],
    [
      'a prompt stopped by a content filter',
      OPENAI_RESPONSES,
      400,
      'content_filter',
      LLMResponseError,
      /refused to answer/,
    ],
    [
      'an insufficient Anthropic credit balance',
      ANTHROPIC,
      400,
      'Your credit balance is too low',
      LLMResponseError,
      /the quota is used up/,
    ],
    [
      'an overloaded Anthropic service',
      ANTHROPIC,
      529,
      'overloaded_error',
      LLMResponseError,
      /the provider is overloaded \(HTTP 529\)/,
    ],
    ['a rejected request', OPENAI_RESPONSES, 400, 'whatever', LLMResponseError, /rejected the request \(HTTP 400\)/],
  ] as const)('recognizes %s', async (_name, format, status, code, errorClass, message) => {
    await using server = await startProviderServer({ status, headers: AT_ONCE, body: format.error(code, code) });
    const client = await clientFor(format, server, { maxRetries: 0 });
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(errorClass);
    expect(String(error)).toMatch(message);
  });

  test('treats a prompt blocked by Google as a refusal', async () => {
    await using server = await startProviderServer(BLOCKED_PROMPT);
    const client = await clientFor(GOOGLE, server);
    await expect(generateChecked(client, modelRequest(), accept)).rejects.toThrow(/refused to answer/);
  });

  test('does not retry after an exhausted quota', async () => {
    const body = OPENAI_CHAT.error('You exceeded your quota', 'insufficient_quota');
    await using server = await startProviderServer({ status: 429, headers: AT_ONCE, body });
    const client = await clientFor(OPENAI_CHAT, server);
    await expect(client.generate(modelRequest())).rejects.toThrow(/quota is used up/);
    expect(server.calls).toHaveLength(1);
  });

  test('reports the URL of an unreachable server', async () => {
    const server = await startProviderServer();
    await server[Symbol.asyncDispose]();
    const client = await clientFor(OLLAMA, server, { maxRetries: 0 });
    const error = await failureOf(client.generate(modelRequest()));
    expect(String(error)).toContain('ollama/qwen3:8b: the provider cannot be reached');
    expect(String(error)).toContain(`The request was sent to ${server.url}.`);
  });

  test('reports a server that streams although streaming was not requested', async () => {
    await using server = await startProviderServer({ body: 'data: {"choices":[]}\n\ndata: [DONE]\n\n' });
    const client = await clientFor(OPENAI_CHAT, server);
    await expect(client.generate(modelRequest())).rejects.toThrow(
      /The server sent a stream, but the request did not enable streaming\./,
    );
  });

  test('keeps the prompt out of errors', async () => {
    await using server = await startProviderServer({ status: 400, body: OPENAI_CHAT.error('no') });
    const client = await clientFor(OPENAI_CHAT, server);
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toHaveProperty('cause.statusCode', 400);
    expect(error).not.toHaveProperty('cause.requestBodyValues.messages');
  });

  test('masks values of custom headers in errors', async () => {
    await using server = await startProviderServer({ status: 400, body: OPENAI_CHAT.error('Bad token topsecret') });
    const client = await clientFor(OPENAI_CHAT, server, { apiKey: undefined, headers: { 'X-Token': 'topsecret' } });
    const error = await failureOf(client.generate(modelRequest()));
    expect(String(error)).toContain('Bad token …');
  });
});

describe('retry delay', () => {
  const delayOf = (
    { headers = {}, body = '', status = 429 }: { headers?: Record<string, string>; body?: string; status?: number },
    attempt = 1,
  ): number | undefined => {
    const failure = new APICallError({
      message: 'no',
      url: 'http://127.0.0.1',
      requestBodyValues: {},
      statusCode: status,
      responseHeaders: headers,
      responseBody: body,
    });
    return retryDelay(failure, { attempt, ai });
  };

  test.each([
    ['`retry-after` in seconds', { headers: { 'retry-after': '7' } }, 7000],
    ['`retry-after` in fractions of seconds', { headers: { 'retry-after': '0.5' } }, 500],
    ['`retry-after-ms`, which takes precedence', { headers: { 'retry-after': '7', 'retry-after-ms': '6100' } }, 6100],
    ['a `retry-after` date in the past', { headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } }, 0],
    [
      '`retryDelay` in the details of a Google error',
      { body: '{"error":{"details":[{"retryDelay": "34s"}]}}' },
      34_000,
    ],
    ['an unreadable `retry-after`', { headers: { 'retry-after': 'soon' } }, 1000],
    ['a response without a delay', {}, 1000],
  ])('computes the delay for %s', (_name, failure, delay) => {
    expect(delayOf(failure)).toBe(delay);
  });

  test('waits until a future `retry-after` date', () => {
    const inOneMinute = new Date(Date.now() + 60_000).toUTCString();
    const delay = delayOf({ headers: { 'retry-after': inOneMinute } });
    expect(delay).toBeGreaterThan(50_000);
    expect(delay).toBeLessThanOrEqual(60_000);
  });

  test('doubles with each attempt if the provider gives no delay', () => {
    expect([1, 2, 3].map((attempt) => delayOf({ status: 503 }, attempt))).toEqual([1000, 2000, 4000]);
  });

  test('follows `x-should-retry`, and allows no retry of status 400 without it', () => {
    expect(delayOf({ headers: { 'x-should-retry': 'false' } })).toBeUndefined();
    expect(delayOf({ status: 400 })).toBeUndefined();
    expect(delayOf({ status: 400, headers: { 'x-should-retry': 'true' } })).toBe(1000);
  });

  test('rejects without a retry when the delay would outlast the call', async () => {
    await using server = await startProviderServer({
      status: 429,
      headers: { 'retry-after': '30' },
      body: OPENAI_CHAT.error('slow down'),
    });
    const client = await clientFor(OPENAI_CHAT, server);
    const error = await failureOf(client.generate(modelRequest({ deadline: performance.now() + 10_000 })));
    expect(String(error)).toMatch(/slow down\. The provider allows the next request in 30 s\. Try again later/);
    expect(server.calls).toHaveLength(1);
  });

  test('stops waiting when the call is aborted, and reports the wait through `onWait`', async () => {
    await using server = await startProviderServer({
      status: 429,
      headers: { 'retry-after': '30' },
      body: OPENAI_CHAT.error('slow down'),
    });
    const client = await clientFor(OPENAI_CHAT, server);
    const controller = new AbortController();
    const sentences: string[] = [];
    const onWait = (sentence: string): void => {
      sentences.push(sentence);
      controller.abort(new LLMResponseError('no longer wanted'));
    };
    const error = await failureOf(client.generate(modelRequest({ signal: controller.signal, onWait })));
    expect(error).toMatchObject({ message: 'no longer wanted' });
    expect(sentences).toEqual(['HTTP 429: slow down; retrying in 30 s']);
    expect(server.calls).toHaveLength(1);
  });
});

describe('invalid answer', () => {
  const onlyShown = {
    check(value: unknown): Checked<{ ref: string }> {
      const { ref } = value as { ref: string };
      if (shownRefs(modelRequest().page).has(ref)) return { value: { ref } };
      return { issues: [{ path: ['ref'], message: `${ref} was not shown` }] };
    },
  };

  test('repeats the request once if the answer names an element that was not shown', async () => {
    await using server = await startProviderServer(
      OPENAI_CHAT.answer('{"ref":"e99","confidence":9}'),
      OPENAI_CHAT.answer(GOOD),
    );
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = await generateChecked(client, modelRequest(), onlyShown);
    expect(answer.value).toEqual({ ref: 'e4' });
    expect(JSON.stringify(server.calls[1]?.body)).toContain('ref: e99 was not shown');
  });

  test('rejects and quotes the answer if the second one names that element too', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"ref":"e99","confidence":9}'));
    const client = await clientFor(OPENAI_CHAT, server);
    const error = await failureOf(generateChecked(client, modelRequest(), onlyShown));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toMatch(
      /local-model: .*after a second request: ref: e99 was not shown.*The model returned: \{"ref":"e99"/,
    );
    expect(server.calls).toHaveLength(2);
  });

  test('lists the allowed values in the repair turn', async () => {
    const schema = { type: 'object', properties: { method: { enum: ['click', 'fill'] } }, required: ['method'] };
    const answers = ['{"method":"jump"}', '{"method":"click"}'].map(OPENAI_CHAT.answer);
    await using server = await startProviderServer(...answers);
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = await generateChecked(client, modelRequest({ schema }), accept);
    expect(answer.value).toEqual({ method: 'click' });
    expect(JSON.stringify(server.calls[1]?.body)).toMatch(/method: Invalid option: expected one of .*click.*fill/);
  });
});
