import type * as AiSdkModule from 'ai';
import { DriverError, LLMResponseError, MissingLLMConfigurationError, UnsupportedModelError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { truncate } from '../util/truncate.ts';
import { requestedDelay, bodyText, isQuotaSpent } from './retry-delay.ts';

type AiSdk = typeof AiSdkModule;
type APICallError = AiSdkModule.APICallError;

export interface ModelFacts {
  /** `provider/model`. */
  readonly modelName: string;
  /** Environment variables that may contain the API key, for the message about a rejected key. */
  readonly keyVariables?: readonly string[];
  /** Strings to remove from error messages. */
  readonly secrets?: readonly string[];
}

/** Converts an error from the AI SDK or a provider package to a `DriverError` that names the model and the cause. */
export function providerError(error: unknown, facts: ModelFacts, ai: AiSdk): DriverError {
  if (error instanceof DriverError) return error;
  const failure = ai.RetryError.isInstance(error) ? error.lastError : error;
  const attempts = ai.RetryError.isInstance(error) ? error.errors.length : 1;
  if (ai.APICallError.isInstance(failure)) return callError(withoutPrompt(failure, facts, ai), facts, attempts);

  const options = { cause: failure };
  const { modelName } = facts;
  const said = sentence(withoutSecrets(failure instanceof Error ? failure.message : String(failure), facts));
  if (ai.LoadAPIKeyError.isInstance(failure)) return new MissingLLMConfigurationError(`${modelName}: ${said}`, options);
  if (ai.UnsupportedFunctionalityError.isInstance(failure) || ai.NoSuchModelError.isInstance(failure)) {
    return new UnsupportedModelError(`${modelName}: ${said}`, { ...options, model: modelName });
  }
  return new LLMResponseError(`${modelName}: the request failed: ${said}`, options);
}

/** Converts a retryable error from a stream to an `APICallError`, so that the request is retried. */
export function streamFailure(error: unknown, ai: AiSdk): unknown {
  if (!ai.StreamProviderError.isInstance(error) || !error.isRetryable) return error;
  const { message, statusCode = UNAVAILABLE, isRetryable, data } = error;
  const responseBody = bodyText(data);
  return new ai.APICallError({ message, url: '', requestBodyValues: undefined, statusCode, isRetryable, responseBody });
}

/** HTTP status for stream errors that have none. */
const UNAVAILABLE = 503;

function callError(failure: APICallError, facts: ModelFacts, attempts: number): DriverError {
  const { modelName } = facts;
  const kind = kindOf(failure);
  const status = failure.statusCode === undefined || kind === 'connection' ? '' : ` (HTTP ${failure.statusCode})`;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const said = sentence(failure.message || 'no reason given');
  const message = `${modelName}: ${SENTENCES[kind]}${status}${tries}: ${said}${advice(kind, failure, facts)}`;
  if (kind === 'key') return new MissingLLMConfigurationError(message, { cause: failure });
  if (kind === 'model') return new UnsupportedModelError(message, { cause: failure, model: modelName });
  return new LLMResponseError(message, { cause: failure });
}

type FailureKind =
  | 'key'
  | 'model'
  | 'quota'
  | 'limit'
  | 'length'
  | 'refused'
  | 'overload'
  | 'server'
  | 'connection'
  | 'protocol'
  | 'request';

const SENTENCES: Readonly<Record<FailureKind, string>> = {
  key: 'the provider refused the API key',
  model: 'the provider does not have this model',
  quota: 'the quota is used up',
  limit: 'the rate limit or the quota is used up',
  length: 'the prompt is too long for this model',
  refused: 'the model or its provider refused to answer',
  overload: 'the provider is overloaded',
  server: 'the provider failed',
  connection: 'the provider cannot be reached',
  protocol: "the response does not follow the provider's protocol",
  request: 'the provider rejected the request',
};

/** Error codes in the response body, which are more specific than the HTTP status. The first match counts. */
const KIND_BY_CODE: readonly (readonly [FailureKind, RegExp])[] = [
  ['key', /API_KEY_INVALID|invalid_api_key/],
  ['model', /model_not_found/],
  ['length', /context_length_exceeded|prompt is too long|maximum context|exceeds the maximum number of tokens/],
  ['refused', /"(?:content_filter|content_policy_violation|ResponsibleAIPolicyViolation)"/],
];

const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  404: 'model',
  408: 'server',
  413: 'length',
  429: 'limit',
  503: 'overload',
  529: 'overload',
};

