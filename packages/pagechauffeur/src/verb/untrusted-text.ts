import { randomBytes } from 'node:crypto';
import type { ModelVariable } from '../model/model-client.ts';
import { placeholderOf } from '../util/placeholders.ts';

/** Characters that nobody sees but a model reads: controls, marks of direction, tags, fillers; not those that form words and signs. */
const NEVER_SEEN = /(?!\n|\t|\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const OTHER_LINE_BREAKS = /[\v\f\r\u2028\u2029]+/g;
/** What begins and ends turns in the templates of models that are run at home, some of which read it from anywhere. */
const TURN_TOKENS =
  /<\|(?=\w)|(?<=\w)\|>|<<(?=\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|system|user|assistant|think|tool_call|tool_response)>)|<｜/gi;

/** Boundary lines, those of earlier requests too: a model may have repeated one where a page got to see it. */
const BOUNDARIES = /page-\d{20}/gi;

/**
 * The line before and after texts of pages, which no page has seen. It stays the same while it is a secret between us and the model, so that
 * what providers have cached of a prompt fits; once a model has repeated it, where a page may get to see it, there is another one.
 */
export class Boundary {
  #line = newBoundary();

  /** The line for what is shown now. */
  get line(): string {
    return this.#line;
  }

  /** Looks whether an answer of a model repeats the line. */
  noteAnswer(output: unknown): void {
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
    if (text.toLowerCase().includes(this.#line.slice(PREFIX.length))) this.#line = newBoundary();
  }
}

const PREFIX = 'page-';

/** 64 random bits as digits, which take fewer tokens than hexadecimal. */
function newBoundary(): string {
  return PREFIX + randomBytes(8).readBigUInt64BE().toString().padStart(20, '0');
}

/** Text of a page between two equal lines that it cannot guess, with nothing in it that could be taken for something else. */
export function markUntrusted(text: string, boundary: string, variables: readonly ModelVariable[] = []): string {
  const shown = harmless(text, variables).replaceAll(BOUNDARIES, 'page').replaceAll(boundary, 'page');
  return `${boundary}\n${shown}\n${boundary}`;
}

/**
 * Text of a page as a model may be shown it: without characters that nobody sees, with the tokens that begin turns and the
 * placeholders of the call's own variables written so that they are neither.
 */
export function harmless(text: string, variables: readonly ModelVariable[] = []): string {
  const seen = text
    .replace(OTHER_LINE_BREAKS, ' ')
    .replace(NEVER_SEEN, '')
    .replace(TURN_TOKENS, (token) => `${token.split('').join(' ')} `);
  return variables.reduce((words, { name }) => words.replaceAll(placeholderOf(name), `% ${name} %`), seen);
}
