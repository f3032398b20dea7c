import { hasKnownClosedRoot, shadowRootOf } from '../tree/composed-tree.ts';
import { foldSpace } from '../aria/text-builder.ts';
import { possibleHostsInDocument, visitElements } from '../tree/composed-walk.ts';
import { PAGE_BOUNDS } from '../../page-bounds.ts';
import { noteCustomElement } from './custom-elements.ts';
import { mayHostShadowRoot, tagFactsOf } from '../tree/tags.ts';
import {
  attributeOf,
  checkVisibility,
  childCountOf,
  firstChildOf,
  localNameOf,
  nextSiblingOf,
  parentNodeOf,
  queryCount,
  renderedTextOf,
  textContentOf,
  unrecordedBoundsOf,
} from '../native.ts';

/** A new shadow root with at most this many possible hosts is explored completely. */
const FEW = 300;
/** In ms. Empty elements may get a root later, so they are checked again. */
const RECHECK_AFTER = 1000;

interface Styled {
  readonly style: CSSStyleDeclaration;
}

/** Shows whether an element changed since its last check. */
interface Check {
  readonly signature: string;
  readonly time: number;
}

const waiting = new Set<Element>();
const checkByElement = new WeakMap<Element, Check>();
const range = new Range();

/** Records the parent of an element outside the flat tree: it may host a closed root. */
export function noteHostOf(unrendered: Element): void {
  const parent = parentNodeOf(unrendered);
  if (parent instanceof Element) note(parent);
}

/** Records an element that may be a host and looks like one with an unregistered closed root. */
export function noteHost(element: Element, tag: string, styled: Styled): void {
  if (tag.includes('-') || showsForeignContent(element, styled)) note(element);
}

/**
 * Records descendants that look like hosts of closed roots. Returns the number of other possible hosts that were never
 * checked.
 */
export function noteHostsBelow(root: ParentNode, isRechecked: boolean): number {
  let others = 0;
  visitElements(root, (element, shadowRoot) => {
    const tag = localNameOf(element);
    if (tagFactsOf(tag).isCustom && checkVisibility(element)) noteCustomElement(element, isRechecked);
    if (shadowRoot) return;
    const display = checkVisibility(element) ? 'shown' : getComputedStyle(element).display;
    if (display === '') noteHostOf(element);
    if (!mayHostShadowRoot(tag)) return;
    if (display === 'shown' || display === 'contents') noteHost(element, tag, new LazilyStyled(element));
    if (isRechecked && isEmpty(element) && isCheckOutdated(element)) waiting.add(element);
    if (isUnchecked(element)) others += 1;
  });
  return others;
}

export function hostCandidateCount(): number {
  return waiting.size;
}

/**
 * Returns and clears the recorded elements, as many as the limit for their attributes allows. Adds all possible hosts
 * that were never checked if there are at most `most`.
 */
export function takeHostCandidates(most: number): Element[] {
  if (most > 0) noteFew(document, most);
  const elements: Element[] = [];
  const time = performance.now();
  let characters = 0;
  for (const element of waiting) {
    // CDP describes a host with all its attributes, so their total size is limited.
    const own = charactersOfAttributes(element);
    if (characters + own > PAGE_BOUNDS.hostAttributes && elements.length > 0) break;
    waiting.delete(element);
    checkByElement.set(element, { signature: signatureOf(element), time });
    if (own > PAGE_BOUNDS.hostAttributes) continue;
    characters += own;
    elements.push(element);
  }
  return elements;
}

function charactersOfAttributes(element: Element): number {
  const names = Element.prototype.getAttributeNames.call(element);
  return names.reduce((sum, name) => sum + name.length + (attributeOf(element, name)?.length ?? 0), 0);
}

export function noteHostsInRoot(root: ShadowRoot): void {
  noteHostsBelow(root, false);
  noteFew(root, FEW);
}

function noteFew(root: ParentNode, most: number): void {
  const unchecked: Element[] = [];
  const collect = (element: Element): boolean => {
    if (mayHostShadowRoot(localNameOf(element)) && isUnchecked(element)) unchecked.push(element);
    return unchecked.length <= most;
  };
  const known = root === document ? possibleHostsInDocument() : undefined;
  if (known) known.every(collect);
  else visitElements(root, (element, shadowRoot) => shadowRoot !== null || collect(element));
  if (unchecked.length <= most) for (const element of unchecked) waiting.add(element);
}

function isUnchecked(element: Element): boolean {
  return !waiting.has(element) && !checkByElement.has(element);
}

