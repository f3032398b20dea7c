import { ANTHROPIC_USAGE } from '../model/provider-formats.ts';
import type { ReceivedCall, ServerAnswer } from '../model/provider-server.ts';

/** How one provider's API for using a computer says what its model wants, and what it demands of each request. */
export interface ComputerFormat {
  /** `provider/model`. */
  readonly modelName: string;
  /** Path below the server's root that is given as base URL. */
  readonly basePath: string;
  /** The path of the call. */
  readonly path: string;
  /** An answer with actions in the provider's own words; `call` is a number that no other answer of the run has. */
  actions(call: number, actions: readonly object[], more?: object): ServerAnswer;
  /** A click of the left button, at a place told in shares of the picture's sides. */
  clickAt(share: Place, picture: Size): object;
  /** An answer that calls a tool of the library. */
  tool(call: number, name: string, input: object): ServerAnswer;
  /** An answer of words alone. */
  words(text: string): ServerAnswer;
  /** What is wrong with a request by the rules of the API; empty when nothing is. */
  faults(call: ReceivedCall): string[];
  /** The conversation piece by piece, without the marks of what to cache. */
  pieces(call: ReceivedCall): string[];
  /** Pictures in the order in which the request has them, with what they belong to. */
  pictures(call: ReceivedCall): Buffer[];
}

type Json = Record<string, unknown>;

/** A place, and a size. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG. */
export function sizeOf(picture: Buffer): Size {
  return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
}

/** 120 in, 40 of them cached; 30 out, 12 of them for thinking. */
export const USAGE = { promptTokens: 120, completionTokens: 30, reasoningTokens: 12, cachedInputTokens: 40 };

export const OPENAI_COMPUTER: ComputerFormat = {
  modelName: 'openai/gpt-6-astra',
  basePath: '/v1',
  path: '/v1/responses',
  actions: (call, actions, checks = []) =>
    responsesAnswer(call, [
      { type: 'reasoning', id: `rs_${call}`, summary: [], encrypted_content: `thought ${call}` },
      {
        type: 'computer_call',
        id: `cu_${call}`,
        call_id: `call_${call}`,
        status: 'completed',
        actions,
        pending_safety_checks: checks,
      },
    ]),
  clickAt: ({ x, y }, { width, height }) => ({ type: 'click', button: 'left', x: x * width, y: y * height }),
  tool: (call, name, input) =>
    responsesAnswer(call, [
      { type: 'function_call', id: `fc_${call}`, call_id: `call_${call}`, name, arguments: JSON.stringify(input) },
    ]),
  words: (text) =>
    responsesAnswer(0, [
      {
        type: 'message',
        id: 'msg_0',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ]),
  faults({ body }) {
    const input = (body['input'] ?? []) as readonly Json[];
    const calls = input.filter(({ type }) => type === 'computer_call');
    const outputs = input.filter(({ type }) => type === 'computer_call_output');
    return [
      ...(hasTool(body, { type: 'computer' }) ? [] : ['there is no computer tool']),
      ...(body['store'] === false ? [] : ['the answer would be stored']),
      ...calls.flatMap((call) =>
        unanswered(
          call['call_id'],
          outputs.map((output) => output['call_id']),
        ),
      ),
      ...calls.flatMap(({ actions }) => (Array.isArray(actions) ? [] : ['a call came back without its actions'])),
      ...outputs.flatMap(({ output }) => ((output as Json)['type'] === 'computer_screenshot' ? [] : ['no screenshot'])),
      ...(input.some(({ type }) => type === 'reasoning') === calls.length > 0 ? [] : ['the thoughts were lost']),
    ];
  },
  pieces: ({ body }) => piecesOf(body['input']),
  pictures: ({ body }) => dataUrlsIn(body),
};

const RESPONSES_USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 150,
};

function responsesAnswer(call: number, output: readonly object[]): ServerAnswer {
  return {
    body: {
      id: `resp_${call}`,
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: 'gpt-6-astra',
      output,
      usage: RESPONSES_USAGE,
      incomplete_details: null,
      error: null,
    },
  };
}

