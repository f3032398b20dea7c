import type { Clause } from './clause.ts';

/**
 * A note about one clause in the text of a response, on its own line. The last note describes the calls in that
 * response.
 */
export interface ClauseNote {
  /** Index of the clause, from 0. */
  readonly at: number;
  /** Number of finished parts after these calls, if the clause is not finished then. */
  readonly part?: number | undefined;
  readonly answer?: string | undefined;
}

/** Formats a note: `2 of 3: open the second order`. */
export function noteText({ at, part, answer }: ClauseNote, clauses: readonly Clause[]): string {
  const goesOn = part === undefined ? '' : `, ${part} parts done`;
  const found = answer === undefined ? '' : ` = ${JSON.stringify(answer)}`;
  return `${at + 1} of ${clauses.length}${goesOn}: ${folded(clauses[at])}${found}`;
}

const NOTE = /^(?<number>\d+) of (?<count>\d+)(?:, (?<part>\d+) parts done)?: (?<words>.*)$/;

/** Parses a note about one of these clauses. Returns `undefined` for other lines. */
export function readNote(line: string, clauses: readonly Clause[]): ClauseNote | undefined {
  const { number, count, part, words = '' } = NOTE.exec(line)?.groups ?? {};
  const at = Number(number) - 1;
  const own = folded(clauses[at]);
  if (Number(count) !== clauses.length || !clauses[at] || !words.startsWith(own)) return undefined;
  const found = /^ = (".*")$/.exec(words.slice(own.length))?.[1];
  return {
    at,
    ...(part !== undefined && { part: Number(part) }),
    ...(found !== undefined && { answer: String(JSON.parse(found)) }),
  };
}

function folded(clause: Clause | undefined): string {
  return clause?.words.replace(/\s+/g, ' ') ?? '';
}

/** True if a note quotes a part of this instruction. */
export function isNoteOf(note: string, instruction: string): boolean {
  const { words = '' } = NOTE.exec(note)?.groups ?? {};
  const about = words.replace(/ = ".*"$/, '');
  return about !== '' && instruction.replaceAll(/\s+/g, ' ').includes(about);
}

/**
 * Returns the last note in a response with calls, which shows the progress of the task; `undefined` if there is none.
 */
export function progressNoteOf(words: string): string | undefined {
  const last = words.split('\n').at(-1) ?? '';
  return NOTE.test(last) ? last : undefined;
}
