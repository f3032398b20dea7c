import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { isRecord } from '../util/is-record.ts';
import type { ModelClient } from './model-client.ts';

/** A model object of the AI SDK, such as `openai('gpt-6-luna')`. */
export type LanguageModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** A custom model client: an object with `generate(request)`. */
export type LLMClient = Pick<ModelClient, 'generate'> & Partial<Omit<ModelClient, 'generate'>>;

/** Settings of model calls, in the terms of the AI SDK. */
export interface ModelCallSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  /** Reasoning effort. */
  readonly reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Retries after a rate limit, a server error or a lost connection. Default: 2, and 5 in agent runs. */
  readonly maxRetries?: number;
  /** Options for the provider, by provider name: `{ openai: { serviceTier: 'flex' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

/** A JSON value. */
export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue } | JsonValue[];

/** A model with its options. Other options, such as `headers` or `fetch`, are passed to the provider's factory. */
export interface ModelOptions extends ModelCallSettings {
  /** `provider/model`. */
  readonly modelName: string;
  /** Overrides the API key in the environment. */
  readonly apiKey?: string | undefined;
  /** URL of another endpoint, such as a proxy or a server with the provider's protocol. */
  readonly baseURL?: string | undefined;
  /** The protocol of the endpoint, for `openai`. Default: `chat` with a `baseURL`, otherwise `responses`. */
  readonly api?: 'chat' | 'responses';
  /** Set false for a model that does not accept images. Default: true until the provider rejects an image. */
  readonly takesImages?: boolean;
  readonly [providerOption: string]: unknown;
}

/** The model to use: `provider/model`, `provider/model` with options, an AI SDK model object, or a custom client. */
export type ModelConfiguration = string | ModelOptions | LanguageModelObject | LLMClient;

/** True if a value has the type of a model configuration. Does not check that the model exists. */
export function isModelConfiguration(value: unknown): value is ModelConfiguration {
  return (
    typeof value === 'string' || isModelObject(value) || (isRecord(value) && typeof value['modelName'] === 'string')
  );
}

/** True if a value is an AI SDK model object or a client. */
export function isModelObject(value: unknown): value is LanguageModelObject | LLMClient {
  return typeof value === 'object' && value !== null && (isMethod(value, 'generate') || isMethod(value, 'doGenerate'));
}

function isMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function';
}
