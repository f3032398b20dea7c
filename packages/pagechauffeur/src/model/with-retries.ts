import { setTimeout as sleep } from 'node:timers/promises';
import type * as AiSdkModule from 'ai';
import { reasonOf } from '../util/error-facts.ts';
import type { ModelRequest, ModelVerb } from './model-client.ts';
import { retryDelay } from './retry-delay.ts';
import { usageOfFailure } from './usage-of-failure.ts';

type AiSdk = typeof AiSdkModule;

/** How often a question is asked again, and for which question. */
interface RetrySettings {
  readonly maxRetries: number;
  readonly request: ModelRequest;
  readonly ai: AiSdk;
}

/** For a verb's one question. */
const RETRIES = 2;
/** A run has more to lose than a call: with its growing delays this waits out half a minute in which nobody answers. */
const AGENT_RETRIES = 5;
/** Whoever asks to wait longer than this is not waited for, whatever time the call has. */
const LONGEST_WAIT_MS = 120_000;

/** How often a question of a verb is asked again when the model's options do not say. */
export function defaultRetries(verb: ModelVerb): number {
  return verb === 'agent' ? AGENT_RETRIES : RETRIES;
}

/**
 * Asks again what was put off by a rate limit, a failing server or a lost connection, as soon as the provider allows
 * and while the call has time for it. Several failures are one `RetryError` of the AI SDK.
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

/** Questions that were refused together, such as those about the parts of a page, are not asked again together. */
const SPREAD = 0.25;

function timeLeft({ deadline = Number.POSITIVE_INFINITY }: ModelRequest): number {
  return Math.min(LONGEST_WAIT_MS, deadline - performance.now());
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