export const ANTHROPIC_COMPUTER: ComputerFormat = {
  modelName: 'anthropic/claude-opus-5-5',
  basePath: '/v1',
  path: '/v1/messages',
  actions: (call, actions) =>
    messagesAnswer(
      actions.map((action, index) => {
        const { action: name, ...input } = action as Json;
        return { type: 'tool_use', id: `toolu_${call}_${index}`, name, toolset_name: 'computer', input };
      }),
    ),
  clickAt: ({ x, y }, { width, height }) => ({
    action: 'left_click',
    coordinate: [Math.round(x * width), Math.round(y * height)],
  }),
  tool: (call, name, input) => messagesAnswer([{ type: 'tool_use', id: `toolu_${call}`, name, input }]),
  words: (text) => messagesAnswer([{ type: 'text', text }], 'end_turn'),
  faults({ body, headers }) {
    const messages = body['messages'] as readonly { role: string; content: readonly Json[] }[];
    const all = messages.map(({ content }) => content);
    return [
      ...(hasTool(body, { type: 'computer_toolset_20260801' }) ? [] : ['there is no computer toolset']),
      ...(String(headers['anthropic-beta'] ?? '').includes('computer-use') ? ['the toolset is no beta'] : []),
      ...all.flatMap((content, index) =>
        content
          .filter(({ type }) => type === 'tool_use')
          .flatMap((use) =>
            faultsOfResult(
              use,
              (all[index + 1] ?? []).filter(({ type }) => type === 'tool_result'),
            ),
          ),
      ),
    ];
  },
  pieces: ({ body }) => piecesOf((body['messages'] as readonly Json[]).flatMap(({ content }) => content)),
  pictures: ({ body }) => base64In(body),
};

/** The same with the tool that models knew before the toolset: one call at a time, on a display of the size of its pictures. */
export const ANTHROPIC_DISPLAY: ComputerFormat = {
  ...ANTHROPIC_COMPUTER,
  modelName: 'anthropic/claude-sonnet-4-6',
  actions: (call, [action]) =>
    messagesAnswer([{ type: 'tool_use', id: `toolu_${call}`, name: 'computer', input: action }]),
  faults({ body, headers }) {
    const [tool] = body['tools'] as readonly Json[];
    const [picture] = base64In(body);
    const { width, height } = sizeOf(picture ?? Buffer.alloc(24));
    const display = { display_width_px: width, display_height_px: height, enable_zoom: true };
    const wanted = { name: 'computer', type: 'computer_20251124', ...display };
    return [
      ...(Object.entries(wanted).every(([name, value]) => tool?.[name] === value) ? [] : ['another display']),
      ...(String(headers['anthropic-beta']).includes('computer-use-2025-11-24') ? [] : ['the tool needs its beta']),
      ...(Math.max(width, height) <= 1568 ? [] : ['the picture is too large']),
    ];
  },
};

function faultsOfResult(use: Json, results: readonly Json[]): string[] {
  const result = results.find(({ tool_use_id }) => tool_use_id === use['id']);
  if (!result) return [`${String(use['id'])} has no result in the next message`];
  const faults = result['toolset_name'] === use['toolset_name'] ? [] : ['a result names another toolset'];
  const hasPicture = JSON.stringify(result['content']).includes('"image"');
  const isReadOnly = use['name'] === 'screenshot' || use['name'] === 'zoom';
  return isReadOnly && !hasPicture && !result['is_error']
    ? [...faults, `${String(use['name'])} has no picture`]
    : faults;
}

function messagesAnswer(content: readonly object[], stop_reason = 'tool_use'): ServerAnswer {
  return {
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content,
      stop_reason,
      stop_sequence: null,
      usage: ANTHROPIC_USAGE,
    },
  };
}

