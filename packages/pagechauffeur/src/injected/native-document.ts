import { getter } from './native.ts';

/*
 * This frame's document, asked past elements that are named like its properties: `<img name="activeElement">`.
 */

const activeElementOf = getter<Document, Element | null>(Document.prototype, 'activeElement');
const scrollingElementOf = getter<Document, Element | null>(Document.prototype, 'scrollingElement');
const readyStateOf = getter<Document, DocumentReadyState>(Document.prototype, 'readyState');
const contentTypeOf = getter<Document, string>(Document.prototype, 'contentType');
const isHiddenOf = getter<Document, boolean>(Document.prototype, 'hidden');

/** The element with the focus, in the document's own tree. */
export function activeElement(): Element | null {
  return activeElementOf(document);
}

/** The element that scrolls the viewport; null in documents that have none. */
export function scrollingElement(): Element | null {
  return scrollingElementOf(document);
}

/** How far the document has been loaded. */
export function readyState(): DocumentReadyState {
  return readyStateOf(document);
}

/** The document's media type, such as `text/html`. */
export function contentType(): string {
  return contentTypeOf(document);
}

/** Whether the document is in the background. */
export function isDocumentHidden(): boolean {
  return isHiddenOf(document);
}

/** The topmost element at a point of the viewport, in the document's own tree. */
export function topElementAt(x: number, y: number): Element | null {
  return Document.prototype.elementFromPoint.call(document, x, y);
}

/** A new range that holds nothing yet. */
export function newRange(): Range {
  return Document.prototype.createRange.call(document);
}

/** A new HTML element that stands nowhere yet. */
export function newElement<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[Tag];
}

/** What an XPath gives, seen from a node; a `TypeError` when that is not of the type asked for. */
export function evaluateXPath(expression: string, from: Node, type: number = XPathResult.ANY_TYPE): XPathResult {
  return Document.prototype.evaluate.call(document, expression, from, null, type);
}

/** An XPath made ready for many nodes. */
export function compileXPath(expression: string): XPathExpression {
  return Document.prototype.createExpression.call(document, expression, null);
}
