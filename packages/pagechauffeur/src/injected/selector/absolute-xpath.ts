import { shadowRootOf } from '../composed-tree.ts';
import { isFrameElement } from '../frames.ts';
import { childrenOf, localNameOf, queryAll } from '../native.ts';
import { mayHostShadowRoot } from '../snapshot/host-candidates.ts';
import { passesNameTest } from '../xpath.ts';
import type { QueryOutcome } from './outcome.ts';

interface AbsoluteStep {
  readonly entersShadowRoot: boolean;
  readonly name: string;
  readonly isQualified: boolean;
  readonly index: number;
}

const STEP = /^(\/\/?)(?:([A-Za-z][\w-]*)|\*\[name\(\)=(?:'([^']*)'|"([^"]*)")\])\[(\d+)\]/;
const FROM_AFAR = /^\/descendant::/;

/**
 * Follows an XPath as `xpathOf` writes it: an index on each step, `//` into the shadow root of the element before it, `/descendant::` to
 * count the first step in the whole document. Returns `null` if the expression has another form or meaning.
 */
export function followAbsoluteXPath(expression: string): QueryOutcome | null {
  let parent: ParentNode = document;
  const isFromAfar = FROM_AFAR.test(expression);
  let rest = expression.replace(FROM_AFAR, '/');
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return null;
    if (parent instanceof Element && isFrameElement(parent)) return { kind: 'frame', element: parent, rest };
    const step = stepOf(match);
    const container = step.entersShadowRoot ? rootOf(parent) : parent;
    if (!container) {
      // Below the document, or below an element that cannot host a shadow root, `//` means any depth.
      if (!(parent instanceof Element) || !mayHostShadowRoot(localNameOf(parent))) return null;
      return { kind: 'no-shadow-root', matched: expression.slice(0, expression.length - rest.length) };
    }
    const child = nthOf(isFromAfar && container === document ? queryAll(document, '*') : childrenOf(container), step);
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

function nthOf(elements: readonly Element[], step: AbsoluteStep): Element | null {
  let count = 0;
  for (const element of elements) {
    if (passesNameTest(element, step)) count += 1;
    if (count === step.index) return element;
  }
  return null;
}
