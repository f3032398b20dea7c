import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { isRecord } from '../util/is-record.ts';
import type { ModelClient } from './model-client.ts';

/** A model object of the AI SDK, such as `openai('gpt-6-luna')`. */
export type LanguageModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** A model client of one's own: an object with `generate(request)`. */
export type LLMClient = Pick<ModelClient, 'generate'> & Partial<Omit<ModelClient, 'generate'>>;

/** Settings of the calls to a model, by the names of the AI SDK. */
export interface ModelCallSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  /** How much a reasoning model thinks first. */
  readonly reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** How often a call is tried again after a rate limit, a server error or a lost connection. Default: 2, in runs of an agent 5. */
  readonly maxRetries?: number;
  /** Options for the provider, under the provider's name: `{ openai: { serviceTier: 'flex' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue } | JsonValue[];

/** A model with its options. Options not named here go to the provider's factory, such as `headers` or `fetch`. */
export interface ModelOptions extends ModelCallSettings {
  /** `provider/model`. */
  readonly modelName: string;
  /** Instead of the key in the environment. */
  readonly apiKey?: string | undefined;
  /** Another endpoint: a proxy, or a server that speaks the provider's protocol. */
  readonly baseURL?: string | undefined;
  /** For `openai`: which of its protocols the endpoint speaks; `chat` when there is a `baseURL`, else `responses`. */
  readonly api?: 'chat' | 'responses';
  /** False for a model that sees no pictures: it gets none. Default true; the first refusal of a picture says the same. */
  readonly takesImages?: boolean;
  readonly [providerOption: string]: unknown;
}

/** Which model to ask: `provider/model`, the same with options, an AI SDK model object, or a client of one's own. */
export type ModelConfiguration = string | ModelOptions | LanguageModelObject | LLMClient;

/** Whether a value has a form in which a model can be named; whether there is such a model is another matter. */
export function isModelConfiguration(value: unknown): value is ModelConfiguration {
  return (
    typeof value === 'string' || isModelObject(value) || (isRecord(value) && typeof value['modelName'] === 'string')
  );
}

/** Whether a value is a model or client itself. */
export function isModelObject(value: unknown): value is LanguageModelObject | LLMClient {
  return typeof value === 'object' && value !== null && (isMethod(value, 'generate') || isMethod(value, 'doGenerate'));
}

function isMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function';
}
