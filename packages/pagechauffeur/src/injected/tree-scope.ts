import { getter } from './native.ts';

/** A document or a shadow root. Ids, labels, focus and style sheets apply within one of these. */
export type TreeScope = Document | ShadowRoot;

type ScopeProperty = 'activeElement' | 'adoptedStyleSheets' | 'styleSheets';

/** Returns the document or shadow root that contains a node; `null` for a detached node. */
export function treeScopeOf(node: Node): TreeScope | null {
  const root = Node.prototype.getRootNode.call(node);
  return root instanceof Document || root instanceof ShadowRoot ? root : null;
}

/** Returns the element with this id in a scope. */
export function elementById(scope: TreeScope, id: string): Element | null {
  return scope instanceof Document ? Document.prototype.getElementById.call(scope, id) : scope.getElementById(id);
}

/** Returns the elements at a viewport point within a scope, topmost first. */
export function elementsAtPoint(scope: TreeScope, x: number, y: number): readonly Element[] {
  return (scope instanceof Document ? Document : ShadowRoot).prototype.elementsFromPoint.call(scope, x, y);
}

/** Returns the focused element of a scope. */
export const activeElementIn: (scope: TreeScope) => Element | null = ofScope('activeElement');
/** Returns the style sheets from `style` and `link` elements of a scope. */
export const styleSheetsIn: (scope: TreeScope) => StyleSheetList = ofScope('styleSheets');
/** Returns the style sheets in the `adoptedStyleSheets` of a scope. */
export const adoptedSheetsIn: (scope: TreeScope) => CSSStyleSheet[] = ofScope('adoptedStyleSheets');

function ofScope<P extends ScopeProperty>(property: P): (scope: TreeScope) => TreeScope[P] {
  const ofDocument = getter<Document, TreeScope[P]>(Document.prototype, property);
  const ofShadowRoot = getter<ShadowRoot, TreeScope[P]>(ShadowRoot.prototype, property);
  return (scope) => (scope instanceof Document ? ofDocument(scope) : ofShadowRoot(scope));
}
