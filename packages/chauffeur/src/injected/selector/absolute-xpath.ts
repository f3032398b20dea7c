import { shadowRootOf } from '../composed-tree.ts';
import { isFrameElement } from '../frames.ts';
import { childrenOf } from '../native.ts';
import { passesNameTest } from '../xpath.ts';
import type { QueryOutcome } from './outcome.ts';

interface AbsoluteStep {
  readonly entersShadowRoot: boolean;
  readonly name: string;
  readonly isQualified: boolean;
  readonly index: number;
}

const STEP = /^(\/\/?)(?:([A-Za-z][\w-]*)|\*\[name\(\)=(?:'([^']*)'|"([^"]*)")\])\[(\d+)\]/;

/**
 * Follows an XPath of the form that `xpathOf` writes: an index on each step, `//` into the shadow root of
 * the element before it. Null when the expression is not of this form, or means something else here.
 */
export function followAbsoluteXPath(expression: string): QueryOutcome | null {
  let parent: ParentNode = document;
  let rest = expression;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return null;
    if (parent instanceof Element && isFrameElement(parent)) return { kind: 'frame', element: parent, rest };
    const step = stepOf(match);
    const container = step.entersShadowRoot ? rootOf(parent) : parent;
    if (!container) return { kind: 'no-shadow-root', matched: expression.slice(0, expression.length - rest.length) };
    const child = childAt(container, step);
    if (!child) return { kind: 'elements', elements: [] };
    parent = child;
    rest = rest.slice(match[0].length);
  }
  return parent instanceof Element ? { kind: 'elements', elements: [parent] } : null;
}

function stepOf([, separator, tag, inApostrophes, inQuotes, index]: RegExpExecArray): AbsoluteStep {
  return {
    entersShadowRoot: separator === '//',
    name: tag?.toLowerCase() ?? inApostrophes ?? inQuotes ?? '',
    isQualified: tag === undefined,
    index: Number(index),
  };
}

function rootOf(parent: ParentNode): ShadowRoot | null {
  return parent instanceof Element ? shadowRootOf(parent) : null;
}

function childAt(container: ParentNode, step: AbsoluteStep): Element | null {
  let count = 0;
  for (const child of childrenOf(container)) {
    if (passesNameTest(child, step)) count += 1;
    if (count === step.index) return child;
  }
  return null;
}
