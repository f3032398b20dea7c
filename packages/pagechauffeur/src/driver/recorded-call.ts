import type { Action } from '../replay/action.ts';
import type { SessionEvent } from '../remote/event-sender.ts';
import type { CallCost } from './call-cost.ts';
import { isPlainRecord } from '../util/is-record.ts';

/** A call as the history and the log record it. */
export interface RecordedCall {
  readonly method: 'act' | 'observe' | 'extract' | 'agent';
  /** First argument of `act`. */
  readonly input?: string | Action;
  readonly instruction?: string | undefined;
  readonly options: object;
}

/** Returns serializable arguments for the history. Variables are listed by name, without values. */
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

/** Returns all text that the caller wrote, to find variable values in it. */
export function textOf({ input, instruction }: RecordedCall): string {
  const { selector, description, arguments: args = [] } = isObject<Partial<Action>>(input) ? input : {};
  const words: unknown[] = [input, instruction, selector, description, args].flat();
  return words.filter((word) => typeof word === 'string').join('\n');
}

/** Returns the start of the log line, for example `act "click Save"`. */
export function callName(call: RecordedCall): string {
  const asked = requestText(call);
  return asked === undefined ? call.method : `${call.method} ${JSON.stringify(asked)}`;
}

function requestText({ input, instruction }: RecordedCall): string | undefined {
  const words: unknown = isObject(input) ? input.description || input.selector : (input ?? instruction);
  // Callers without types may pass any value.
  return typeof words === 'string' ? words : undefined;
}

/** Describes only the shape of extracted data, because the log must not contain the data. */
export function resultSummary({ method }: RecordedCall, result: unknown): string {
  if (method === 'agent') return endSummary(result);
  if (method === 'act') return isObject(result) && 'message' in result ? String(result.message) : '';
  return method === 'observe' ? foundSummary(result) : `${shapeOf(result)} read`;
}

/** Omits data that the agent collected, because the log must not contain it. */
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

const MAX_NAMED = 3;

/** For example `title (12 characters), price`. The log must not contain values. */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} entries`;
  if (!isObject(value)) return `a ${typeof value}`;
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  return fields.map(([name, field]) => (isSized(field) ? `${name} (${shapeOf(field)})` : name)).join(', ');
}

const MAX_FIELDS = 8;

function isSized(value: unknown): boolean {
  return Array.isArray(value) || typeof value === 'string';
}

/** True for objects and arrays, such as options in place of an instruction. */
export function isObject<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null;
}

export interface CallEnd {
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly result?: unknown;
}

export function callEvent(call: RecordedCall, cost: CallCost, { outcome, isFailed, result }: CallEnd): SessionEvent {
  const { effect, cacheStatus } = isObject<{ effect?: unknown; cacheStatus?: unknown }>(result) ? result : {};
  return {
    kind: call.method,
    title: requestText(call) ?? '',
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

/** Truncates the URL before the query, the fragment or the content of a `data:` URL, which may contain keys. */
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

/** Adds `cacheStatus` to the results of instructions: `HIT` if no model was called. */
export function withCacheStatus<T>(result: T, { method, input, instruction }: RecordedCall, cost: CallCost): T {
  const isActed = method === 'act' && typeof input === 'string';
  const isRead = method === 'extract' && !(instruction === undefined && isPlainRecord(result) && 'pageText' in result);
  if (!(isActed || isRead) || !isPlainRecord(result) || 'cacheStatus' in result) return result;
  return { ...result, cacheStatus: cost.calls === 0 ? 'HIT' : 'MISS' };
}
