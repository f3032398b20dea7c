import { isPlainRecord } from '../util/is-record.ts';
import type { CallCost } from './call-cost.ts';
import type { RecordedCall } from './recorded-call.ts';

/** Adds whether a model was used, if the call may use the platform's cache and its result is a plain object. */
export function withCacheStatus<T>(result: T, { method, input, instruction }: RecordedCall, cost: CallCost): T {
  const isActed = method === 'act' && typeof input === 'string';
  const isRead = method === 'extract' && !(instruction === undefined && isPlainRecord(result) && 'pageText' in result);
  if (!(isActed || isRead) || !isPlainRecord(result) || 'cacheStatus' in result) return result;
  return { ...result, cacheStatus: cost.calls === 0 ? 'HIT' : 'MISS' };
}
