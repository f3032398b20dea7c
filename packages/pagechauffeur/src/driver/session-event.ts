import type { SessionEvent } from '../remote/event-sender.ts';
import type { CallCost } from './call-cost.ts';
import { askedOf, isObject, type RecordedCall } from './recorded-call.ts';

/** How a call ended. */
export interface CallEnd {
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly result?: unknown;
}

/** A call as the platform's event log shows it. */
export function callEvent(call: RecordedCall, cost: CallCost, { outcome, isFailed, result }: CallEnd): SessionEvent {
  const { effect, cacheStatus } = isObject<{ effect?: unknown; cacheStatus?: unknown }>(result) ? result : {};
  return {
    kind: call.method,
    title: askedOf(call) ?? '',
    outcome,
    isFailed,
    ...(call.method === 'act' && typeof effect === 'string' ? { effect } : {}),
    ...(cacheStatus === 'HIT' || cacheStatus === 'MISS' ? { cacheStatus } : {}),
    ...cost.facts(),
    time: new Date().toISOString(),
  };
}

interface Reached {
  readonly url?: unknown;
  readonly status?: unknown;
  readonly error?: { readonly message?: unknown };
}

/** A navigation as the platform's event log shows it. The URL has no query, which may contain keys or tokens. */
export function navigationEvent(parameters: unknown, result: unknown): SessionEvent {
  const asked = isObject<{ url?: unknown }>(parameters) ? parameters : {};
  const { status, error, url = asked.url } = isObject<Reached>(result) ? result : {};
  return {
    kind: 'navigate',
    title: typeof url === 'string' ? url.replace(/(?<=^data:).*|[?#].*/s, '…') : '',
    outcome: error ? String(error.message ?? '') : status === undefined ? '' : `Answered ${String(status)}.`,
    isFailed: error !== undefined,
    time: new Date().toISOString(),
  };
}
