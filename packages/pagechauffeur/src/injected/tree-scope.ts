import { getter } from './native.ts';

/** Ids, labels, focus and style sheets apply within one document or shadow root. */
export type TreeScope = Document | ShadowRoot;

type ScopeProperty = 'activeElement' | 'adoptedStyleSheets' | 'styleSheets';

/** Returns `null` for a detached node. */
export function treeScopeOf(node: Node): TreeScope | null {
  const root = Node.prototype.getRootNode.call(node);
  return root instanceof Document || root instanceof ShadowRoot ? root : null;
}

export function elementById(scope: TreeScope, id: string): Element | null {
  return scope instanceof Document ? Document.prototype.getElementById.call(scope, id) : scope.getElementById(id);
}

/** Returns the topmost element first. */
export function elementsAtPoint(scope: TreeScope, x: number, y: number): readonly Element[] {
  return (scope instanceof Document ? Document : ShadowRoot).prototype.elementsFromPoint.call(scope, x, y);
}

export const activeElementIn: (scope: TreeScope) => Element | null = ofScope('activeElement');
/** Does not include adopted style sheets. */
export const styleSheetsIn: (scope: TreeScope) => StyleSheetList = ofScope('styleSheets');
export const adoptedSheetsIn: (scope: TreeScope) => CSSStyleSheet[] = ofScope('adoptedStyleSheets');

function ofScope<P extends ScopeProperty>(property: P): (scope: TreeScope) => TreeScope[P] {
  const ofDocument = getter<Document, TreeScope[P]>(Document.prototype, property);
  const ofShadowRoot = getter<ShadowRoot, TreeScope[P]>(ShadowRoot.prototype, property);
  return (scope) => (scope instanceof Document ? ofDocument(scope) : ofShadowRoot(scope));
}
