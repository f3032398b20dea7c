import { isRecord } from '../util/is-record.ts';
import type { CallCost } from './call-cost.ts';
import type { RecordedCall } from './recorded-call.ts';

/** A result that says whether a model was asked, where the platform's cache was looked at and the result has room for it. */
export function withCacheStatus<T>(result: T, { method, input, instruction }: RecordedCall, cost: CallCost): T {
  const isActed = method === 'act' && typeof input === 'string';
  const isRead = method === 'extract' && !(instruction === undefined && isRecord(result) && 'pageText' in result);
  if (!(isActed || isRead) || !isRecord(result) || 'cacheStatus' in result) return result;
  return { ...result, cacheStatus: cost.calls === 0 ? 'HIT' : 'MISS' };
}
