import { isRecord } from '../../model/json-schema.ts';
import type { ModelCall, ModelCallResult, ModelMessage } from '../../model/model-client.ts';
import type { Clause } from './clause.ts';
import { readNote } from './progress-note.ts';

/** A tool call with its result. */
export interface PastCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `skipped`: the agent loop did not run the call, or its result is missing. */
  readonly outcome: 'done' | 'failed' | 'skipped';
  /** The tool result, as the model sees it. Only for messages: it can quote any text of a page. */
  readonly text: string;
  readonly effect: ModelCallResult['effect'];
  readonly opened: NonNullable<ModelCallResult['opened']>;
  /** The open pages, if the call listed them. */
  readonly openPages: ModelCallResult['openPages'];
}

export interface ClausePast {
  readonly clause: Clause;
  readonly pastCalls: readonly PastCall[];
  /** Number of finished parts, such as fields of a form. */
  readonly part: number;
  /** The value that the clause read. */
  readonly answer: string | undefined;
}

export interface TaskHistory {
  /** Index of the current clause. Equals the number of clauses if all are finished. */
  readonly at: number;
  readonly clauses: readonly ClausePast[];
}

/**
 * Reconstructs the progress of a task from the conversation: the model's notes, its calls and their results. Ignores
 * page text, other tasks and completed runs of the same task.
 */
export function readPast(messages: readonly ModelMessage[], clauses: readonly Clause[]): TaskHistory {
  const past = new Past(clauses);
  for (const [index, message] of messages.entries())
    if (message.role === 'assistant') past.add(message, messages[index + 1]?.results ?? []);
  return past.value;
}

class Past {
  readonly #clauses: readonly Clause[];
  #value: TaskHistory;

  constructor(clauses: readonly Clause[]) {
    this.#clauses = clauses;
    this.#value = beginningOf(clauses);
  }

  get value(): TaskHistory {
    return this.#value;
  }

  add({ text, calls = [] }: ModelMessage, results: readonly ModelCallResult[]): void {
    const end = calls.find(({ tool }) => tool === 'done');
    if (end && results.some(({ id, isError = false }) => id === end.id && !isError)) {
      this.#value = beginningOf(this.#clauses);
      return;
    }
    const notes = text.split('\n').flatMap((line) => readNote(line, this.#clauses) ?? []);
    const current = notes.at(-1);
    if (!current) return;
    for (const { at, answer } of notes) if (answer !== undefined) this.#change(at, { answer });
    const pastCalls = calls.filter(({ tool }) => tool !== 'done').map((call) => toPastCall(call, results));
    const isDone = pastCalls.every(({ outcome }) => outcome === 'done');
    const { at, part } = current;
    this.#change(at, {
      pastCalls: [...(this.#value.clauses[at]?.pastCalls ?? []), ...pastCalls],
      ...(isDone && part !== undefined && { part }),
    });
    this.#value = { ...this.#value, at: isDone && part === undefined ? at + 1 : at };
  }

  #change(at: number, change: Partial<ClausePast>): void {
    const clauses = this.#value.clauses.map((past, index) => (index === at ? { ...past, ...change } : past));
    this.#value = { ...this.#value, clauses };
  }
}

function beginningOf(clauses: readonly Clause[]): TaskHistory {
  return { at: 0, clauses: clauses.map((clause) => ({ clause, pastCalls: [], part: 0, answer: undefined })) };
}

function toPastCall({ id, tool, input }: ModelCall, results: readonly ModelCallResult[]): PastCall {
  const result = results.find((one) => one.id === id);
  const { text = '', isError = false, isSkipped = !result, effect, opened = [], openPages } = result ?? {};
  return {
    tool,
    input: isRecord(input) ? input : {},
    outcome: isSkipped ? 'skipped' : isError ? 'failed' : 'done',
    text,
    effect,
    opened,
    openPages,
  };
}
