import { unquote } from './scan.ts';

/** Whether a text, its white space folded, is the one looked for. */
export type TextTest = (text: string) => boolean;

const EXPRESSION = /^\/((?:\\.|[^/\\])+)\/([a-z]*)$/;

/** Whether the source is a regular expression. */
export function isExpression(source: string): boolean {
  return EXPRESSION.test(source);
}

/** Reads `"Save"` (the whole text), `"save" i` or bare words (a part of it, in any case) or `/save/i`. */
export function parseTextTest(source: string): TextTest {
  const expression = EXPRESSION.exec(source);
  if (expression) return expressionTest(expression[1] ?? '', expression[2] ?? '');
  const part = unquote(source.replace(/\s*i$/, ''));
  if (part !== null && /["']\s*i$/.test(source)) return partTest(part);
  const exact = unquote(source);
  return exact === null ? partTest(source) : (text) => fold(text) === fold(exact);
}

function partTest(words: string): TextTest {
  const wanted = fold(words).toLowerCase();
  return (text) => fold(text).toLowerCase().includes(wanted);
}

// `g` and `y` would make the answer depend on the call before.
function expressionTest(source: string, flags: string): TextTest {
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
  return (text) => expression.test(fold(text));
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
