import { getter } from './native.ts';

/** `<img name="activeElement">` shadows `document.activeElement`, so this file uses the prototype's getters. */

const activeElementOf = getter<Document, Element | null>(Document.prototype, 'activeElement');
const scrollingElementOf = getter<Document, Element | null>(Document.prototype, 'scrollingElement');
const readyStateOf = getter<Document, DocumentReadyState>(Document.prototype, 'readyState');
const contentTypeOf = getter<Document, string>(Document.prototype, 'contentType');
const isHiddenOf = getter<Document, boolean>(Document.prototype, 'hidden');

/** Returns the focused element; for focus in a shadow root, the host. */
export function activeElement(): Element | null {
  return activeElementOf(document);
}

export function scrollingElement(): Element | null {
  return scrollingElementOf(document);
}

export function readyState(): DocumentReadyState {
  return readyStateOf(document);
}

/** Returns the MIME type, such as `text/html`. */
export function contentType(): string {
  return contentTypeOf(document);
}

/** True in a background tab, for example. */
export function isDocumentHidden(): boolean {
  return isHiddenOf(document);
}

/** Returns the topmost element at a viewport point; for one in a shadow root, the host. */
export function topElementAt(x: number, y: number): Element | null {
  return Document.prototype.elementFromPoint.call(document, x, y);
}

export function newRange(): Range {
  return Document.prototype.createRange.call(document);
}

export function newElement<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[Tag];
}

/** Throws a `TypeError` if the result does not have the requested type. */
export function evaluateXPath(expression: string, from: Node, type: number = XPathResult.ANY_TYPE): XPathResult {
  return Document.prototype.evaluate.call(document, expression, from, null, type);
}

export function compileXPath(expression: string): XPathExpression {
  return Document.prototype.createExpression.call(document, expression, null);
}

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
