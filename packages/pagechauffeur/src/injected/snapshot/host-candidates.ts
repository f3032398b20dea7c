import { hasKnownClosedRoot, shadowRootOf } from '../composed-tree.ts';
import { visitElements } from '../composed-walk.ts';
import { PAGE_BOUNDS } from '../../page-bounds.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  firstChildOf,
  localNameOf,
  nextSiblingOf,
  parentNodeOf,
} from '../native.ts';

/** Tags other than custom elements that a shadow root can hang on. */
const hostTags: ReadonlySet<string> = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);
/** So many elements of one closed root are all asked about. */
const FEW = 300;
/** What showed nothing that it does not hold may have been given a root since; this many ms later that is asked again. */
const ASKED_LONG_AGO = 1000;

/** Where the style of an element is read when it is needed. */
interface Styled {
  readonly style: CSSStyleDeclaration;
}

/** What an element looked like when the browser was asked whether it is a host, and when that was. */
interface Asked {
  readonly look: string;
  readonly time: number;
}

const waiting = new Set<Element>();
const askedByElement = new WeakMap<Element, Asked>();
const range = new Range();

/** Notes the parent of an element that the page does not render although nothing hides it. */
export function noteHostOf(unrendered: Element): void {
  const parent = parentNodeOf(unrendered);
  if (parent instanceof Element) note(parent);
}

/** Notes an element without an open or known root if it looks as if it hosted a closed one. */
export function noteHost(element: Element, tag: string, styled: Styled): void {
  if (tag.includes('-')) note(element);
  else if (hostTags.has(tag) && showsWhatItDoesNotHold(element, styled)) note(element);
}

/** Notes the elements below a node that look as if they hosted closed roots. How many others may do so and were never asked about. */
export function noteHostsBelow(root: ParentNode, isAskedAgain: boolean): number {
  let others = 0;
  visitElements(root, (element, shadowRoot) => {
    if (shadowRoot) return;
    const tag = localNameOf(element);
    const display = checkVisibility(element) ? 'shown' : getComputedStyle(element).display;
    if (display === '') noteHostOf(element);
    if (!mayHostShadowRoot(tag)) return;
    if (display === 'shown' || display === 'contents') noteHost(element, tag, new LazilyStyled(element));
    if (isAskedAgain && isEmpty(element) && wasAskedLongAgo(element)) waiting.add(element);
    if (isUnasked(element)) others += 1;
  });
  return others;
}

/** How many elements are noted and not yet taken. */
export function hostCandidateCount(): number {
  return waiting.size;
}

/** The noted elements, none of which is noted again unless it looks different by then; with all others that were never asked about if these are not more than `most`. */
export function takeHostCandidates(most: number): Element[] {
  if (most > 0) noteFew(document, most);
  const elements: Element[] = [];
  const time = performance.now();
  let characters = 0;
  for (const element of waiting) {
    // The browser tells all attributes of an element with the root that hangs on it.
    const own = charactersOfAttributes(element);
    if (characters + own > PAGE_BOUNDS.hostAttributes && elements.length > 0) break;
    waiting.delete(element);
    askedByElement.set(element, { look: lookOf(element), time });
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

/** Notes what may host closed roots within one that was opened. */
export function noteHostsInRoot(root: ShadowRoot): void {
  noteHostsBelow(root, false);
  noteFew(root, FEW);
}

function noteFew(root: ParentNode, most: number): void {
  const unasked: Element[] = [];
  visitElements(root, (element, shadowRoot) => {
    if (shadowRoot === null && mayHostShadowRoot(localNameOf(element)) && isUnasked(element)) unasked.push(element);
  });
  if (unasked.length <= most) for (const element of unasked) waiting.add(element);
}

/** Whether a shadow root can hang on elements of this tag. */
export function mayHostShadowRoot(tag: string): boolean {
  return hostTags.has(tag) || tag.includes('-');
}

function isUnasked(element: Element): boolean {
  return !waiting.has(element) && !askedByElement.has(element);
}

function wasAskedLongAgo(element: Element): boolean {
  const asked = askedByElement.get(element);
  return asked !== undefined && performance.now() - asked.time > ASKED_LONG_AGO;
}

function note(element: Element): void {
  if (waiting.has(element) || hasKnownClosedRoot(element) || shadowRootOf(element)) return;
  const asked = askedByElement.get(element);
  if (asked === undefined || asked.look !== lookOf(element)) waiting.add(element);
}

// Measuring what is not shown would have the browser lay it out.
function lookOf(element: Element): string {
  if (!checkVisibility(element)) return String(element.childNodes.length);
  const { width, height } = boundsOf(element);
  return `${width}x${height}:${element.childNodes.length}`;
}

/** Style that is asked for only when it is needed. */
class LazilyStyled implements Styled {
  readonly #element: Element;

  constructor(element: Element) {
    this.#element = element;
  }

  get style(): CSSStyleDeclaration {
    return getComputedStyle(this.#element);
  }
}

// Only elements without child elements are looked at: others show by a child without a box.
function showsWhatItDoesNotHold(element: Element, styled: Styled): boolean {
  const first = firstChildOf(element);
  if (first === null) return hasBox(element) ? isPlainBox(styled) : isPlaceOfItsOwn(element, styled);
  if (!(first instanceof Text) || nextSiblingOf(first) !== null || !isNotDrawn(first)) return false;
  const isBlank = first.data.trim() === '';
  if (!hasBox(element)) return (!isBlank && isRendered(element, styled)) || isPlaceOfItsOwn(element, styled);
  return !isBlank || isPlainBox(styled);
}

function isEmpty(element: Element): boolean {
  return firstChildOf(element) === null;
}

function isRendered(element: Element, { style }: Styled): boolean {
  return checkVisibility(element) || style.display === 'contents';
}

const drawnTexts = new WeakSet<Text>();

// Measuring text is slow; a text that was drawn once is taken to be drawn as long as it lives.
function isNotDrawn(text: Text): boolean {
  if (drawnTexts.has(text)) return false;
  range.selectNode(text);
  if (range.getClientRects().length === 0) return true;
  drawnTexts.add(text);
  return false;
}

/** Nothing is painted that would explain the box. */
function isPlainBox({ style }: Styled): boolean {
  return (
    style.backgroundColor === 'rgba(0, 0, 0, 0)' &&
    style.backgroundImage === 'none' &&
    style.borderTopWidth === '0px' &&
    style.borderBottomWidth === '0px'
  );
}

// What is shown apart from the page, such as the button of a chat, hangs on an element without a size right below the body.
function isPlaceOfItsOwn(element: Element, styled: Styled): boolean {
  const parent = parentNodeOf(element);
  const isOnTop =
    parent instanceof HTMLBodyElement || parent instanceof HTMLHtmlElement || parent instanceof ShadowRoot;
  return (isOnTop && checkVisibility(element)) || (!checkVisibility(element) && styled.style.display === 'contents');
}

function hasBox(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width > 0 && height > 0;
}
