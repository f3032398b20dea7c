import { hasShadowRootBefore, shadowRootsBelow, visitElements } from '../composed-walk.ts';
import { matches, queryAll } from '../native.ts';
import { compileComposedSelector } from './composed-css.ts';
import { engineMessage, invalidSelector, type QueryOutcome } from './outcome.ts';

/**
 * Finds elements by CSS, also in open and registered closed shadow roots, in document order. With `isFirstEnough` it may return only the
 * first.
 */
export function queryCss(root: ParentNode, selector: string, isFirstEnough = false): QueryOutcome {
  const native = queryNatively(root, selector);
  if (!Array.isArray(native)) return native;
  const [first] = native;
  if (isFirstEnough && first && !hasShadowRootBefore(first, root)) return { kind: 'elements', elements: [first] };
  if (shadowRootsBelow(root).length === 0) return { kind: 'elements', elements: native };
  const matchesAcrossRoots = compileComposedSelector(selector);
  const elements: Element[] = [];
  visitElements(root, (element) => {
    if (matches(element, selector) || matchesAcrossRoots(element)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function queryNatively(root: ParentNode, selector: string): Element[] | QueryOutcome {
  try {
    return queryAll(root, selector);
  } catch (error) {
    return invalidSelector(
      `${engineMessage(error)} To find an element by its words use text=… or role=button[name="…"]; an XPath starts with / or xpath=.`,
    );
  }
}
