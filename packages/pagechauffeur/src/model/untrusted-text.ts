import { randomBytes } from 'node:crypto';
import type { ModelVariable } from './model-client.ts';
import { placeholderOf } from '../util/placeholders.ts';

/** Invisible characters that a model reads: controls, direction marks, tags, fillers. Keeps the ones that form words and emoji. */
const NEVER_SEEN = /(?!\n|\t|\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const OTHER_LINE_BREAKS = /[\v\f\r\u2028\u2029]+/g;
/** Tokens that start and end turns in chat templates of local models. Some of these models accept them anywhere in the text. */
const TURN_TOKENS =
  /<\|(?=\w)|(?<=\w)\|>|<<(?=\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|system|user|assistant|think|tool_call|tool_response)>)|<｜/gi;

/** Boundary lines of this and earlier requests. A model may have repeated one where a page could read it. */
const BOUNDARIES = /page-\d{20}/gi;

/**
 * The line before and after page text, unknown to pages. It stays the same while it is secret, so that providers can cache prompts. It
 * changes once a model has repeated it where a page may read it.
 */
export class Boundary {
  #line = newBoundary();

  /** The current line. */
  get line(): string {
    return this.#line;
  }

  /** Changes the line if the answer of a model contains it. */
  noteAnswer(output: unknown): void {
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
    if (text.toLowerCase().includes(this.#line.slice(PREFIX.length))) this.#line = newBoundary();
  }
}

const PREFIX = 'page-';

/** 64 random bits in decimal digits, which take fewer tokens than hexadecimal ones. */
function newBoundary(): string {
  return PREFIX + randomBytes(8).readBigUInt64BE().toString().padStart(20, '0');
}

/** Encloses page text in two boundary lines that the page cannot guess, and removes text that could look like one. */
export function markUntrusted(text: string, boundary: string, variables: readonly ModelVariable[] = []): string {
  const shown = harmless(text, variables).replaceAll(BOUNDARIES, 'page').replaceAll(boundary, 'page');
  return `${boundary}\n${shown}\n${boundary}`;
}

/**
 * Makes page text safe for a model: removes invisible characters, breaks tokens that start turns, and escapes the placeholders of the
 * call's variables.
 */
export function harmless(text: string, variables: readonly ModelVariable[] = []): string {
  const seen = text
    .replace(OTHER_LINE_BREAKS, ' ')
    .replace(NEVER_SEEN, '')
    .replace(TURN_TOKENS, (token) => `${token.split('').join(' ')} `);
  return variables.reduce((words, { name }) => words.replaceAll(placeholderOf(name), `% ${name} %`), seen);
}
