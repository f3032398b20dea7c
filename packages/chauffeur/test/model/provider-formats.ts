import type { ServerAnswer } from './provider-server.ts';

/** How one provider says an answer, and where it puts what it was asked. */
export interface ProviderFormat {
  /** `provider/model`. */
  readonly modelName: string;
  /** Path below the server's root that is given as base URL. */
  readonly basePath: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** The path of the call. */
  readonly path: string;
  /** Name and value of the header that carries the key `secret-key`. */
  readonly keyHeader: readonly [string, string];
  answer(text: string): ServerAnswer;
}

/** Tokens of every answer below: 120 in, 40 of them cached; 30 out, 12 of them for thinking where that is told. */
export const OPENAI_RESPONSES: ProviderFormat = {
  modelName: 'openai/gpt-6-luna',
  basePath: '/v1',
  options: { api: 'responses' },
  path: '/v1/responses',
  keyHeader: ['authorization', 'Bearer secret-key'],
  answer: (text) => ({
    body: {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: 'gpt-6-luna',
      output: [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 12 },
        total_tokens: 150,
      },
      incomplete_details: null,
      error: null,
    },
  }),
};

/** The protocol that servers imitate which call themselves OpenAI-compatible. */
export const OPENAI_CHAT: ProviderFormat = {
  modelName: 'openai/local-model',
  basePath: '/v1',
  path: '/v1/chat/completions',
  keyHeader: ['authorization', 'Bearer secret-key'],
  answer: (text) => chatAnswer(text, 'stop'),
};

/** An answer of the chat protocol that ends for the given reason. */
export function chatAnswer(text: string, finishReason: 'stop' | 'length' | 'content_filter'): ServerAnswer {
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'local-model',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
      usage: {
        prompt_tokens: 120,
        completion_tokens: 30,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 12 },
      },
    },
  };
}

export const ANTHROPIC: ProviderFormat = {
  modelName: 'anthropic/claude-haiku-5-5',
  basePath: '/v1',
  path: '/v1/messages',
  keyHeader: ['x-api-key', 'secret-key'],
  answer: (text) => ({
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 80, cache_read_input_tokens: 40, cache_creation_input_tokens: 0, output_tokens: 30 },
    },
  }),
};

export const GOOGLE: ProviderFormat = {
  modelName: 'google/gemini-3.8-flash',
  basePath: '/v1beta',
  path: '/v1beta/models/gemini-3.8-flash:generateContent',
  keyHeader: ['x-goog-api-key', 'secret-key'],
  answer: (text) => ({
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 120,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 18,
        thoughtsTokenCount: 12,
        totalTokenCount: 150,
      },
    },
  }),
};
