import { ANTHROPIC_USAGE } from '../model/provider-formats.ts';
import type { ReceivedCall, ServerAnswer } from '../model/provider-server.ts';

/** One call of a tool as a test writes it. */
export interface WireCall {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
}

/** How a provider says that it wants tools called, and how it is told what came of them. */
export interface AgentFormat {
  answer(calls: readonly WireCall[], text?: string): ServerAnswer;
  /** An answer without a word or a call. */
  readonly nothing: ServerAnswer;
  /** What the provider was sent of the conversation, piece by piece, without the marks of what to cache. */
  pieces(call: ReceivedCall): readonly string[];
  /** Whatever is sent before the conversation. */
  head(call: ReceivedCall): string;
  /** The thoughts that were sent back, each as it came. */
  thoughts(call: ReceivedCall): readonly unknown[];
  /** Those that an answer carried. */
  readonly thought: unknown;
}

/** The ref of the line that fits, as the provider was told it. */
export function refIn(call: ReceivedCall, line: RegExp): string {
  const found = call.bytes
    .replaceAll(String.raw`\n`, '\n')
    .split('\n')
    .find((words) => line.test(words));
  return /\b(?:f\d+)*e\d+\b/.exec(found ?? '')?.[0] ?? 'nothing';
}

type Items = readonly Readonly<Record<string, unknown>>[];

function text(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) => (key === 'cache_control' ? undefined : field));
}

const ANTHROPIC_THOUGHT = { type: 'thinking', thinking: 'I look at the page.', signature: 'c2lnbmF0dXJlLWJ5dGVz+/==' };

/** Anthropic's Messages. */
export const ANTHROPIC_AGENT: AgentFormat = {
  thought: ANTHROPIC_THOUGHT,
  nothing: {
    body: {
      id: 'msg_0',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: ANTHROPIC_USAGE,
    },
  },
  answer: (calls, words) => ({
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      content: [
        ANTHROPIC_THOUGHT,
        ...(words === undefined ? [] : [{ type: 'text', text: words }]),
        ...calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: ANTHROPIC_USAGE,
    },
  }),
  head: ({ body }) => text([body['system'], body['tools'], body['tool_choice']]),
  pieces: ({ body }) =>
    (body['messages'] as Items).flatMap(({ role, content }) => (content as Items).map((part) => text([role, part]))),
  thoughts: ({ body }) =>
    (body['messages'] as Items).flatMap(({ content }) => (content as Items).filter(({ type }) => type === 'thinking')),
};

const OPENAI_THOUGHT = { id: 'rs_1', type: 'reasoning', encrypted_content: 'Z0FBQUFBQm9=', summary: [] };

/** OpenAI's Responses. */
export const OPENAI_AGENT: AgentFormat = {
  thought: OPENAI_THOUGHT.encrypted_content,
  nothing: {
    body: {
      id: 'resp_0',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: 'gpt-6-luna',
      output: [],
      usage: { input_tokens: 120, output_tokens: 1, total_tokens: 121 },
      incomplete_details: null,
      error: null,
    },
  },
  answer: (calls, words) => ({
    body: {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: 'gpt-6-luna',
      output: [
        OPENAI_THOUGHT,
        ...(words === undefined
          ? []
          : [
              {
                id: 'msg_1',
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: words, annotations: [] }],
              },
            ]),
        ...calls.map(({ id, tool, input }) => ({
          id: `fc_${id}`,
          type: 'function_call',
          call_id: id,
          name: tool,
          arguments: JSON.stringify(input),
          status: 'completed',
        })),
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
  head: ({ body }) => text([body['instructions'], body['tools'], body['tool_choice'], body['store']]),
  pieces: ({ body }) => (body['input'] as Items).map((item) => text(item)),
  thoughts: ({ body }) =>
    (body['input'] as Items)
      .filter(({ type }) => type === 'reasoning')
      .map(({ encrypted_content }) => encrypted_content),
};

const GOOGLE_THOUGHT = 'c2lnbmVkLXRob3VnaHQ=';

/** Google's generateContent. */
export const GOOGLE_AGENT: AgentFormat = {
  thought: GOOGLE_THOUGHT,
  nothing: {
    body: {
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 120, totalTokenCount: 120 },
    },
  },
  answer: (calls, words) => ({
    body: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              ...(words === undefined ? [] : [{ text: words }]),
              ...calls.map(({ id, tool, input }, index) => ({
                functionCall: { id, name: tool, args: input },
                ...(index === 0 ? { thoughtSignature: GOOGLE_THOUGHT } : {}),
              })),
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 120,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 18,
        thoughtsTokenCount: 12,
        totalTokenCount: 150,
      },
    },
  }),
  head: ({ body }) => text([body['systemInstruction'], body['tools'], body['toolConfig']]),
  pieces: ({ body }) =>
    (body['contents'] as Items).flatMap(({ role, parts }) => (parts as Items).map((part) => text([role, part]))),
  thoughts: ({ body }) =>
    (body['contents'] as Items).flatMap(({ parts }) =>
      (parts as Items).flatMap(({ thoughtSignature }) => (thoughtSignature === undefined ? [] : [thoughtSignature])),
    ),
};

/** Chat completions, as OpenAI and those who imitate it speak them. */
export const CHAT_AGENT: AgentFormat = {
  thought: undefined,
  nothing: chatMessage({ content: '' }, 'stop'),
  answer: (calls, words) =>
    chatMessage(
      {
        content: words ?? null,
        tool_calls: calls.map(({ id, tool, input }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(input) },
        })),
      },
      'tool_calls',
    ),
  head: ({ body }) => text([body['tools'], body['tool_choice']]),
  pieces: ({ body }) => (body['messages'] as Items).map((message) => text(message)),
  thoughts: () => [],
};

function chatMessage(message: object, finish_reason: string): ServerAnswer {
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'local-model',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
      usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    },
  };
}
