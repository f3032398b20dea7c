import type { Clause } from './clause.ts';

/**
 * Progress that the model writes into its own response, one line per clause. The last line describes the calls in the
 * same response.
 */
export interface ClauseNote {
  /** Index of the clause, from 0. */
  readonly at: number;
  /** Number of finished parts after these calls. `undefined` if they finish the clause. */
  readonly part?: number | undefined;
  readonly answer?: string | undefined;
}

/** Formats a note: `2 of 3: open the second order`. */
export function noteText({ at, part, answer }: ClauseNote, clauses: readonly Clause[]): string {
  const partNote = part === undefined ? '' : `, ${part} parts done`;
  const found = answer === undefined ? '' : ` = ${JSON.stringify(answer)}`;
  return `${at + 1} of ${clauses.length}${partNote}: ${folded(clauses[at])}${found}`;
}

const NOTE = /^(?<number>\d+) of (?<count>\d+)(?:, (?<part>\d+) parts done)?: (?<words>.*)$/;

/** Parses a note about one of these clauses. Returns `undefined` for any other line. */
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

/** True if the note quotes a clause of this instruction. */
export function isNoteOf(note: string, instruction: string): boolean {
  const { words = '' } = NOTE.exec(note)?.groups ?? {};
  const about = words.replace(/ = ".*"$/, '');
  return about !== '' && instruction.replaceAll(/\s+/g, ' ').includes(about);
}

/** Returns the last line of a response if it is a note. */
export function progressNoteOf(words: string): string | undefined {
  const last = words.split('\n').at(-1) ?? '';
  return NOTE.test(last) ? last : undefined;
}
