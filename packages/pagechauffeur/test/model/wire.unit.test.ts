import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LLMResponseError } from '../../src/errors.ts';
import { toAiSdkMessages } from '../../src/model/ai-sdk-messages.ts';
import { generateChecked, type Checked } from '../../src/model/generate-checked.ts';
import type { ModelCallResult, ModelRequest } from '../../src/model/model-client.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import { modelRequest } from './model-request.ts';
import { clientFor } from './provider-client-for-test.ts';
import { ANTHROPIC, FORMATS, GOOGLE, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES } from './provider-formats.ts';
import { startProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const PICTURE_BASE64 = Buffer.from(PICTURE).toString('base64');
const PAGE = 'button "Add to cart" e4\nlink "Help" e5';
const SETTINGS = { temperature: 0.5, maxOutputTokens: 700 };

const accept = { check: (value: unknown): Checked<unknown> => ({ value }) };

/** A question with a picture next to the page, which is likely to be asked about again. */
function requestWithPicture(): ModelRequest {
  return modelRequest({
    messages: [
      { role: 'system', text: 'You choose elements.', isStable: true },
      { role: 'user', text: PAGE, isStable: true, images: [{ data: PICTURE, mediaType: 'image/png' }] },
      { role: 'user', text: 'add the mug' },
    ],
  });
}

const STRICT_SCHEMA = {
  type: 'object',
  properties: {
    ref: { type: 'string' },
    confidence: { type: 'integer', minimum: 0, maximum: 10 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['ref', 'confidence', 'note'],
  additionalProperties: false,
};

const CHAT_BODY = {
  max_tokens: 700,
  temperature: 0.5,
  response_format: { type: 'json_schema', json_schema: { name: 'choice', strict: true, schema: STRICT_SCHEMA } },
  messages: [
    { role: 'system', content: 'You choose elements.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: `${PAGE}\n\nadd the mug` },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE_BASE64}` } },
      ],
    },
  ],
};

/** All that goes over the wire for {@link requestWithPicture}, by provider. */
const BODIES = [
  [
    OPENAI_RESPONSES,
    {
      model: 'gpt-6-luna',
      max_output_tokens: 700,
      store: false,
      include: ['reasoning.encrypted_content'],
      text: { format: { type: 'json_schema', name: 'choice', strict: true, schema: STRICT_SCHEMA } },
      input: [
        { role: 'developer', content: 'You choose elements.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: PAGE },
            { type: 'input_image', image_url: `data:image/png;base64,${PICTURE_BASE64}` },
          ],
        },
        { role: 'user', content: [{ type: 'input_text', text: 'add the mug' }] },
      ],
    },
  ],
  [OPENAI_CHAT, { model: 'local-model', ...CHAT_BODY }],
  [OLLAMA, { model: 'qwen3:8b', ...CHAT_BODY }],
  [
    ANTHROPIC,
    {
      model: 'claude-haiku-5-5',
      max_tokens: 700,
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: {
              ref: { type: 'string' },
              confidence: { type: 'integer', description: 'minimum: 0; maximum: 10.' },
              note: { type: 'string' },
            },
            required: ['ref', 'confidence'],
            additionalProperties: false,
          },
        },
      },
      system: [{ type: 'text', text: 'You choose elements.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: PAGE },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: PICTURE_BASE64 },
              cache_control: { type: 'ephemeral' },
            },
            { type: 'text', text: 'add the mug' },
          ],
        },
      ],
    },
  ],
  [
    GOOGLE,
    {
      generationConfig: {
        maxOutputTokens: 700,
        temperature: 0.5,
        responseMimeType: 'application/json',
        responseJsonSchema: {
          type: 'object',
          properties: {
            ref: { type: 'string' },
            confidence: { type: 'integer', minimum: 0, maximum: 10 },
            note: { type: 'string' },
          },
          required: ['ref', 'confidence'],
          additionalProperties: false,
        },
      },
      systemInstruction: { parts: [{ text: 'You choose elements.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: PAGE }, { inlineData: { mimeType: 'image/png', data: PICTURE_BASE64 } }],
        },
        { role: 'user', parts: [{ text: 'add the mug' }] },
      ],
    },
  ],
] as const;

// [spec: model-configuration.modelName, model-configuration.apiKey, model-configuration.baseURL]
test.each(BODIES.map(([format, body]) => [format.modelName, format, body] as const))(
  '%s receives model, key, schema, prompt, image and settings in its own format, and nothing else',
  async (_name, format, body) => {
    await using server = await startProviderServer(format.answer(GOOD));
    const client = await clientFor(format, server, SETTINGS);
    const response = await client.generate(requestWithPicture());

    expect(response).toMatchObject({ output: { ref: 'e4', confidence: 9 }, usage: format.usage });
    expect(server.calls).toHaveLength(1);
    const [call] = server.calls;
    expect(call?.path).toBe(format.path);
    expect(call?.headers[format.keyHeader[0]]).toBe(format.keyHeader[1]);
    expect(call?.body).toEqual(body);
  },
);

