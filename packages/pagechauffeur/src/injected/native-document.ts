import { getter } from './native.ts';

/* This file reads the document through prototype getters, because `<img name="activeElement">` shadows the property. */

const activeElementOf = getter<Document, Element | null>(Document.prototype, 'activeElement');
const scrollingElementOf = getter<Document, Element | null>(Document.prototype, 'scrollingElement');
const readyStateOf = getter<Document, DocumentReadyState>(Document.prototype, 'readyState');
const contentTypeOf = getter<Document, string>(Document.prototype, 'contentType');
const isHiddenOf = getter<Document, boolean>(Document.prototype, 'hidden');

/** Returns the focused element in the document's own tree. */
export function activeElement(): Element | null {
  return activeElementOf(document);
}

/** Returns the element that scrolls the viewport; `null` if there is none. */
export function scrollingElement(): Element | null {
  return scrollingElementOf(document);
}

export function readyState(): DocumentReadyState {
  return readyStateOf(document);
}

/** Returns the document's MIME type, such as `text/html`. */
export function contentType(): string {
  return contentTypeOf(document);
}

/** True if the document is hidden, such as one in a background tab. */
export function isDocumentHidden(): boolean {
  return isHiddenOf(document);
}

/** Returns the topmost element at a viewport point, in the document's own tree. */
export function topElementAt(x: number, y: number): Element | null {
  return Document.prototype.elementFromPoint.call(document, x, y);
}

export function newRange(): Range {
  return Document.prototype.createRange.call(document);
}

/** Creates a detached HTML element. */
export function newElement<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[Tag];
}

/** Evaluates an XPath from a node. Throws a `TypeError` if the result does not have the requested type. */
export function evaluateXPath(expression: string, from: Node, type: number = XPathResult.ANY_TYPE): XPathResult {
  return Document.prototype.evaluate.call(document, expression, from, null, type);
}

/** Compiles an XPath for use on many nodes. */
export function compileXPath(expression: string): XPathExpression {
  return Document.prototype.createExpression.call(document, expression, null);
}
