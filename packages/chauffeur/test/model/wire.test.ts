import { describe, expect, test } from 'vitest';
import { LLMResponseError, MissingLLMConfigurationError, UnsupportedModelError } from '../../src/errors.ts';
import { generateChecked, type Checked } from '../../src/model/generate-checked.ts';
import type { ModelClient } from '../../src/model/model-client.ts';
import { shownRefs } from '../../src/model/page-view.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import { modelRequest } from './model-request.ts';
import {
  ANTHROPIC,
  chatAnswer,
  GOOGLE,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  type ProviderFormat,
} from './provider-formats.ts';
import { startProviderServer, type ProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const PICTURE_BASE64 = Buffer.from(PICTURE).toString('base64');

function clientFor(
  format: ProviderFormat,
  server: ProviderServer,
  options: Record<string, unknown> = {},
): Promise<ModelClient> {
  const { modelName, basePath } = format;
  return resolveModel(
    { modelName, apiKey: 'secret-key', baseURL: server.url + basePath, ...format.options, ...options },
    {},
  );
}

const accept = { check: (value: unknown): Checked<unknown> => ({ value }) };

describe.each([
  ['OpenAI by Responses', OPENAI_RESPONSES],
  ['OpenAI-compatible by chat', OPENAI_CHAT],
  ['Anthropic', ANTHROPIC],
  ['Google', GOOGLE],
])('%s', (_name, format) => {
  // [spec: model-configuration.modelName, model-configuration.apiKey, model-configuration.baseURL]
  test('gets the model, the key, the schema and the picture, and the answer comes back with its cost', async () => {
    await using server = await startProviderServer(format.answer(GOOD));
    const client = await clientFor(format, server);
    const request = modelRequest();
    const [system, page, instruction] = request.messages;
    const messages = [system, { ...page, images: [{ data: PICTURE, mediaType: 'image/png' }] }, instruction];
    const response = await client.generate({ ...request, messages: messages as typeof request.messages });

    expect(response.output).toEqual({ ref: 'e4', confidence: 9 });
    expect(response.usage).toEqual({
      promptTokens: 120,
      completionTokens: 30,
      reasoningTokens: format === ANTHROPIC ? 0 : 12,
      cachedInputTokens: 40,
    });

    expect(server.calls).toHaveLength(1);
    const [call] = server.calls;
    expect(call?.path).toBe(format.path);
    expect(call?.headers[format.keyHeader[0]]).toBe(format.keyHeader[1]);
    const sent = JSON.stringify(call?.body);
    expect(sent).toContain(PICTURE_BASE64);
    expect(sent).toContain('"confidence"');
    const order = ['You choose elements.', 'Add to cart', 'add the mug'].map((text) => sent.indexOf(text));
    if (format === ANTHROPIC || format === GOOGLE) order.shift(); // there the system text has a field of its own
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test('is asked once more when its answer is broken, and told what was wrong', async () => {
    await using server = await startProviderServer(format.answer('{"ref": "e4", "confi'), format.answer(GOOD));
    const client = await clientFor(format, server);
    const answer = await generateChecked(client, modelRequest(), accept);

    expect(answer.value).toEqual({ ref: 'e4', confidence: 9 });
    expect(answer.turns).toBe(2);
    expect(answer.usage).toMatchObject({ promptTokens: 240, completionTokens: 60, cachedInputTokens: 80 });
    const second = JSON.stringify(server.calls[1]?.body);
    expect(second).toContain('confi');
    expect(second).toContain('this is not JSON');
  });

  test('has its connection closed when the question is no longer wanted', async () => {
    await using server = await startProviderServer('hang');
    const client = await clientFor(format, server);
    const controller = new AbortController();
    const [answer] = await Promise.allSettled([
      client.generate(modelRequest({ signal: controller.signal })),
      server.hanging.then(() => controller.abort(new LLMResponseError('no longer wanted'))),
    ]);
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'no longer wanted' } });
    await server.closedByClient;
  });

  test('is tried again after a rate limit, as soon as Retry-After allows', async () => {
    const limited = { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'slow down' } } };
    await using server = await startProviderServer(limited, format.answer(GOOD));
    const client = await clientFor(format, server);
    const response = await client.generate(modelRequest());
    expect(response.output).toEqual({ ref: 'e4', confidence: 9 });
    expect(server.calls).toHaveLength(2);
  });

  test('may wrap its JSON in prose and a fenced block', async () => {
    const prose = `Here is what you asked for [see below]:\n\`\`\`json\n${GOOD}\n\`\`\`\nGood luck!`;
    await using server = await startProviderServer(format.answer(prose));
    const client = await clientFor(format, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
  });
});

