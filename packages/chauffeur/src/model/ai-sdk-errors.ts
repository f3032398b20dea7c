import type * as AiSdkModule from 'ai';
import { DriverError, LLMResponseError, MissingLLMConfigurationError, UnsupportedModelError } from '../errors.ts';

type AiSdk = typeof AiSdkModule;
type APICallError = AiSdkModule.APICallError;

/** What an error about a model says of it, and what it must not say. */
export interface ModelFacts {
  /** `provider/model`. */
  readonly modelName: string;
  /** Where a key could have come from, for the message when it is refused. */
  readonly keyVariables?: readonly string[];
  /** Strings that no error text may repeat. */
  readonly secrets?: readonly string[];
}

/** The library's error for what a provider's package threw: which model, what went wrong, what to do. */
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
  return new LLMResponseError(`${modelName}: the answer could not be read: ${said}`, options);
}

/** What a failed call means, by the status and the words that providers use. */
function callError(failure: APICallError, facts: ModelFacts, attempts: number): DriverError {
  const { modelName } = facts;
  const kind = kindOf(failure);
  const status = failure.statusCode === undefined ? '' : ` (HTTP ${failure.statusCode})`;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const message = `${modelName}: ${SENTENCES[kind]}${status}${tries}: ${sentence(failure.message)}${advice(kind, facts)}`;
  if (kind === 'key') return new MissingLLMConfigurationError(message, { cause: failure });
  if (kind === 'model') return new UnsupportedModelError(message, { cause: failure, model: modelName });
  return new LLMResponseError(message, { cause: failure });
}

type FailureKind = 'key' | 'model' | 'limit' | 'length' | 'server' | 'connection' | 'protocol' | 'request';

const SENTENCES: Readonly<Record<FailureKind, string>> = {
  key: 'the provider refused the API key',
  model: 'the provider does not have this model',
  limit: 'the rate limit or the quota is used up',
  length: 'the prompt is too long for this model',
  server: 'the provider failed',
  connection: 'the provider cannot be reached',
  protocol: "the answer does not follow the provider's protocol",
  request: 'the provider rejected the request',
};

function kindOf({ statusCode, responseBody = '' }: APICallError): FailureKind {
  if (statusCode === undefined) return 'connection';
  if (statusCode < 400) return 'protocol';
  if (statusCode === 401 || statusCode === 403 || /API_KEY_INVALID|invalid_api_key/.test(responseBody)) return 'key';
  if (statusCode === 404 || /model_not_found/.test(responseBody)) return 'model';
  if (statusCode === 402 || statusCode === 429) return 'limit';
  if (statusCode === 413 || /context_length_exceeded|prompt is too long|maximum context/.test(responseBody))
    return 'length';
  return statusCode === 408 || statusCode >= 500 ? 'server' : 'request';
}

function advice(kind: FailureKind, { keyVariables = [] }: ModelFacts): string {
  const places = [...keyVariables, "the model's apiKey"].join(' or ');
  if (kind === 'key') return ` Check ${places}.`;
  if (kind === 'model') return " Check the model's name, and its baseURL if it has one.";
  if (kind === 'length') return ' Narrow the page with the selector or ignoreSelectors option, or use a larger model.';
  return '';
}

/** The same error without the prompt, which may hold a page's private text, and without secrets. */
function withoutPrompt(failure: APICallError, facts: ModelFacts, ai: AiSdk): APICallError {
  const { message, url, statusCode, responseHeaders, responseBody, isRetryable } = failure;
  return new ai.APICallError({
    message: withoutSecrets(message, facts),
    url: withoutSecrets(url, facts),
    requestBodyValues: undefined,
    isRetryable,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders }),
    ...(responseBody === undefined ? {} : { responseBody: withoutSecrets(responseBody, facts) }),
  });
}

function withoutSecrets(text: string, { secrets = [] }: ModelFacts): string {
  return secrets.filter((secret) => secret !== '').reduce((clean, secret) => clean.replaceAll(secret, '…'), text);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
