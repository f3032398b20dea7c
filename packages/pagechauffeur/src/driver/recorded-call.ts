import type { Action } from '../replay/action.ts';
import type { SessionEvent } from '../remote/event-sender.ts';
import type { CallCost } from './call-cost.ts';
import { isPlainRecord } from '../util/is-record.ts';

/** A call for the history and the log. */
export interface RecordedCall {
  readonly method: 'act' | 'observe' | 'extract' | 'agent';
  /** The argument of `act`. */
  readonly input?: string | Action;
  readonly instruction?: string | undefined;
  readonly options: object;
}

/** Returns the arguments of a call for the history: only serializable data, with variables by name. */
export function parametersOf({ method: _method, options, ...rest }: RecordedCall): object {
  if (!isObject(options)) return rest;
  const { page: _page, signal: _signal, model, variables, ...kept } = options as InstructionLike;
  return {
    ...rest,
    ...kept,
    ...(variables ? { variables: Object.keys(variables) } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

interface InstructionLike {
  readonly page?: unknown;
  readonly signal?: unknown;
  readonly model?: unknown;
  readonly variables?: object;
}

/** Returns the instruction or action as the caller wrote it. */
export function wordsOf({ input, instruction }: RecordedCall): string {
  const { selector, description, arguments: args = [] } = isObject<Partial<Action>>(input) ? input : {};
  const words: unknown[] = [input, instruction, selector, description, args].flat();
  return words.filter((word) => typeof word === 'string').join('\n');
}

/** Returns the beginning of the call's log line, before the outcome. */
export function callName(call: RecordedCall): string {
  const asked = askedOf(call);
  return asked === undefined ? call.method : `${call.method} ${JSON.stringify(asked)}`;
}

/** Returns the instruction, or `undefined` if there is none. */
function askedOf({ input, instruction }: RecordedCall): string | undefined {
  const words: unknown = isObject(input) ? input.description || input.selector : (input ?? instruction);
  // Callers without types may pass any value.
  return typeof words === 'string' ? words : undefined;
}

/** Summarizes the result in a few words. Describes only the shape of extracted data. */
export function resultSummary({ method }: RecordedCall, result: unknown): string {
  if (method === 'agent') return endSummary(result);
  if (method === 'act') return isObject(result) && 'message' in result ? String(result.message) : '';
  return method === 'observe' ? foundSummary(result) : `${shapeOf(result)} read`;
}

/** Summarizes how a task ended, without the data that it collected, which is never logged. */
function endSummary(result: unknown): string {
  const { success, completed, message } = isObject<TaskEnd>(result) ? result : {};
  const [said = ''] = String(message ?? '').split('\n', 1);
  return success || !completed ? said : `Not done: ${said}`;
}

interface TaskEnd {
  readonly success?: boolean;
  readonly completed?: boolean;
  readonly message?: unknown;
}

function foundSummary(result: unknown): string {
  const found = Array.isArray(result) ? (result as readonly Action[]) : [];
  const named = found.slice(0, MAX_NAMED).map(({ description }) => description);
  const more = found.length > named.length ? ', …' : '';
  return found.length === 0 ? '0 found' : `${found.length} found: ${named.join(', ')}${more}`;
}

/** Maximum number of found elements in a log line. */
const MAX_NAMED = 3;

/** Describes the shape of data for a log line: number of characters or entries, or field names, but no values. */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} entries`;
  if (!isObject(value)) return `a ${typeof value}`;
  const fields = Object.entries(value).slice(0, MAX_FIELDS_TOLD);
  return fields.map(([name, field]) => (isSized(field) ? `${name} (${shapeOf(field)})` : name)).join(', ');
}

/** Maximum number of extracted fields in a log line. */
const MAX_FIELDS_TOLD = 8;

function isSized(value: unknown): boolean {
  return Array.isArray(value) || typeof value === 'string';
}

/** True for any object, such as options in place of an instruction. */
export function isObject<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null;
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly result?: unknown;
}

/** Returns the event of a call for the platform's event log. */
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

/**
 * Returns the event of a navigation for the platform's event log. Omits the query of the URL, which may contain keys.
 */
export function navigationEvent(parameters: unknown, result: unknown): SessionEvent {
  const asked = isObject<{ url?: unknown }>(parameters) ? parameters : {};
  const { status, error, url = asked.url } = isObject<Reached>(result) ? result : {};
  return {
    kind: 'navigate',
    title: typeof url === 'string' ? url.replace(/(?<=^data:).*|[?#].*/s, '…') : '',
    outcome: error ? String(error.message ?? '') : status === undefined ? '' : `Response status ${String(status)}.`,
    isFailed: error !== undefined,
    time: new Date().toISOString(),
  };
}

/** Adds the cache status to a result that is a plain object: `HIT` if no model was called. */
export function withCacheStatus<T>(result: T, { method, input, instruction }: RecordedCall, cost: CallCost): T {
  const isActed = method === 'act' && typeof input === 'string';
  const isRead = method === 'extract' && !(instruction === undefined && isPlainRecord(result) && 'pageText' in result);
  if (!(isActed || isRead) || !isPlainRecord(result) || 'cacheStatus' in result) return result;
  return { ...result, cacheStatus: cost.calls === 0 ? 'HIT' : 'MISS' };
}
