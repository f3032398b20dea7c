import { markIncomplete } from './dependencies.ts';

/**
 * Returns a function that reads a DOM property through the prototype's getter. `<input name="parentNode">` shadows the
 * property on its form ("DOM clobbering"), even in an isolated world.
 */
export function getter<T extends object, V>(prototype: T, property: keyof T): (object: T) => V {
  const get = Object.getOwnPropertyDescriptor(prototype, property)?.get as ((this: T) => V) | undefined;
  if (!get) throw new TypeError(`no getter for ${String(property)}`);
  return (object) => get.call(object);
}

/** Like `getter`, for sizes and scroll positions. */
function layoutGetter<T extends object>(prototype: T, property: keyof T): (object: T) => number {
  const read = getter<T, number>(prototype, property);
  return (object) => {
    markIncomplete();
    return read(object);
  };
}

export const parentNodeOf = getter<Node, ParentNode | null>(Node.prototype, 'parentNode');
export const firstChildOf = getter<Node, Node | null>(Node.prototype, 'firstChild');
export const nextSiblingOf = getter<Node, Node | null>(Node.prototype, 'nextSibling');
export const isConnected = getter<Node, boolean>(Node.prototype, 'isConnected');
export const textContentOf = getter<Node, string | null>(Node.prototype, 'textContent');
export const localNameOf = getter<Element, string>(Element.prototype, 'localName');
export const shadowRootPropertyOf = getter<Element, ShadowRoot | null>(Element.prototype, 'shadowRoot');
export const assignedSlotOf = getter<Element, HTMLSlotElement | null>(Element.prototype, 'assignedSlot');
export const assignedSlotOfText = getter<Text, HTMLSlotElement | null>(Text.prototype, 'assignedSlot');
export const inputValueOf = getter<HTMLInputElement, string>(HTMLInputElement.prototype, 'value');
export const areaValueOf = getter<HTMLTextAreaElement, string>(HTMLTextAreaElement.prototype, 'value');
export const documentElementOf = getter<Document, HTMLElement | null>(Document.prototype, 'documentElement');
export const bodyOf = getter<Document, HTMLElement | null>(Document.prototype, 'body');

export const documentTitleOf = getter<Document, string>(Document.prototype, 'title');
export const baseUriOf = getter<Node, string>(Node.prototype, 'baseURI');
export const documentUrlOf = getter<Document, string>(Document.prototype, 'URL');
export const isContentEditable = getter<HTMLElement, boolean>(HTMLElement.prototype, 'isContentEditable');
export const offsetHeightOf = layoutGetter(HTMLElement.prototype, 'offsetHeight');
export const offsetWidthOf = layoutGetter(HTMLElement.prototype, 'offsetWidth');
export const scrollLeftOf = layoutGetter(Element.prototype, 'scrollLeft');
export const scrollTopOf = layoutGetter(Element.prototype, 'scrollTop');
export const scrollWidthOf = layoutGetter(Element.prototype, 'scrollWidth');
export const scrollHeightOf = layoutGetter(Element.prototype, 'scrollHeight');
export const clientHeightOf = layoutGetter(Element.prototype, 'clientHeight');
export const clientWidthOf = layoutGetter(Element.prototype, 'clientWidth');
export const innerHtmlOf = getter<Element, string>(Element.prototype, 'innerHTML');
export const namespaceOf = getter<Element, string | null>(Element.prototype, 'namespaceURI');
export const prefixOf = getter<Element, string | null>(Element.prototype, 'prefix');
export const nodeNameOf = getter<Node, string>(Node.prototype, 'nodeName');
export const parentElementOf = getter<Node, HTMLElement | null>(Node.prototype, 'parentElement');
export const previousElementOf = getter<Element, Element | null>(Element.prototype, 'previousElementSibling');
/** Returns `null` in the page itself, and in a frame of another origin. */
export const frameElementOf = getter<Window, Element | null>(window, 'frameElement');
export const firstElementOf = getter<Element, Element | null>(Element.prototype, 'firstElementChild');
export const lastElementOf = getter<Element, Element | null>(Element.prototype, 'lastElementChild');
export const nextElementOf = getter<Element, Element | null>(Element.prototype, 'nextElementSibling');
export const childCountOf = getter<Element, number>(Element.prototype, 'childElementCount');
const innerTextOf = getter<HTMLElement, string>(HTMLElement.prototype, 'innerText');

