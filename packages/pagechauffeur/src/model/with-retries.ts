import { setTimeout as sleep } from 'node:timers/promises';
import type * as AiSdkModule from 'ai';
import { reasonOf } from '../util/error-facts.ts';
import type { ModelRequest, ModelUsage, ModelVerb } from './model-client.ts';
import { bodyText, retryDelay } from './retry-delay.ts';
import { isRecord } from './json-schema.ts';

type AiSdk = typeof AiSdkModule;

interface RetrySettings {
  readonly maxRetries: number;
  readonly request: ModelRequest;
  readonly ai: AiSdk;
}

/** Retries in `act`, `observe` and `extract`. */
const RETRIES = 2;
/** Retries in agent runs, where a failure loses more work. For HTTP errors, the delays add up to about 35 s. */
const AGENT_RETRIES = 5;
/** Maximum delay in ms. If the provider requests a longer one, the call fails even if it has time left. */
const MAX_WAIT_MS = 120_000;

export function defaultRetries(verb: ModelVerb): number {
  return verb === 'agent' ? AGENT_RETRIES : RETRIES;
}

/**
 * Retries a request after a rate limit, a server error or a lost connection, as soon as the provider allows and while
 * the call has time. Several failures become one `RetryError` from the AI SDK.
 */
export async function withRetries<T>(ask: () => Promise<T>, settings: RetrySettings): Promise<T> {
  const failures: unknown[] = [];
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      failures.push(error);
      await waitForNext(failures, settings);
    }
  }
}

async function waitForNext(failures: readonly unknown[], { maxRetries, request, ai }: RetrySettings): Promise<void> {
  const { signal, onCost, onWait } = request;
  signal.throwIfAborted();
  const failure = failures.at(-1);
  const cost = usageOfFailure(failure, ai);
  if (cost) onCost?.(cost);
  const delay = failures.length <= maxRetries ? retryDelay(failure, { attempt: failures.length, ai }) : undefined;
  if (delay === undefined || delay > timeLeft(request)) throw allOf(failures, ai);
  onWait?.(`${statusOf(failure, ai)}: ${reasonOf(failure)}; retrying in ${Math.ceil(delay / 1000)} s`);
  await sleep(delay * (1 + Math.random() * JITTER), undefined, { signal });
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the tokens that a failed call used, if the provider reports them with the error. */
function usageOfFailure(failure: unknown, ai: AiSdk): ModelUsage | undefined {
  const body = bodyOf(failure, ai);
  const whole = isRecord(body) && isRecord(body['response']) ? body['response'] : body;
  if (!isRecord(whole)) return undefined;
  const usage = whole['usage'] ?? whole['usageMetadata'];
  return isRecord(usage) ? readUsage(usage) : undefined;
}

function bodyOf(failure: unknown, ai: AiSdk): unknown {
  if (ai.InvalidResponseDataError.isInstance(failure)) return failure.data;
  if (!ai.APICallError.isInstance(failure)) return undefined;
  try {
    return JSON.parse(bodyText(failure.responseBody) || 'null');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Reads usage in the formats of OpenAI (two protocols), Anthropic, which counts cached tokens separately, and Google.
 */
function readUsage(usage: Fields): ModelUsage {
  const input = innerFields(usage, 'input_tokens_details', 'prompt_tokens_details');
  const output = innerFields(usage, 'output_tokens_details', 'completion_tokens_details');
  const apart = tokenCount(usage, 'cache_read_input_tokens') + tokenCount(usage, 'cache_creation_input_tokens');
  const thoughts = tokenCount(usage, 'thoughtsTokenCount');
  return {
    promptTokens: tokenCount(usage, 'input_tokens', 'prompt_tokens', 'promptTokenCount') + apart,
    completionTokens: tokenCount(usage, 'output_tokens', 'completion_tokens', 'candidatesTokenCount') + thoughts,
    reasoningTokens: tokenCount(output, 'reasoning_tokens', 'thinking_tokens') + thoughts,
    cachedInputTokens:
      tokenCount(input, 'cached_tokens') + tokenCount(usage, 'cache_read_input_tokens', 'cachedContentTokenCount'),
  };
}

function innerFields(usage: Fields, ...names: readonly string[]): Fields {
  return names.map((name) => usage[name]).find(isRecord) ?? {};
}

function tokenCount(fields: Fields, ...names: readonly string[]): number {
  return names.map((name) => fields[name]).find((value) => typeof value === 'number') ?? 0;
}

/** Adds a random fraction to delays, so that parallel requests are not retried at the same moment. */
const JITTER = 0.25;

function timeLeft({ deadline = Number.POSITIVE_INFINITY }: ModelRequest): number {
  return Math.min(MAX_WAIT_MS, deadline - performance.now());
}

function allOf(failures: readonly unknown[], ai: AiSdk): unknown {
  const [only] = failures;
  if (failures.length === 1) return only;
  const message = `Failed ${failures.length} times.`;
  return new ai.RetryError({ message, reason: 'maxRetriesExceeded', errors: [...failures] });
}

function statusOf(failure: unknown, ai: AiSdk): string {
  const status = ai.APICallError.isInstance(failure) ? failure.statusCode : undefined;
  return status === undefined || status < 400 ? 'the connection failed' : `HTTP ${status}`;
}