describe('what goes over the wire', () => {
  test('OpenAI is told a strict schema: every field required, optional ones nullable', async () => {
    await using server = await startProviderServer(OPENAI_RESPONSES.answer('{"ref":"e4","confidence":9,"note":null}'));
    const client = await clientFor(OPENAI_RESPONSES, server);
    const answer = await generateChecked(client, modelRequest(), accept);
    expect(answer.value).toEqual({ ref: 'e4', confidence: 9 });
    expect(answer.turns).toBe(1);
    expect(server.calls[0]?.body).toMatchObject({
      model: 'gpt-6-luna',
      store: false,
      text: {
        format: {
          type: 'json_schema',
          strict: true,
          name: 'choice',
          schema: {
            required: ['ref', 'confidence', 'note'],
            properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
          },
        },
      },
    });
  });

  test('a schema with free keys is not called strict', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"prices":{"mug":3}}'));
    const client = await clientFor(OPENAI_CHAT, server);
    const prices = { type: 'object', additionalProperties: { type: 'number' } };
    const schema = { type: 'object', properties: { prices }, required: ['prices'] };
    await client.generate(modelRequest({ schema }));
    expect(server.calls[0]?.body).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  test('Anthropic is told to cache up to the last stable message', async () => {
    await using server = await startProviderServer(ANTHROPIC.answer(GOOD));
    const client = await clientFor(ANTHROPIC, server);
    await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({
      model: 'claude-haiku-5-5',
      system: [{ text: 'You choose elements.', cache_control: { type: 'ephemeral' } }],
      output_config: { format: { type: 'json_schema' } },
    });
  });

  test('Google is told the schema and the system text in their own fields', async () => {
    await using server = await startProviderServer(GOOGLE.answer(GOOD));
    const client = await clientFor(GOOGLE, server);
    await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'You choose elements.' }] },
      generationConfig: { responseMimeType: 'application/json' },
    });
    expect(JSON.stringify(server.calls[0]?.body['generationConfig'])).toContain('"confidence"');
  });

  // [spec: model-configuration.provider-options]
  test('options of the call and of the provider reach it', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
    const options = { temperature: 0, maxOutputTokens: 77, headers: { 'x-team': 'qa' } };
    const client = await clientFor(OPENAI_CHAT, server, options);
    await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({ model: 'local-model', temperature: 0, max_tokens: 77 });
    expect(server.calls[0]?.headers['x-team']).toBe('qa');
  });

  test('a compatible server needs no key, and ollama is one', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
    const baseURL = `${server.url}/v1`;
    const clients = [
      await resolveModel({ modelName: 'openai/hf.co/some/model', baseURL }, {}),
      await resolveModel({ modelName: 'ollama/qwen3:8b', baseURL }, {}),
    ];
    for (const client of clients) await client.generate(modelRequest());
    expect(server.calls.map(({ path, body }) => [path, body['model']])).toEqual([
      ['/v1/chat/completions', 'hf.co/some/model'],
      ['/v1/chat/completions', 'qwen3:8b'],
    ]);
  });
});

