import { collapseSpace } from '../aria/text-builder.ts';
import { unquote } from './scan.ts';

/** Tests text after its white space is collapsed. */
export type TextTest = (text: string) => boolean;

const EXPRESSION = /^\/((?:\\.|[^/\\])+)\/([a-z]*)$/;

export function isExpression(source: string): boolean {
  return EXPRESSION.test(source);
}

/**
 * `"Save"` matches the whole text; `"save" i` and unquoted text match a substring in any case; `/save/i` is a regular
 * expression.
 */
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

// With `g` or `y`, `test()` would depend on the previous call.
function expressionTest(source: string, flags: string): TextTest {
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
  return (text) => expression.test(fold(text));
}

function fold(text: string): string {
  return collapseSpace(text).trim();
}
