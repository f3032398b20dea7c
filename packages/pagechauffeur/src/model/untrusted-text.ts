import { randomBytes } from 'node:crypto';
import type { ModelVariable } from './model-client.ts';
import { placeholderOf } from '../util/placeholders.ts';

/**
 * Invisible characters: control characters, direction marks, tags and fillers, except those that words and emoji need.
 */
const NEVER_SEEN = /(?!\n|\t|\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const OTHER_LINE_BREAKS = /[\v\f\r\u2028\u2029]+/g;
/**
 * Tokens that start and end messages in the chat templates of local models. Some models accept them anywhere in the
 * text.
 */
const TURN_TOKENS =
  /<\|(?=\w)|(?<=\w)\|>|<<(?=\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|system|user|assistant|think|tool_call|tool_response)>)|<｜/gi;

/** Matches the boundary lines of all requests, because a page may have learned an old one from a response. */
const BOUNDARIES = /page-\d{20}/gi;

/**
 * The line before and after page text in prompts. Pages must not know it. It changes only when a response contains it,
 * so that providers can cache prompts.
 */
export class Boundary {
  #line = newBoundary();

  get line(): string {
    return this.#line;
  }

  /** Changes the line if the response contains it, because a page could read the response. */
  noteAnswer(output: unknown): void {
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
    if (text.toLowerCase().includes(this.#line.slice(PREFIX.length))) this.#line = newBoundary();
  }
}

const PREFIX = 'page-';

/** 64 random bits in decimal digits, which take fewer tokens than hexadecimal digits. */
function newBoundary(): string {
  return PREFIX + randomBytes(8).readBigUInt64BE().toString().padStart(20, '0');
}

/** Encloses page text in boundary lines, and removes text that resembles one. */
export function markUntrusted(text: string, boundary: string, variables: readonly ModelVariable[] = []): string {
  const shown = harmless(text, variables).replaceAll(BOUNDARIES, 'page').replaceAll(boundary, 'page');
  return `${boundary}\n${shown}\n${boundary}`;
}

/**
 * Makes page text safe for a model: removes invisible characters, breaks up tokens that start messages, and escapes
 * placeholders of `variables`.
 */
export function harmless(text: string, variables: readonly ModelVariable[] = []): string {
  const seen = text
    .replace(OTHER_LINE_BREAKS, ' ')
    .replace(NEVER_SEEN, '')
    .replace(TURN_TOKENS, (token) => `${token.split('').join(' ')} `);
  return variables.reduce((words, { name }) => words.replaceAll(placeholderOf(name), `% ${name} %`), seen);
}