describe('an answer that cannot be used', () => {
  const onlyShown = {
    check(value: unknown): Checked<{ ref: string }> {
      const { ref } = value as { ref: string };
      if (shownRefs(modelRequest().page).has(ref)) return { value: { ref } };
      return { issues: [{ path: ['ref'], message: `${ref} was not shown` }] };
    },
  };

  test('that names an element it was not shown is asked for once more', async () => {
    await using server = await startProviderServer(
      OPENAI_CHAT.answer('{"ref":"e99","confidence":9}'),
      OPENAI_CHAT.answer(GOOD),
    );
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = await generateChecked(client, modelRequest(), onlyShown);
    expect(answer.value).toEqual({ ref: 'e4' });
    expect(JSON.stringify(server.calls[1]?.body)).toContain('ref: e99 was not shown');
  });

  test('that names it again is an error that says what came', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"ref":"e99","confidence":9}'));
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = generateChecked(client, modelRequest(), onlyShown);
    await expect(answer).rejects.toThrow(LLMResponseError);
    await expect(answer).rejects.toThrow(
      /openai\/local-model: .*asked once more: ref: e99 was not shown.*It answered: \{"ref":"e99"/,
    );
    expect(server.calls).toHaveLength(2);
  });

  test('that was cut off is not asked for again, and the error says how to get a whole one', async () => {
    await using server = await startProviderServer(chatAnswer('{"ref":"e4","no', 'length'));
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = generateChecked(client, modelRequest(), accept);
    await expect(answer).rejects.toThrow(/cut off after 30 tokens\..*maxOutputTokens/);
    expect(server.calls).toHaveLength(1);
  });

  test('that was refused is an error that repeats the refusal', async () => {
    await using server = await startProviderServer(chatAnswer('I cannot help with that.', 'content_filter'));
    const client = await clientFor(OPENAI_CHAT, server);
    const answer = generateChecked(client, modelRequest(), accept);
    await expect(answer).rejects.toThrow(/refused to answer\. It said: I cannot help with that\./);
  });
});

describe('a call that fails', () => {
  const failing = [
    [401, MissingLLMConfigurationError, /refused the API key \(HTTP 401\).*OPENAI_API_KEY/],
    [404, UnsupportedModelError, /does not have this model \(HTTP 404\)/],
    [400, LLMResponseError, /rejected the request \(HTTP 400\)/],
    [429, LLMResponseError, /rate limit or the quota is used up \(HTTP 429\) after 2 attempts/],
    [500, LLMResponseError, /provider failed \(HTTP 500\) after 2 attempts/],
  ] as const;

  test.each(failing)(
    'with HTTP %i says what it means and keeps the key to itself',
    async (status, errorClass, message) => {
      const body = { error: { message: 'Incorrect: secret-key', type: 'x', code: 'y' } };
      await using server = await startProviderServer({ status, headers: { 'retry-after': '0' }, body });
      const client = await clientFor(OPENAI_CHAT, server, { maxRetries: 1 });
      const error: unknown = await client.generate(modelRequest()).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(errorClass);
      expect(String(error)).toMatch(message);
      expect(error).toHaveProperty('cause.statusCode', status);
      const everything = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).cause);
      expect(everything).not.toContain('secret-key');
      expect(error).not.toHaveProperty('cause.requestBodyValues.messages');
    },
  );

  test('because nobody listens says that the provider cannot be reached', async () => {
    const server = await startProviderServer();
    await server[Symbol.asyncDispose]();
    const client = await clientFor(OPENAI_CHAT, server, { maxRetries: 0 });
    await expect(client.generate(modelRequest())).rejects.toThrow(
      /openai\/local-model: the provider cannot be reached/,
    );
  });

  test('because the server speaks another protocol says so', async () => {
    await using server = await startProviderServer({ body: '<html>Welcome</html>' });
    const client = await clientFor(OPENAI_CHAT, server, { maxRetries: 0 });
    await expect(client.generate(modelRequest())).rejects.toThrow(LLMResponseError);
    await expect(client.generate(modelRequest())).rejects.toThrow(/does not follow the provider's protocol/);
  });
});
