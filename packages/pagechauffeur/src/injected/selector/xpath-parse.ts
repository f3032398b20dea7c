import { scanTopLevel } from './scan.ts';

export interface XPathStep {
  /** `//` searches descendants, including those in shadow roots; `/` searches children. */
  readonly separator: '/' | '//';
  /** The node test with its axis, unless that is `child::`. */
  readonly test: string;
  /** Without the brackets. */
  readonly predicates: readonly string[];
  /** Index in the expression after the step. */
  readonly end: number;
}

/** A location path, or a group `(…)[n]` that steps may follow. */
export interface XPathPath {
  readonly group: { readonly inner: string; readonly predicates: readonly string[]; readonly end: number } | null;
  readonly steps: readonly XPathStep[];
}

/**
 * Returns `null` if the expression is not a single path, for example `//a | //b` or `count(//a)`. Does not check
 * groups, predicates or names.
 */
export function parseXPath(expression: string): XPathPath | null {
  let position = 0;
  let group: XPathPath['group'] = null;
  if (expression.startsWith('(')) {
    const length = lengthUntil(expression.slice(1), (character) => character === ')') + 1;
    const tail = expression.slice(length + 1);
    const predicateText = tail.slice(
      0,
      lengthUntil(tail, (character) => character === '/'),
    );
    const predicates = predicatesOf(predicateText.trim());
    if (!predicates) return null;
    position = length + 1 + predicateText.length;
    group = { inner: expression.slice(1, length), predicates, end: position };
  }
  const steps: XPathStep[] = [];
  while (position < expression.length) {
    const separator = /^\s*(\/\/?)?\s*/.exec(expression.slice(position));
    const start = position + (separator?.[0].length ?? 0);
    const rest = expression.slice(start);
    position = start + lengthUntil(rest, (character) => character === '/');
    const step = stepOf(expression.slice(start, position), separator?.[1] === '//' ? '//' : '/', position);
    if (!step) return null;
    steps.push(step);
  }
  return { group, steps };
}

function stepOf(source: string, separator: '/' | '//', end: number): XPathStep | null {
  const test = source.slice(
    0,
    lengthUntil(source, (character) => character === '['),
  );
  const predicates = predicatesOf(source.slice(test.length).trim());
  if (!predicates || test.trim() === '' || /[|(]/.test(test.replace(/\(\)/g, ''))) return null;
  return { separator, test: test.trim().replace(/^child\s*::\s*/, ''), predicates, end };
}

function predicatesOf(text: string): string[] | null {
  const predicates: string[] = [];
  let rest = text;
  while (rest !== '') {
    if (!rest.startsWith('[')) return null;
    const length = lengthUntil(rest.slice(1), (character) => character === ']');
    predicates.push(rest.slice(1, length + 1).trim());
    rest = rest.slice(length + 2).trim();
  }
  return predicates;
}

function lengthUntil(text: string, isEnd: (character: string) => boolean): number {
  let length = text.length;
  const visit = (index: number): 'stop' | undefined => {
    if (!isEnd(text.charAt(index))) return undefined;
    length = index;
    return 'stop';
  };
  scanTopLevel(text, visit, false);
  return length;
}