function isCheckOutdated(element: Element): boolean {
  const check = checkByElement.get(element);
  return check !== undefined && performance.now() - check.time > RECHECK_AFTER;
}

function note(element: Element): void {
  if (waiting.has(element) || hasKnownClosedRoot(element) || shadowRootOf(element)) return;
  const check = checkByElement.get(element);
  if (check === undefined || check.signature !== signatureOf(element)) waiting.add(element);
}

// Measuring an unrendered element would only force a layout.
function signatureOf(element: Element): string {
  if (!checkVisibility(element)) return String(element.childNodes.length);
  const { width, height } = unrecordedBoundsOf(element);
  return `${width}x${height}:${element.childNodes.length}`;
}

class LazilyStyled implements Styled {
  readonly #element: Element;

  constructor(element: Element) {
    this.#element = element;
  }

  get style(): CSSStyleDeclaration {
    return getComputedStyle(this.#element);
  }
}

// True for an element that renders nothing of its text, or has a size without content: it may have a closed root.
// `noteHostOf` handles elements with child elements.
function showsForeignContent(element: Element, styled: Styled): boolean {
  const first = firstChildOf(element);
  if (first === null) return hasBox(element) ? isPlainBox(styled) : isSeparateWidget(element, styled);
  if (!(first instanceof Text) || nextSiblingOf(first) !== null || !isNotDrawn(first, element, styled)) return false;
  const isBlank = first.data.trim() === '';
  if (!hasBox(element)) return (!isBlank && isRendered(element, styled)) || isSeparateWidget(element, styled);
  return !isBlank || isPlainBox(styled);
}

/** Blocks whose text may be compared as a whole. Often, they hold many elements with a few letters each. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set('dt h1 h2 h3 h4 h5 h6 p pre'.split(' '));
/** From this many on, comparing the whole text is faster than checking children (visibility) or spans (`innerText`). */
const COMPARED_FROM = { children: 12, spans: 3 };

/** True for a block of text with many elements if all of it is rendered, so that none of them has to be checked. */
export function isTextBlockRendered(element: Element, tag: string): boolean {
  if (!TEXT_BLOCKS.has(tag)) return false;
  const children = childCountOf(element);
  if (children === 0) return false;
  if (children < COMPARED_FROM.children && queryCount(element, 'span') < COMPARED_FROM.spans) return false;
  const written = textContentOf(element) ?? '';
  // `foldSpace` truncates longer text.
  if (written.length > PAGE_BOUNDS.plainText) return false;
  const rendered = renderedTextOf(element);
  return rendered === written || foldSpace(rendered) === foldSpace(written);
}

function isEmpty(element: Element): boolean {
  return firstChildOf(element) === null;
}

function isRendered(element: Element, { style }: Styled): boolean {
  return checkVisibility(element) || style.display === 'contents';
}

const drawnTexts = new WeakSet<Text>();

// Text that was rendered once counts as rendered from then on.
function isNotDrawn(text: Text, holder: Element, styled: Styled): boolean {
  if (drawnTexts.has(text)) return false;
  // Reading `innerText` is twice as fast as reading boxes, but is also empty for text with `visibility: hidden`.
  if (renderedTextOf(holder) === '') {
    if (isSkipped(holder, styled)) return false;
    range.selectNode(text);
    if (range.getClientRects().length === 0) return true;
  }
  drawnTexts.add(text);
  return false;
}

/** True in `content-visibility: auto` outside the viewport. Measuring there would force a layout. */
function isSkipped(holder: Element, { style }: Styled): boolean {
  return style.contentVisibility !== 'visible' || !checkVisibility(holder, { contentVisibilityAuto: true });
}

function isPlainBox({ style }: Styled): boolean {
  return (
    style.backgroundColor === 'rgba(0, 0, 0, 0)' &&
    style.backgroundImage === 'none' &&
    style.borderTopWidth === '0px' &&
    style.borderBottomWidth === '0px'
  );
}

// Widgets such as chat buttons often use a host without size in the body.
function isSeparateWidget(element: Element, styled: Styled): boolean {
  const parent = parentNodeOf(element);
  const isOnTop =
    parent instanceof HTMLBodyElement || parent instanceof HTMLHtmlElement || parent instanceof ShadowRoot;
  return (isOnTop && checkVisibility(element)) || (!checkVisibility(element) && styled.style.display === 'contents');
}

function hasBox(element: Element): boolean {
  const { width, height } = unrecordedBoundsOf(element);
  return width > 0 && height > 0;
}
