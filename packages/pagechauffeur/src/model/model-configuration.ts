import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { isRecord } from '../util/is-record.ts';
import type { ModelClient } from './model-client.ts';

/** A model object from the AI SDK, such as `openai('gpt-6-luna')`. */
export type LanguageModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** A custom model client: any object with `generate(request)`. */
export type LLMClient = Pick<ModelClient, 'generate'> & Partial<Omit<ModelClient, 'generate'>>;

/** Settings for model calls, as in the AI SDK. */
export interface ModelCallSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  /** How much the model thinks before it responds. Providers map it to their own levels. */
  readonly reasoning?: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Number of retries after a rate limit, a server error or a lost connection. Default: 2, and 5 in agent runs. */
  readonly maxRetries?: number;
  /** Provider-specific options, by provider name: `{ openai: { serviceTier: 'flex' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue } | JsonValue[];

/**
 * A model by name, with its options. Unlisted options, such as `headers` or `fetch`, are passed to the provider's
 * factory.
 */
export interface ModelOptions extends ModelCallSettings {
  /** `provider/model`. */
  readonly modelName: string;
  /** Default: the API key in the environment. */
  readonly apiKey?: string | undefined;
  /**
   * Base URL of a proxy, or of a server with the provider's protocol. Default: the URL in the environment, such as
   * `OPENAI_BASE_URL`, else the provider's own.
   */
  readonly baseURL?: string | undefined;
  /** OpenAI protocol of the endpoint. Default: `chat` with a `baseURL`, otherwise `responses`. */
  readonly api?: 'chat' | 'responses';
  /** Set false if the model does not accept images. Default: true until the provider rejects an image. */
  readonly takesImages?: boolean;
  readonly [providerOption: string]: unknown;
}

/** The model to use: `provider/model`, options with a `modelName`, an AI SDK model object, or a custom client. */
export type ModelConfiguration = string | ModelOptions | LanguageModelObject | LLMClient;

/** Checks only the type. The model may not exist. */
export function isModelConfiguration(value: unknown): value is ModelConfiguration {
  return (
    typeof value === 'string' || isModelObject(value) || (isRecord(value) && typeof value['modelName'] === 'string')
  );
}

export function isModelObject(value: unknown): value is LanguageModelObject | LLMClient {
  return typeof value === 'object' && value !== null && (isMethod(value, 'generate') || isMethod(value, 'doGenerate'));
}

function isMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function';
}
