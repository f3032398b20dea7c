import { describe, expect, test } from 'vitest';
import { LLMResponseError } from '../../src/errors.ts';
import { generateChecked, type Checked } from '../../src/model/generate-checked.ts';
import { failureOf } from '../support/failure-of.ts';
import { modelRequest } from './model-request.ts';
import { clientFor } from './provider-client-for-test.ts';
import { ANTHROPIC, GOOGLE, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES } from './provider-formats.ts';
import { type ReceivedCall, type ServerAnswer, startProviderServer } from './provider-server.ts';

const GOOD = JSON.stringify({ ref: 'e4', confidence: 9 });
const accept = { check: (value: unknown): Checked<unknown> => ({ value }) };
const SCHEMA_IN_PROMPT = 'Respond only with JSON that matches this JSON Schema';

/** Whether a call asked for structured output, in any provider's words. */
function hasSchema({ body }: ReceivedCall): boolean {
  const { generationConfig } = body as { generationConfig?: object };
  const fields = { ...body, ...generationConfig };
  return ['response_format', 'text', 'output_config', 'responseJsonSchema'].some((name) => name in fields);
}

describe('server that rejects structured output', () => {
  test.each([
    ['OpenAI-compatible', OPENAI_CHAT],
    ['Ollama', OLLAMA],
    ['OpenAI Responses', OPENAI_RESPONSES],
    ['Anthropic', ANTHROPIC],
    ['Google', GOOGLE],
  ])('puts the schema into the prompt for %s after the first rejection', async (_name, format) => {
    const rejectSchema = (call: ReceivedCall): ServerAnswer =>
      hasSchema(call) ? { status: 400, body: format.error('structured output is not supported') } : format.answer(GOOD);
    await using server = await startProviderServer(rejectSchema);
    const client = await clientFor(format, server);
    for (let round = 0; round < 2; round += 1)
      expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
    expect(server.calls.map(hasSchema)).toEqual([true, false, false]);
    expect(server.calls.map(({ bytes }) => bytes.includes(SCHEMA_IN_PROMPT))).toEqual([false, true, true]);
  });

  test('falls back to the prompt after HTTP 500, without repeating the request', async () => {
    const fail = (call: ReceivedCall): ServerAnswer =>
      hasSchema(call) ? { status: 500, body: OLLAMA.error('failed to parse grammar') } : OLLAMA.answer(GOOD);
    await using server = await startProviderServer(fail);
    const client = await clientFor(OLLAMA, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
    expect(server.calls.map(hasSchema)).toEqual([true, false]);
  });

  test('reports the first error if the server also rejects the schema in the prompt', async () => {
    const answer = (call: ReceivedCall): ServerAnswer => ({
      status: 400,
      body: OPENAI_CHAT.error(hasSchema(call) ? 'the context is odd' : 'still odd'),
    });
    await using server = await startProviderServer(answer);
    const client = await clientFor(OPENAI_CHAT, server);
    const error = await failureOf(client.generate(modelRequest()));
    expect(error).toBeInstanceOf(LLMResponseError);
    expect(String(error)).toContain('rejected the request (HTTP 400): the context is odd.');
    await failureOf(client.generate(modelRequest()));
    expect(server.calls.map(hasSchema)).toEqual([true, false, true, false]);
  });
});

describe('model whose provider does not enforce the schema', () => {
  test('repairs the first answer, then puts the schema into the prompt too', async () => {
    const chatter = (call: ReceivedCall): ServerAnswer =>
      OLLAMA.answer(call.bytes.includes('JSON Schema') ? `Sure!\n\`\`\`json\n${GOOD}\n\`\`\`` : 'I would click "Add".');
    await using server = await startProviderServer(chatter);
    const client = await clientFor(OLLAMA, server);
    const turns: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const answer = await generateChecked(client, modelRequest(), accept);
      expect(answer.value).toEqual({ ref: 'e4', confidence: 9 });
      turns.push(answer.turns);
    }
    expect(turns).toEqual([2, 1, 1]);
    expect(server.calls.slice(2).every(({ bytes }) => bytes.includes(SCHEMA_IN_PROMPT))).toBe(true);
  });

  test('repairs JSON of another shape once, and needs no repair in the next call', async () => {
    const free = (call: ReceivedCall): ServerAnswer =>
      OPENAI_CHAT.answer(call.bytes.includes('JSON Schema') ? GOOD : '{"element":"e4"}');
    await using server = await startProviderServer(free);
    const client = await clientFor(OPENAI_CHAT, server);
    const answers = [
      await generateChecked(client, modelRequest(), accept),
      await generateChecked(client, modelRequest(), accept),
    ];
    expect(answers.map(({ turns }) => turns)).toEqual([2, 1]);
  });

  test('keeps the schema out of later prompts after one recovered validation error', async () => {
    await using server = await startProviderServer(
      OPENAI_CHAT.answer(GOOD),
      OPENAI_CHAT.answer('{"ref":1}'),
      OPENAI_CHAT.answer(GOOD),
    );
    const client = await clientFor(OPENAI_CHAT, server);
    await generateChecked(client, modelRequest(), accept);
    await generateChecked(client, modelRequest(), accept);
    await generateChecked(client, modelRequest(), accept);
    expect(server.calls.map(({ bytes }) => bytes.includes(SCHEMA_IN_PROMPT))).toEqual([false, false, false, false]);
  });

  test('skips reasoning that precedes the answer', async () => {
    const text = `<think>{"ref":"e5"} or e4? e4.</think>\n\nThe answer is ${GOOD}`;
    await using server = await startProviderServer(OLLAMA.answer(text));
    const client = await clientFor(OLLAMA, server);
    expect((await client.generate(modelRequest())).output).toEqual({ ref: 'e4', confidence: 9 });
  });
});
