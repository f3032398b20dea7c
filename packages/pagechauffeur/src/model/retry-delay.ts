import type * as AiSdkModule from 'ai';

type AiSdk = typeof AiSdkModule;
type APICallError = AiSdkModule.APICallError;

/** Returns the delay in ms before a retry, or `undefined` if a retry is useless. */
export function retryDelay(failure: unknown, { attempt, ai }: { attempt: number; ai: AiSdk }): number | undefined {
  if (!ai.APICallError.isInstance(failure) || !isWorthRetrying(failure)) return undefined;
  return requestedDelay(failure) ?? backoff(failure, attempt);
}

/** Returns the delay in ms that the provider requests, in a header or, for Google, in the error details. */
export function requestedDelay({ responseHeaders = {}, responseBody }: APICallError): number | undefined {
  const milliseconds = numberIn(responseHeaders['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const retryAfter = responseHeaders['retry-after'];
  const seconds = numberIn(retryAfter) ?? numberIn(/"retryDelay":\s*"([\d.]+)s"/.exec(bodyText(responseBody))?.[1]);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(retryAfter ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** True if a quota is used up, so that waiting does not help. */
export function isQuotaSpent({ responseBody }: Pick<APICallError, 'responseBody'>): boolean {
  return /insufficient_quota|billing_(?:hard_)?limit|credit balance is too low/.test(bodyText(responseBody));
}

/** Converts a response body to text. The AI SDK has only parsed data if a response fails midway. */
export function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

function isWorthRetrying(failure: APICallError): boolean {
  const advice = failure.responseHeaders?.['x-should-retry'];
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return failure.isRetryable && !isQuotaSpent(failure);
}

/** Doubles the delay with each attempt. A lost connection is retried sooner than an overloaded provider. */
function backoff({ statusCode = 0 }: APICallError, attempt: number): number {
  const first = statusCode < 400 ? FIRST_RECONNECT_MS : FIRST_BACKOFF_MS;
  return first * 2 ** (attempt - 1);
}

const FIRST_RECONNECT_MS = 200;
const FIRST_BACKOFF_MS = 1000;

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