function kindOf(failure: APICallError): FailureKind {
  const { statusCode, isRetryable } = failure;
  if (statusCode === undefined) return 'connection';
  // A retryable failure after a success status means that the connection broke during the response.
  if (statusCode < 400) return isRetryable ? 'connection' : 'protocol';
  if (isQuotaSpent(failure)) return 'quota';
  const body = bodyText(failure.responseBody);
  const byWords = statusCode < 500 ? KIND_BY_CODE.find(([, errorText]) => errorText.test(body))?.[0] : undefined;
  return byWords ?? KIND_BY_STATUS[statusCode] ?? (statusCode >= 500 ? 'server' : 'request');
}

/** The part of a request that a provider seems to reject. */
export interface Rejection {
  /** True if the message mentions images. */
  readonly isOfImages: boolean;
  /** True if the cause is structured output or unknown. */
  readonly isOfQuestion: boolean;
}

/** Returns what the provider seems to reject, or `undefined` if the request is not the cause of the error. */
export function rejectionOf(error: unknown, ai: AiSdk): Rejection | undefined {
  if (!ai.APICallError.isInstance(error)) return undefined;
  const kind = kindOf(error);
  const errorText = `${error.message} ${bodyText(error.responseBody)}`;
  const isOfImages = MAY_REJECT_IMAGES.has(kind) && IMAGE_ERROR.test(errorText);
  const isOfQuestion = kind === 'request' || (kind === 'server' && SCHEMA_ERROR.test(errorText));
  return isOfImages || isOfQuestion ? { isOfImages, isOfQuestion } : undefined;
}

/** Words in errors from servers without structured output. Some of these servers report a 5xx status. */
const SCHEMA_ERROR = /response_?format|json_?schema|structured.?output|\bgrammar\b|guided.?(?:decoding|json)/i;

/** Failures with which servers reject images: most use status 400 or 422, OpenRouter 404, llama.cpp 500. */
const MAY_REJECT_IMAGES: ReadonlySet<FailureKind> = new Set(['request', 'model', 'server']);
const IMAGE_ERROR = /image|picture|vision|multi-?modal|mmproj/i;

/** True if the message is about one image, such as its size, and not about the model's capabilities. */
export function isFaultyImage(said: string): boolean {
  return FAULTY_IMAGE.test(said);
}

const FAULTY_IMAGE =
  /exceed|too (?:large|big|many|long)|dimension|resolution|pixels|maximum|\bsize|\b[KM]i?B\b|corrupt|decode|could not process/i;

/** Returns the provider's message for logs: shortened, and without secrets. */
export function providerMessage(error: unknown, facts: ModelFacts): string {
  return sentence(truncate(withoutSecrets(reasonOf(error), facts), MAX_MESSAGE_LENGTH));
}

const MAX_MESSAGE_LENGTH = 200;

function advice(kind: FailureKind, failure: APICallError, { keyVariables = [] }: ModelFacts): string {
  switch (kind) {
    case 'key':
      return ` Check ${[...keyVariables, "the model's apiKey"].join(' or ')}.`;
    case 'model':
      return " Check the model's name, and its baseURL if it has one.";
    case 'length':
      return ' Narrow the page with the selector or ignoreSelectors option, or use a larger model.';
    case 'quota':
      return ' Check the plan and billing of your account at the provider.';
    case 'limit':
    case 'overload':
    case 'server':
      return `${requestedWait(failure)} Try again later, or raise maxRetries of the model.`;
    case 'connection':
      return ` Check the network and the model's baseURL. The request was sent to ${originOf(failure.url)}.`;
    case 'protocol':
      return ` Check the model's baseURL and api.${streamHint(failure)}`;
    default:
      return '';
  }
}

function streamHint({ responseBody }: APICallError): string {
  const isStream = /^\s*(?:data|event):/.test(bodyText(responseBody));
  return isStream ? ' The server sent a stream, but the request did not enable streaming.' : '';
}

function requestedWait(failure: APICallError): string {
  const delay = requestedDelay(failure);
  return delay === undefined ? '' : ` The provider allows the next request in ${Math.ceil(delay / 1000)} s.`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Removes secrets and the prompt, which may contain private page text. */
function withoutPrompt(failure: APICallError, facts: ModelFacts, ai: AiSdk): APICallError {
  const { message, url, statusCode, responseHeaders, responseBody, isRetryable } = failure;
  return new ai.APICallError({
    message: withoutSecrets(message, facts),
    url: withoutSecrets(url, facts),
    requestBodyValues: undefined,
    isRetryable,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders }),
    ...(responseBody === undefined ? {} : { responseBody: withoutSecrets(bodyText(responseBody), facts) }),
  });
}

/** Formats of common API keys, to remove keys that are not in `secrets`. */
const KEY_FORMS = /\b(?:sk-[\w-]{12,}|AIza[\w-]{20,})/g;

function withoutSecrets(text: string, { secrets = [] }: ModelFacts): string {
  const clean = secrets.filter((secret) => secret !== '').reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return clean.replace(KEY_FORMS, '…');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