export const GOOGLE_COMPUTER: ComputerFormat = {
  modelName: 'google/gemini-3.8-flash',
  basePath: '/v1beta',
  path: '/v1beta/interactions',
  actions: (call, actions) =>
    interactionsAnswer(
      call,
      actions.map((action, index) => {
        const { action: name, ...input } = action as Json;
        return {
          type: 'function_call',
          id: `fc_${call}_${index}`,
          name,
          arguments: input,
          signature: `sign_${call}_${index}`,
        };
      }),
    ),
  clickAt: ({ x, y }) => ({ action: 'click', x: Math.round(x * 1000), y: Math.round(y * 1000), intent: 'it' }),
  tool: (call, name, input) =>
    interactionsAnswer(call, [{ type: 'function_call', id: `fc_${call}`, name, arguments: input }]),
  words: (text) => interactionsAnswer(0, [{ type: 'model_output', content: [{ type: 'text', text }] }], 'completed'),
  faults({ body }) {
    const steps = (body['input'] ?? []) as readonly Json[];
    const calls = steps.filter(({ type }) => type === 'function_call');
    const results = steps
      .flatMap((step) => [step, ...((step['content'] ?? []) as Json[])])
      .filter(({ type }) => type === 'function_result');
    return [
      ...(hasTool(withoutExclusions(body), { type: 'computer_use', environment: 'browser' })
        ? []
        : ['there is no computer tool']),
      ...(body['store'] === false ? [] : ['the answer would be stored']),
      ...calls.flatMap((call) =>
        unanswered(
          call['id'],
          results.map((result) => result['call_id']),
        ),
      ),
      ...calls.flatMap((call) =>
        results.some((result) => result['call_id'] === call['id'] && result['name'] === call['name'])
          ? []
          : [`the result of ${String(call['name'])} has another name`],
      ),
      ...calls.flatMap(({ name, signature }) => (name === 'done' || signature ? [] : ['a signature was lost'])),
    ];
  },
  pieces: ({ body }) => piecesOf(body['input']),
  pictures: ({ body }) => base64In(body),
};

function interactionsAnswer(call: number, steps: readonly object[], status = 'requires_action'): ServerAnswer {
  return {
    body: {
      id: `int_${call}`,
      object: 'interaction',
      created: '2026-11-01T00:00:00Z',
      updated: '2026-11-01T00:00:00Z',
      model: 'gemini-3.8-flash',
      role: 'model',
      status,
      steps,
      usage: {
        total_input_tokens: 120,
        total_cached_tokens: 40,
        total_output_tokens: 18,
        total_thought_tokens: 12,
        total_tokens: 150,
      },
    },
  };
}

/** Every provider that has computers by the name that tests give it. */
export const COMPUTER_FORMATS: readonly (readonly [string, ComputerFormat])[] = [
  ['OpenAI', OPENAI_COMPUTER],
  ['Anthropic', ANTHROPIC_COMPUTER],
  ['Google', GOOGLE_COMPUTER],
];

function withoutExclusions({ tools = [] }: Json): Json {
  return { tools: (tools as readonly Json[]).map(({ excludedPredefinedFunctions: _excluded, ...tool }) => tool) };
}

function hasTool({ tools = [] }: Json, wanted: object): boolean {
  return (tools as readonly object[]).some((tool) => JSON.stringify(tool) === JSON.stringify(wanted));
}

function unanswered(id: unknown, answers: readonly unknown[]): string[] {
  return answers.includes(id) ? [] : [`${String(id)} has no answer`];
}

function piecesOf(items: unknown): string[] {
  const unmarked = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);
  return (items as readonly unknown[]).map((item) => JSON.stringify(item, unmarked));
}

function dataUrlsIn(body: unknown): Buffer[] {
  return [...JSON.stringify(body).matchAll(/data:image\/png;base64,([\w+/=]+)/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64'),
  );
}

/** The pictures of a body in which they are fields named `data`. */
function base64In(body: unknown): Buffer[] {
  return [...JSON.stringify(body).matchAll(/"data":"(iVBORw0KGgo[\w+/=]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64'),
  );
}
