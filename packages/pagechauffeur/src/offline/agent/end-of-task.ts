import { LLMResponseError } from '../../errors.ts';
import { isRecord } from '../../model/json-schema.ts';
import type { JsonSchema, ModelRequest } from '../../model/model-client.ts';
import { answerExtract } from '../extract/answer-extract.ts';
import type { PageIndex } from '../page/page-index.ts';
import type { ClausePast } from './task-history.ts';

interface TaskEnd {
  readonly past: readonly ClausePast[];
  /** Index of the clause that failed. Equals the number of clauses if none did. */
  readonly at: number;
  readonly reason: string | undefined;
  readonly index: PageIndex;
  /** True if the task was rejected before its first call. */
  readonly isUntried?: boolean;
}

/** Input for the `done` tool. */
interface Ending {
  readonly success: boolean;
  readonly message: string;
  readonly output?: unknown;
}

/** Reports the values that were read, the clause that failed, and clauses whose actions had no visible effect. */
export function endOf(request: ModelRequest, end: TaskEnd): Ending {
  const { past, reason } = end;
  if (past.length === 0) return { success: false, message: 'The instruction is empty.' };
  const remarks = past.flatMap((clause, at) =>
    hadNoEffect(clause) ? [`${named(past, at)} had no visible effect.`] : [],
  );
  const answers = past.flatMap(({ answer }) => answer ?? []);
  if (reason !== undefined)
    return { success: false, message: [notDone(end, reason), ...remarks, ...answers].join('\n') };
  const words = answers.length > 0 ? answers : [`Done: ${past.map(({ clause }) => clause.words).join('; ')}.`];
  const ending = { success: remarks.length === 0, message: [...words, ...remarks].join('\n') };
  const schema = outputSchema(request);
  return schema ? withOutput(ending, { schema, end }) : ending;
}

function named(past: readonly ClausePast[], at: number): string {
  const words = JSON.stringify(past[at]?.clause.words ?? '');
  return past.length === 1 ? words : `Clause ${at + 1} of ${past.length}, ${words},`;
}

function notDone({ past, at, isUntried }: TaskEnd, reason: string): string {
  if (at === past.length) return `${reason}.`;
  if (isUntried) return `${named(past, at)} is not understood: ${reason.replace(/\.$/, '')}. Nothing was done.`;
  const before = at > 0 ? ` Done before: ${listed(past.slice(0, at))}.` : '';
  const after = at + 1 < past.length ? ` Not tried: ${listed(past.slice(at + 1))}.` : '';
  return `${named(past, at)} failed: ${reason.replace(/\.$/, '')}.${before}${after}`;
}

function listed(clauses: readonly ClausePast[]): string {
  return clauses.map(({ clause }) => JSON.stringify(clause.words)).join(', ');
}

/** Actions that should change the page. Excludes `fill`, because the field may already have the value. */
const VISIBLE: ReadonlySet<string> = new Set(['click', 'press', 'drag']);

/** True if the last successful action of the clause should have changed the page but did not. */
export function hadNoEffect({ pastCalls }: ClausePast): boolean {
  const last = pastCalls.findLast(({ outcome }) => outcome === 'done');
  return last?.effect === 'none-observed' && VISIBLE.has(last.tool);
}

function outputSchema({ tools = [] }: ModelRequest): JsonSchema | undefined {
  const { properties } = tools.find(({ name }) => name === 'done')?.input ?? {};
  const schema = isRecord(properties) ? properties['output'] : undefined;
  return isRecord(schema) ? schema : undefined;
}

function withOutput(ending: Ending, { schema, end }: { schema: JsonSchema; end: TaskEnd }): Ending {
  // Without a clause that reads something, only the field names in the schema describe the data.
  const asked = end.past.find(({ clause }) => clause.asked.kind === 'read')?.clause.words ?? '';
  try {
    return { ...ending, output: answerExtract(end.index, { instruction: asked, schema }) };
  } catch (error) {
    if (!(error instanceof LLMResponseError)) throw error;
    return { success: false, message: `${ending.message}\n${error.message}` };
  }
}
