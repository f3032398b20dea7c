import { getter } from './native.ts';

/** What ids, labels, focus and style sheets are relative to: a document or a shadow root. */
export type TreeScope = Document | ShadowRoot;

type ScopeProperty = 'activeElement' | 'adoptedStyleSheets' | 'styleSheets';

/** The document or shadow root that a node is in; null when it is in neither. */
export function treeScopeOf(node: Node): TreeScope | null {
  const root = Node.prototype.getRootNode.call(node);
  return root instanceof Document || root instanceof ShadowRoot ? root : null;
}

/** The element with this id in a scope. */
export function elementById(scope: TreeScope, id: string): Element | null {
  return scope instanceof Document ? Document.prototype.getElementById.call(scope, id) : scope.getElementById(id);
}

/** The elements at a point of the viewport, the topmost first, as a scope sees them. */
export function elementsAtPoint(scope: TreeScope, x: number, y: number): readonly Element[] {
  return (scope instanceof Document ? Document : ShadowRoot).prototype.elementsFromPoint.call(scope, x, y);
}

/** The element of a scope that has the focus. */
export const activeElementIn: (scope: TreeScope) => Element | null = ofScope('activeElement');
/** The style sheets that a scope's own elements bring. */
export const styleSheetsIn: (scope: TreeScope) => StyleSheetList = ofScope('styleSheets');
/** The style sheets that a script gave to a scope. */
export const adoptedSheetsIn: (scope: TreeScope) => CSSStyleSheet[] = ofScope('adoptedStyleSheets');

function ofScope<P extends ScopeProperty>(property: P): (scope: TreeScope) => TreeScope[P] {
  const ofDocument = getter<Document, TreeScope[P]>(Document.prototype, property);
  const ofShadowRoot = getter<ShadowRoot, TreeScope[P]>(ShadowRoot.prototype, property);
  return (scope) => (scope instanceof Document ? ofDocument(scope) : ofShadowRoot(scope));
}