describe.each(FORMATS)('%s', (_name, format) => {
  test('repeats the request with the issues after an invalid answer', async () => {
    await using server = await startProviderServer(format.answer('{"ref": "e4", "confi'), format.answer(GOOD));
    const client = await clientFor(format, server);
    const answer = await generateChecked(client, modelRequest(), accept);

    expect(answer.value).toEqual({ ref: 'e4', confidence: 9 });
    expect(answer.turns).toBe(2);
    const { cachedInputTokens } = format.usage;
    expect(answer.usage).toMatchObject({ promptTokens: 240, cachedInputTokens: 2 * cachedInputTokens });
    const second = JSON.stringify(server.calls[1]?.body);
    expect(second).toContain('confi');
    expect(second).toContain('the response is not JSON');
  });

  test('closes the connection when the request is aborted', async () => {
    await using server = await startProviderServer('hang');
    const client = await clientFor(format, server);
    const controller = new AbortController();
    const [answer] = await Promise.allSettled([
      client.generate(modelRequest({ signal: controller.signal })),
      server.hanging.then(() => controller.abort(new LLMResponseError('no longer wanted'))),
    ]);
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'no longer wanted' } });
    await server.closedByClient;
    expect(server.calls).toHaveLength(1);
  });

  test('reads JSON from prose with a fenced block', async () => {
    const prose = `Here is what you asked for [see below]:\n\`\`\`json\n${GOOD}\n\`\`\`\nGood luck!`;
    await using server = await startProviderServer(format.answer(prose));
    const client = await clientFor(format, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
  });

  test('starts prompts for the same rules and page with the same text, for prompt caching', async () => {
    await using server = await startProviderServer(format.answer(GOOD));
    const client = await clientFor(format, server);
    for (const instruction of ['add the mug', 'open the help']) {
      const messages = modelRequest().messages.toSpliced(-1, 1, { role: 'user', text: instruction });
      await client.generate(modelRequest({ instruction, messages }));
    }
    const [first = '', second = ''] = server.calls.map(({ body }) => promptOf(body));
    const [shared] = first.split('add the mug');
    expect(shared).toContain('You choose elements.');
    expect(shared).toContain('Add to cart');
    expect(second.startsWith(shared ?? '')).toBe(true);
  });
});

/** What a provider reads of a body, in the order in which it reads it: the rules first. */
function promptOf({ system, systemInstruction, input, messages, contents }: Record<string, unknown>): string {
  return JSON.stringify([system, systemInstruction, input ?? messages ?? contents]);
}

