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
  /** Tokens of every answer of this format. */
  readonly usage: typeof FULL_USAGE;
  answer(text: string): ServerAnswer;
  /** An answer that ended at the limit of its length. */
  cutOff(text: string): ServerAnswer;
  /** The provider's own form of a refusal. */
  refusal(words: string): ServerAnswer;
  /** The body of an error. */
  error(message: string, code?: string): unknown;
}

/** 120 in, 40 of them cached; 30 out, 12 of them for thinking. */
const FULL_USAGE = { promptTokens: 120, completionTokens: 30, reasoningTokens: 12, cachedInputTokens: 40 };

/** What Anthropic's API says that an answer has cost. */
export const ANTHROPIC_USAGE = {
  input_tokens: 70,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 10,
  output_tokens: 30,
  output_tokens_details: { thinking_tokens: 12 },
} as const;

export const OPENAI_RESPONSES: ProviderFormat = {
  modelName: 'openai/gpt-6-luna',
  basePath: '/v1',
  options: { api: 'responses' },
  path: '/v1/responses',
  keyHeader: ['authorization', 'Bearer secret-key'],
  usage: FULL_USAGE,
  answer: (text) => responsesAnswer({ content: [{ type: 'output_text', text, annotations: [] }] }),
  cutOff: (text) =>
    responsesAnswer({
      content: [{ type: 'output_text', text, annotations: [] }],
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    }),
  refusal: (words) => responsesAnswer({ content: [{ type: 'refusal', refusal: words }] }),
  error: openaiError,
};

const RESPONSES_USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 150,
};

interface ResponsesParts {
  readonly content: readonly object[];
  readonly status?: string;
  readonly incomplete_details?: object;
}

function responsesAnswer({ content, status = 'completed', incomplete_details }: ResponsesParts): ServerAnswer {
  return {
    body: {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status,
      model: 'gpt-6-luna',
      output: [{ id: 'msg_1', type: 'message', role: 'assistant', status, content }],
      usage: RESPONSES_USAGE,
      incomplete_details: incomplete_details ?? null,
      error: null,
    },
  };
}

/** What Responses says of an answer that failed after it was begun. */
export const FAILED_RESPONSE: ServerAnswer = {
  body: {
    id: 'resp_2',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'failed',
    model: 'gpt-6-luna',
    output: [],
    usage: RESPONSES_USAGE,
    incomplete_details: null,
    error: { code: 'server_error', message: 'The model had an accident.' },
  },
};

/** The protocol that servers imitate which call themselves OpenAI-compatible. */
export const OPENAI_CHAT: ProviderFormat = {
  modelName: 'openai/local-model',
  basePath: '/v1',
  path: '/v1/chat/completions',
  keyHeader: ['authorization', 'Bearer secret-key'],
  usage: FULL_USAGE,
  answer: (text) => chatAnswer({ content: text }, 'stop'),
  cutOff: (text) => chatAnswer({ content: text }, 'length'),
  refusal: (words) => chatAnswer({ content: null, refusal: words }, 'stop'),
  error: openaiError,
};

/** Ollama's OpenAI-compatible endpoint: no key, and no word of cached tokens or of tokens for thinking. */
export const OLLAMA: ProviderFormat = {
  modelName: 'ollama/qwen3:8b',
  basePath: '/v1',
  path: '/v1/chat/completions',
  keyHeader: ['authorization', 'Bearer secret-key'],
  usage: { ...FULL_USAGE, reasoningTokens: 0, cachedInputTokens: 0 },
  answer: (text) => chatAnswer({ content: text }, 'stop', OLLAMA_USAGE),
  cutOff: (text) => chatAnswer({ content: text }, 'length', OLLAMA_USAGE),
  refusal: (words) => chatAnswer({ content: words }, 'content_filter', OLLAMA_USAGE),
  error: openaiError,
};

const OLLAMA_USAGE = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
const CHAT_USAGE = {
  ...OLLAMA_USAGE,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 12 },
};

function chatAnswer(message: object, finish_reason: string, usage: object = CHAT_USAGE): ServerAnswer {
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'local-model',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
      usage,
    },
  };
}

/** What a chat server says that has nothing to say and charges for it. */
export const NO_CHOICES: ServerAnswer = {
  body: {
    id: 'chatcmpl-2',
    object: 'chat.completion',
    created: 1,
    model: 'local-model',
    choices: [],
    usage: CHAT_USAGE,
  },
};

function openaiError(message: string, code = 'some_code'): unknown {
  return { error: { message, type: 'some_type', param: null, code } };
}

export const ANTHROPIC: ProviderFormat = {
  modelName: 'anthropic/claude-haiku-5-5',
  basePath: '/v1',
  path: '/v1/messages',
  keyHeader: ['x-api-key', 'secret-key'],
  usage: FULL_USAGE,
  answer: (text) => anthropicAnswer(text, 'end_turn'),
  cutOff: (text) => anthropicAnswer(text, 'max_tokens'),
  refusal: (words) => anthropicAnswer(words, 'refusal'),
  error: (message, type = 'api_error') => ({ type: 'error', error: { type, message } }),
};

/** Anthropic counts what it read from its cache, and what it wrote there, apart from the rest. */
function anthropicAnswer(text: string, stop_reason: string): ServerAnswer {
  return {
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [{ type: 'text', text }],
      stop_reason,
      stop_sequence: null,
      usage: ANTHROPIC_USAGE,
    },
  };
}

export const GOOGLE: ProviderFormat = {
  modelName: 'google/gemini-3.8-flash',
  basePath: '/v1beta',
  path: '/v1beta/models/gemini-3.8-flash:generateContent',
  keyHeader: ['x-goog-api-key', 'secret-key'],
  usage: FULL_USAGE,
  answer: (text) => googleAnswer([candidate(text, 'STOP')]),
  cutOff: (text) => googleAnswer([candidate(text, 'MAX_TOKENS')]),
  refusal: (words) => googleAnswer([candidate(words, 'SAFETY')]),
  error: (message, status = 'UNKNOWN') => ({ error: { code: 500, message, status } }),
};

/** What Google says of a prompt that it did not even read. */
export const BLOCKED_PROMPT: ServerAnswer = googleAnswer([], { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });

function candidate(text: string, finishReason: string): object {
  return { content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 };
}

function googleAnswer(candidates: readonly object[], more: object = {}): ServerAnswer {
  return {
    body: {
      candidates,
      usageMetadata: {
        promptTokenCount: 120,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 18,
        thoughtsTokenCount: 12,
        totalTokenCount: 150,
      },
      ...more,
    },
  };
}

/** Every provider by the name that tests give it. */
export const FORMATS: readonly (readonly [string, ProviderFormat])[] = [
  ['OpenAI Responses', OPENAI_RESPONSES],
  ['OpenAI-compatible chat', OPENAI_CHAT],
  ['Anthropic', ANTHROPIC],
  ['Google', GOOGLE],
  ['Ollama', OLLAMA],
];
