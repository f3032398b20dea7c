import type { ModelVariable } from '../model/model-client.ts';
import { placeholderOf } from '../util/placeholders.ts';

/** Characters that nobody sees but a model reads: controls, marks of direction, tags, fillers; not those that form words and signs. */
const NEVER_SEEN = /(?!\n|\t|\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const OTHER_LINE_BREAKS = /[\v\f\r\u2028\u2029]+/g;
/** What begins and ends turns in the templates of models that are run at home, some of which read it from anywhere. */
const TURN_TOKENS =
  /<\|(?=\w)|(?<=\w)\|>|<<(?=\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])|<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|system|user|assistant|think|tool_call|tool_response)>)|<｜/gi;

/** Text of a page between two equal lines that it cannot guess, with nothing in it that could be taken for something else. */
export function fenced(text: string, boundary: string, variables: readonly ModelVariable[] = []): string {
  return `${boundary}\n${harmless(text, variables).replaceAll(boundary, 'page')}\n${boundary}`;
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