describe('request on the wire', () => {
  test('removes null from optional fields of an OpenAI answer', async () => {
    await using server = await startProviderServer(OPENAI_RESPONSES.answer('{"ref":"e4","confidence":9,"note":null}'));
    const client = await clientFor(OPENAI_RESPONSES, server);
    const answer = await generateChecked(client, modelRequest(), accept);
    expect(answer.value).toEqual({ ref: 'e4', confidence: 9 });
    expect(answer.turns).toBe(1);
  });

  test('does not mark a schema with arbitrary keys as strict', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer('{"prices":{"mug":3}}'));
    const client = await clientFor(OPENAI_CHAT, server);
    const prices = { type: 'object', additionalProperties: { type: 'number' } };
    const schema = { type: 'object', properties: { prices }, required: ['prices'] };
    await client.generate(modelRequest({ schema }));
    expect(server.calls[0]?.body).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  test('sends Anthropic a schema with arbitrary keys as a required tool', async () => {
    const call = { type: 'tool_use', id: 'tool_1', name: 'json', input: { prices: { mug: 3 } } };
    const usage = { input_tokens: 9, output_tokens: 5 };
    const body = {
      id: 'msg_2',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [call],
      stop_reason: 'tool_use',
      usage,
    };
    await using server = await startProviderServer({ body });
    const client = await clientFor(ANTHROPIC, server);
    const prices = { type: 'object', additionalProperties: { type: 'number' } };
    const schema = { type: 'object', properties: { prices }, required: ['prices'] };
    expect((await client.generate(modelRequest({ schema }))).output).toEqual({ prices: { mug: 3 } });
    expect(server.calls[0]?.body).toMatchObject({
      tools: [{ name: 'json' }],
      tool_choice: { type: 'any' },
    });
  });

  test('appends a repair turn to the earlier messages', async () => {
    await using server = await startProviderServer(ANTHROPIC.answer('no'), ANTHROPIC.answer(GOOD));
    const client = await clientFor(ANTHROPIC, server);
    await generateChecked(client, requestWithPicture(), accept);
    const [first, second] = server.calls.map(({ body }) => body['messages'] as { content: unknown }[]);
    expect(second?.[0]).toEqual(first?.[0]);
    expect(second?.[1]).toMatchObject({ role: 'assistant', content: [{ text: 'no' }] });
  });

  // [spec: variable-value.description, authentication.variables-kept]
  test('sends the messages unchanged when the request has variables', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
    const client = await clientFor(OPENAI_CHAT, server);
    const variables = [{ name: 'card', description: 'the credit card' }];
    const messages = [{ role: 'user' as const, text: '- %card%: the credit card' }];
    await client.generate(modelRequest({ variables, messages }));
    expect(server.calls[0]?.body['messages']).toEqual([{ role: 'user', content: '- %card%: the credit card' }]);
  });

  // [spec: model-configuration.provider-options]
  test('passes model settings, headers and `providerOptions` to an OpenAI server', async () => {
    await using server = await startProviderServer(OPENAI_CHAT.answer(GOOD));
    const client = await clientFor(OPENAI_CHAT, server, {
      temperature: 0,
      topP: 0.9,
      seed: 7,
      maxOutputTokens: 77,
      headers: { 'x-team': 'qa' },
      organization: 'acme',
      providerOptions: { openai: { user: 'someone', serviceTier: 'priority' } },
    });
    await client.generate(modelRequest());
    const expected = { temperature: 0, top_p: 0.9, seed: 7, max_tokens: 77, user: 'someone' };
    expect(server.calls[0]?.body).toMatchObject(expected);
    expect(server.calls[0]?.headers).toMatchObject({ 'x-team': 'qa', 'openai-organization': 'acme' });
  });

  test('passes the reasoning effort in the terms of the provider', async () => {
    await using server = await startProviderServer(OPENAI_RESPONSES.answer(GOOD), GOOGLE.answer(GOOD));
    const clients = [
      await clientFor(OPENAI_RESPONSES, server, { reasoning: 'low' }),
      await clientFor(GOOGLE, server, { reasoning: 'low' }),
    ];
    for (const client of clients) await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({ reasoning: { effort: 'low' } });
    expect(server.calls[1]?.body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } });
  });

  test('passes `providerOptions.anthropic` to Anthropic', async () => {
    await using server = await startProviderServer(ANTHROPIC.answer(GOOD));
    const providerOptions = { anthropic: { metadata: { userId: 'someone' } } };
    const client = await clientFor(ANTHROPIC, server, { providerOptions });
    await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({ metadata: { user_id: 'someone' } });
  });

  test('passes `providerOptions.google` to Google', async () => {
    await using server = await startProviderServer(GOOGLE.answer(GOOD));
    const providerOptions = { google: { thinkingConfig: { thinkingBudget: 0 } } };
    const client = await clientFor(GOOGLE, server, { providerOptions });
    await client.generate(modelRequest());
    expect(server.calls[0]?.body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } });
  });

  test('needs no API key for a compatible server such as Ollama', async () => {
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

  test('merges adjacent messages of one role for chat servers', async () => {
    await using server = await startProviderServer(OLLAMA.answer('no'), OLLAMA.answer(GOOD));
    const client = await clientFor(OLLAMA, server);
    await generateChecked(client, modelRequest(), accept);
    const roles = server.calls.map(({ body }) => (body['messages'] as { role: string }[]).map(({ role }) => role));
    expect(roles).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'user'],
    ]);
  });

  const STREAM = [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-6-luna' } },
    { type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } },
  ];
  const streamed = {
    headers: { 'content-type': 'text/event-stream' },
    body: STREAM.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
  };
  const click = { name: 'click', description: '', input: { type: 'object' } };

  test.each([
    ['in one piece', OPENAI_RESPONSES.answer(GOOD), {}],
    ['as a stream', streamed, { verb: 'agent', tools: [click], onPart: () => undefined }],
  ] as const)(
    'returns unsupported settings of a response %s as warnings, without a process warning',
    async (_how, answer, asked) => {
      const warned: unknown[] = [];
      const onWarning = (warning: unknown): void => void warned.push(warning);
      process.on('warning', onWarning);
      await using server = await startProviderServer(answer);
      const client = await clientFor(OPENAI_RESPONSES, server, { seed: 7 });
      const { warnings } = await client.generate(modelRequest(asked));
      // Node emits warnings in the next tick.
      await setImmediate();
      process.off('warning', onWarning);
      expect(warnings).toEqual(['seed has no effect.']);
      expect(warned).toEqual([]);
    },
  );
});

test.each([true, false])('sends only the text of a tool result, not its data (native tools: %s)', (hasTools) => {
  const plain = { id: 'call-1', tool: 'navigate', text: 'The open pages:' };
  const withData: ModelCallResult = {
    ...plain,
    effect: 'opened',
    opened: ['dialog'],
    isSkipped: true,
    openPages: [{ number: 1, title: 'Shop', url: 'https://shop.test/', isCurrent: true }],
  };
  const [expected, sent] = [plain, withData].map((result) =>
    toAiSdkMessages(
      modelRequest({
        messages: [
          { role: 'assistant', text: '', calls: [{ id: 'call-1', tool: 'navigate', input: {} }] },
          { role: 'tool', text: '', results: [result] },
        ],
      }),
      { modelName: 'test/model', hasTools, hasSchemaInPrompt: false, mergesTurns: false },
    ),
  );
  expect(sent).toEqual(expected);
});