/** True also if `other` is `node`. Does not enter shadow roots. */
export function contains(node: Node, other: Node): boolean {
  return Node.prototype.contains.call(node, other);
}

export function attributeOf(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

export function hasAttributes(element: Element): boolean {
  return Element.prototype.hasAttributes.call(element);
}

export function hasAttribute(element: Element, name: string): boolean {
  return Element.prototype.hasAttribute.call(element, name);
}

export function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

/** Returns `null` if the selector is invalid, as one from a style sheet can be without its namespaces or states. */
export function matchesIfValid(element: Element, selector: string): boolean | null {
  try {
    return matches(element, selector);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return null;
    throw error;
  }
}

/** Does not enter shadow roots. With `end`, returns only the matches before that element. */
export function queryAll(root: ParentNode, selector: string, end?: Element): Element[] {
  return listed(queriedList(root, selector), end);
}

/** Does not enter shadow roots, and stops at the first match. */
export function queryFirst(root: ParentNode, selector: string): Element | null {
  const { querySelector } = prototypeOf(root);
  return querySelector.call(root, selector);
}

/**
 * Returns the elements that match any of the selectors, in document order. The browser finds single selectors by index,
 * but tests a list on each element, so a list is queried only if several selectors match.
 */
export function queryAny(root: ParentNode, selectors: readonly string[]): Element[] {
  const lists = selectors.map((selector) => queriedList(root, selector));
  const [first, ...others] = lists.filter(({ length }) => length > 0);
  if (!first) return [];
  const used = selectors.filter((_, index) => lists[index]?.length !== 0);
  return listed(others.length === 0 ? first : queriedList(root, used.join()));
}

/**
 * Does not enter shadow roots. For a document or element the list is live: the browser copies nothing and creates no
 * wrappers for unread elements.
 */
export function elementsBelow(root: ParentNode): ArrayLike<Element> {
  if (root instanceof Element) return Element.prototype.getElementsByTagName.call(root, '*');
  if (root instanceof Document) return Document.prototype.getElementsByTagName.call(root, '*');
  return prototypeOf(root).querySelectorAll.call(root, '*');
}

/** Does not enter shadow roots. */
export function elementCountOf(root: Document | Element): number {
  return (root instanceof Element ? Element : Document).prototype.getElementsByTagName.call(root, '*').length;
}

function queriedList(root: ParentNode, selector: string): NodeListOf<Element> {
  return prototypeOf(root).querySelectorAll.call(root, selector);
}

// Indexing a NodeList is several times faster than iterating over it.
function listed(list: ArrayLike<Element>, end?: Element): Element[] {
  const elements: Element[] = [];
  const { length } = list;
  for (let index = 0; index < length; index += 1) {
    const element = list[index];
    if (element === end) break;
    if (element) elements.push(element);
  }
  return elements;
}

function prototypeOf(root: ParentNode): ParentNode {
  if (root instanceof Element) return Element.prototype;
  return root instanceof Document ? Document.prototype : DocumentFragment.prototype;
}

const elementChildren = getter<Element, HTMLCollection>(Element.prototype, 'children');
const documentChildren = getter<Document, HTMLCollection>(Document.prototype, 'children');
const fragmentChildren = getter<DocumentFragment, HTMLCollection>(DocumentFragment.prototype, 'children');

export function childrenOf(parent: ParentNode): Element[] {
  return listed(liveChildrenOf(parent));
}

/** Changes with the parent. Faster than `childrenOf` if only the first children are read. */
export function liveChildrenOf(parent: ParentNode): ArrayLike<Element> {
  if (parent instanceof Element) return elementChildren(parent);
  return parent instanceof Document ? documentChildren(parent) : fragmentChildren(parent as DocumentFragment);
}

export function boundsOf(element: Element): DOMRect {
  markIncomplete();
  return unrecordedBoundsOf(element);
}

/** Like `boundsOf`, where the reading does not depend on the box. */
export function unrecordedBoundsOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

export function checkVisibility(element: Element, options?: CheckVisibilityOptions): boolean {
  return Element.prototype.checkVisibility.call(element, options);
}

export function queryCount(root: ParentNode, selector: string): number {
  return queriedList(root, selector).length;
}

export function renderedTextOf(element: Element): string {
  return element instanceof HTMLElement ? innerTextOf(element) : (textContentOf(element) ?? '');
}

/** Returns a document, a shadow root, or the top of a detached tree. */
export function rootOf(node: Node): Node {
  return Node.prototype.getRootNode.call(node);
}
