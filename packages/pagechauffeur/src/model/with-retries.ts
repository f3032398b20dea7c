import { setTimeout as sleep } from 'node:timers/promises';
import type * as AiSdkModule from 'ai';
import { reasonOf } from '../util/error-facts.ts';
import type { ModelRequest, ModelVerb } from './model-client.ts';
import { retryDelay } from './retry-delay.ts';
import { usageOfFailure } from './usage-of-failure.ts';

type AiSdk = typeof AiSdkModule;

/** Number of retries, and the request. */
interface RetrySettings {
  readonly maxRetries: number;
  readonly request: ModelRequest;
  readonly ai: AiSdk;
}

/** For a single question of a verb. */
const RETRIES = 2;
/** A run has more to lose than a single call. With growing delays this bridges half a minute of downtime. */
const AGENT_RETRIES = 5;
/** A longer requested delay is not waited for, even if the call has time. */
const MAX_WAIT_MS = 120_000;

/** Default retries for a verb. */
export function defaultRetries(verb: ModelVerb): number {
  return verb === 'agent' ? AGENT_RETRIES : RETRIES;
}

/**
 * Retries a question after a rate limit, a server error or a lost connection, as soon as the provider allows and while the call has time.
 * Several failures become one `RetryError` of the AI SDK.
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
  onWait?.(`${statusOf(failure, ai)}: ${reasonOf(failure)}; it is asked again in ${Math.ceil(delay / 1000)} s`);
  await sleep(delay * (1 + Math.random() * SPREAD), undefined, { signal });
}

/** Random spread of delays, so that parallel questions, such as those about parts of a page, are not retried at the same moment. */
const SPREAD = 0.25;

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
