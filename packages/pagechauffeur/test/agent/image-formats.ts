import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelConfiguration } from '../../src/index.ts';
import { modelFor } from '../model/provider-client-for-test.ts';
import { ANTHROPIC, GOOGLE, OPENAI_CHAT, OPENAI_RESPONSES, type ProviderFormat } from '../model/provider-formats.ts';
import {
  type ProviderServer,
  type ReceivedCall,
  type ServerAnswer,
  startProviderServer,
} from '../model/provider-server.ts';
import { type AgentFormat, ANTHROPIC_AGENT, CHAT_AGENT, GOOGLE_AGENT, OPENAI_AGENT } from './wire-formats.ts';

type Json = Readonly<Record<string, unknown>>;

/** A picture as a provider is sent it. */
export interface SentImage {
  readonly mediaType: string;
  readonly data: Buffer;
}

/** How one protocol carries pictures. */
export interface ImageFormat {
  readonly provider: ProviderFormat;
  readonly agent: AgentFormat;
  /** The model of a local server that speaks the protocol. */
  model(server: Pick<ProviderServer, 'url'>, options?: object): ModelConfiguration;
  /** The media type and the base64 of an object that is a picture in the protocol's own form. */
  imageIn(part: Json): readonly [unknown, unknown] | undefined;
  /** Messages with the calls that each asks for and the ones that each has results for, by what they are told apart by. */
  turns(body: Json): readonly Turn[];
}

interface Turn {
  readonly calls: readonly unknown[];
  readonly results: readonly unknown[];
}

const CHAT: Pick<ImageFormat, 'imageIn' | 'turns'> = {
  imageIn: ({ type, image_url: image }) => (type === 'image_url' ? dataUrl((image as Json)['url']) : undefined),
  turns: ({ messages }) =>
    (messages as readonly Json[]).map(({ tool_calls: calls, tool_call_id: result }) => ({
      calls: idsOf(calls ?? [], 'id'),
      results: result === undefined ? [] : [result],
    })),
};

const OPENAI: ImageFormat = {
  provider: OPENAI_RESPONSES,
  agent: OPENAI_AGENT,
  model: (server, options = {}) => modelFor(OPENAI_RESPONSES, server, { ...options }),
  imageIn: ({ type, image_url: url }) => (type === 'input_image' ? dataUrl(url) : undefined),
  turns: ({ input }) =>
    (input as readonly Json[]).map(({ type, call_id: id }) => ({
      calls: type === 'function_call' ? [id] : [],
      results: type === 'function_call_output' ? [id] : [],
    })),
};

const OPENAI_BY_CHAT: ImageFormat = {
  ...CHAT,
  provider: OPENAI_CHAT,
  agent: CHAT_AGENT,
  model: (server, options = {}) => modelFor(OPENAI_CHAT, server, { ...options }),
};

const COMPATIBLE: ImageFormat = {
  ...CHAT,
  provider: OPENAI_CHAT,
  agent: CHAT_AGENT,
  model: ({ url }) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey: 'secret-key' })('some-model'),
};

const CLAUDE: ImageFormat = {
  provider: ANTHROPIC,
  agent: ANTHROPIC_AGENT,
  model: (server, options = {}) => modelFor(ANTHROPIC, server, { ...options }),
  imageIn: ({ type, source }) =>
    type === 'image' && (source as Json)['type'] === 'base64'
      ? [(source as Json)['media_type'], (source as Json)['data']]
      : undefined,
  turns: ({ messages }) =>
    (messages as readonly { content: readonly Json[] }[]).map(({ content }) => ({
      calls: idsOf(
        content.filter(({ type }) => type === 'tool_use'),
        'id',
      ),
      results: idsOf(
        content.filter(({ type }) => type === 'tool_result'),
        'tool_use_id',
      ),
    })),
};

const GEMINI: ImageFormat = {
  provider: GOOGLE,
  agent: GOOGLE_AGENT,
  model: (server, options = {}) => modelFor(GOOGLE, server, { ...options }),
  imageIn: ({ inlineData }) =>
    inlineData === undefined ? undefined : [(inlineData as Json)['mimeType'], (inlineData as Json)['data']],
  turns: ({ contents }) =>
    (contents as readonly { parts: readonly Json[] }[]).map(({ parts }) => ({
      calls: parts.flatMap(({ functionCall }) => (functionCall ? [(functionCall as Json)['id']] : [])),
      results: parts.flatMap(({ functionResponse }) => (functionResponse ? [(functionResponse as Json)['id']] : [])),
    })),
};

/** Every protocol by the name that tests give it. */
export const IMAGE_FORMATS: readonly (readonly [string, ImageFormat])[] = [
  ['OpenAI by Responses', OPENAI],
  ['OpenAI by chat completions', OPENAI_BY_CHAT],
  ['an OpenAI-compatible server', COMPATIBLE],
  ['Anthropic', CLAUDE],
  ['Google', GEMINI],
];

export { OPENAI_BY_CHAT };

/** The pictures of a request, in its order. */
export function imagesIn({ imageIn }: Pick<ImageFormat, 'imageIn'>, { body }: Pick<ReceivedCall, 'body'>): SentImage[] {
  const images: SentImage[] = [];
  JSON.stringify(body, (_key, value: unknown) => {
    const image = typeof value === 'object' && value !== null ? imageIn(value as Json) : undefined;
    if (image) images.push({ mediaType: String(image[0]), data: Buffer.from(String(image[1]), 'base64') });
    return value;
  });
  return images;
}

/** A server that refuses what no provider of the protocol takes. */
export function strictServer(format: ImageFormat, ...answers: readonly ServerAnswer[]): Promise<ProviderServer> {
  const strict = (answer: ServerAnswer) => (call: ReceivedCall) => {
    const faults = faultsOf(format, call);
    return faults.length === 0 ? answer : { status: 400, body: format.provider.error(faults.join('; ')) };
  };
  return startProviderServer(...answers.map(strict));
}

function faultsOf({ turns }: ImageFormat, { body, bytes }: ReceivedCall): string[] {
  const all = body['tools'] ? turns(body) : [];
  return [
    ...(/Buffer/.test(bytes) ? ['it says Buffer'] : []),
    ...(/(?:\d{1,3},){30}/.test(bytes) ? ['it lists bytes as numbers'] : []),
    ...all.flatMap(({ calls }, place) => (calls.length > 0 ? unanswered(calls, all.slice(place)) : [])),
  ];
}

/** Results follow right after the calls, with nothing in between. */
function unanswered(calls: readonly unknown[], turns: readonly Turn[]): string[] {
  const firstResult = turns.findIndex(({ results }) => results.length > 0);
  const between = turns.slice(1, firstResult).filter((turn) => turn.calls.length === 0);
  const answered: unknown[] = [];
  for (const { results } of turns.slice(firstResult)) {
    if (results.length === 0) break;
    answered.push(...results);
  }
  return [
    ...(between.length > 0 ? ['something stands between calls and their results'] : []),
    ...calls.filter((id) => !answered.includes(id)).map((id) => `${String(id)} has no result`),
  ];
}

function idsOf(items: unknown, name: string): readonly unknown[] {
  return (items as readonly Json[]).map((item) => item[name]);
}

function dataUrl(url: unknown): readonly [unknown, unknown] | undefined {
  const [, mediaType, data] = /^data:([\w/]+);base64,(.+)$/.exec(String(url)) ?? [];
  return [mediaType, data];
}
