import type { Action } from '../verb/action.ts';

/** A call of a verb as history and log tell it. */
export interface RecordedCall {
  readonly method: 'act' | 'observe' | 'extract' | 'agent';
  /** What `act` was given. */
  readonly input?: string | Action;
  readonly instruction?: string | undefined;
  readonly options: object;
}

/** What the history keeps of a call: variables by name, no objects that cannot be written down. */
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

/** The caller's own words. */
export function wordsOf({ input, instruction }: RecordedCall): string {
  const { selector, description, arguments: args = [] } = isObject<Partial<Action>>(input) ? input : {};
  const words: unknown[] = [input, instruction, selector, description, args].flat();
  return words.filter((word) => typeof word === 'string').join('\n');
}

/** The call as a log line names it, up to what came of it. */
export function callName(call: RecordedCall): string {
  const asked = askedOf(call);
  return asked === undefined ? call.method : `${call.method} ${JSON.stringify(asked)}`;
}

/** What was asked for, in the caller's words; undefined when nothing was said. */
export function askedOf({ input, instruction }: RecordedCall): string | undefined {
  const words: unknown = isObject(input) ? input.description || input.selector : (input ?? instruction);
  // Whoever calls may have given anything.
  return typeof words === 'string' ? words : undefined;
}

/** What came of a call, in a few words. Extracted data is the caller's: only its shape is told. */
export function resultSummary({ method }: RecordedCall, result: unknown): string {
  if (method === 'agent') return endSummary(result);
  if (method === 'act') return isObject(result) && 'message' in result ? String(result.message) : '';
  return method === 'observe' ? foundSummary(result) : `${shapeOf(result)} read`;
}

/** How a task has ended, in a line: what was read so far is the caller's. */
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

/** Found elements that a log line names. */
const MAX_NAMED = 3;

/** Data as a log line tells it: `characters`, `entries` and names of fields, no values. */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} entries`;
  if (!isObject(value)) return `a ${typeof value}`;
  const fields = Object.entries(value).slice(0, MAX_FIELDS_TOLD);
  return fields.map(([name, field]) => (isSized(field) ? `${name} (${shapeOf(field)})` : name)).join(', ');
}

/** Fields of extracted data that a log line names. */
const MAX_FIELDS_TOLD = 8;

function isSized(value: unknown): boolean {
  return Array.isArray(value) || typeof value === 'string';
}

/** Whether a value is an object, such as options in place of an instruction. */
export function isObject<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null;
}
