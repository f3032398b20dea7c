import { hasKnownClosedRoot } from '../composed-tree.ts';
import { boundsOf, firstChildOf, nextSiblingOf, parentNodeOf } from '../native.ts';

/** Tags other than custom elements that a shadow root can hang on. */
const hostTags: ReadonlySet<string> = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** Where the style of an element is read when it is needed. */
interface Styled {
  readonly style: CSSStyleDeclaration;
}

const waiting = new Set<Element>();
const lookWhenAsked = new WeakMap<Element, string>();
const range = new Range();

/** Notes the parent of an element that the page does not render although nothing hides it. */
export function noteHostOf(unrendered: Element): void {
  const parent = parentNodeOf(unrendered);
  if (parent instanceof Element) note(parent);
}

/** Notes an element without an open or known root if it may host a closed one. */
export function noteHost(element: Element, tag: string, styled: Styled): void {
  if (tag.includes('-')) note(element);
  else if (hostTags.has(tag) && showsWhatItDoesNotHold(element, styled)) note(element);
}

/** How many elements are noted and not yet taken. */
export function hostCandidateCount(): number {
  return waiting.size;
}

/** The noted elements; none of them is noted again unless it looks different by then. */
export function takeHostCandidates(): Element[] {
  const elements = [...waiting];
  waiting.clear();
  for (const element of elements) lookWhenAsked.set(element, lookOf(element));
  return elements;
}

function note(element: Element): void {
  if (waiting.has(element) || hasKnownClosedRoot(element)) return;
  const look = lookWhenAsked.get(element);
  if (look === undefined || look !== lookOf(element)) waiting.add(element);
}

function lookOf(element: Element): string {
  const { width, height } = boundsOf(element);
  return `${width}x${height}:${element.childNodes.length}`;
}

// Only elements without child elements are looked at: others show by a child without a box.
function showsWhatItDoesNotHold(element: Element, styled: Styled): boolean {
  const first = firstChildOf(element);
  if (first === null) return hasUnexplainedBox(element, styled);
  if (!(first instanceof Text) || nextSiblingOf(first) !== null || !isNotDrawn(first)) return false;
  if (styled.style.display === 'contents') return false;
  return first.data.trim() === '' ? hasUnexplainedBox(element, styled) : hasBox(element);
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

function hasUnexplainedBox(element: Element, styled: Styled): boolean {
  if (!hasBox(element)) return false;
  const { style } = styled;
  return (
    style.backgroundColor === 'rgba(0, 0, 0, 0)' &&
    style.backgroundImage === 'none' &&
    style.borderTopWidth === '0px' &&
    style.borderBottomWidth === '0px'
  );
}

function hasBox(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width > 0 && height > 0;
}
