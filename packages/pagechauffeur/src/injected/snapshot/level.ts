import { markIncomplete, measured } from '../dependencies.ts';
import { flatChildren, flatParent } from '../tree/composed-tree.ts';
import {
  boundsOf,
  firstChildOf,
  firstElementOf,
  localNameOf,
  nextSiblingOf,
  queryAll,
  queryCount,
  textContentOf,
  hasAttribute,
} from '../native.ts';
import { newRange } from '../native-document.ts';
import type { Actionability } from './clickable/actionable.ts';
import { noteHost } from '../exploration/host-candidates.ts';
import { listensForItself } from './clickable/listened.ts';
import { elementsWithHoverCursor } from './clickable/reacting-parts.ts';
import { SHAPES } from './clickable/served-items.ts';
import { InlineLinks, LineList } from './lines/line-list.ts';
import type { Recording } from './reuse/known-parts.ts';
import { MIN_OPACITY } from '../styles/computed-style.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';
import type { WireNode } from '../contract.ts';
import { childrenOf } from './lines/wire-line.ts';

export interface EntryContext {
  readonly list: LineList;
  readonly inside: Surroundings;
  /** `null` for a child of a shadow root or slot, and for the root of the walk. */
  readonly parent: Visit | null;
  /** True if the style of the content may have changed since the last snapshot. */
  readonly isStale: boolean;
}

/** Facts about an element's line, collected before its content is visited. */
export interface LineFacts {
  readonly role: string;
  readonly actionability: Actionability;
  readonly ref: number;
  /** Scroll position such as `scrolled 40%`; `null` at the top. */
  readonly scrolled: string | null;
}

/** An element whose content is being visited. Kept on an explicit stack, because recursion overflows on deep pages. */
export interface Level extends EntryContext {
  readonly visit: Visit;
  /** Receives the element's own line. Equals `list` if there is none. */
  readonly outer: LineList;
  /** Number of lines in the list before those of the content. */
  readonly start: number;
  readonly line: LineFacts | null;
  /** Determines how the element's text is separated from its neighbors. */
  readonly display: string;
  readonly isTextShown: boolean;
  /** The remaining content: `nodes` from `index` on, or `sibling` and those after it. */
  readonly nodes: readonly Node[] | null;
  index: number;
  sibling: Node | null;
  /** Records what the element's lines depend on. `null` if they cannot be used again. */
  readonly recording: Recording | null;
}

interface Content extends Pick<Level, 'parent' | 'nodes' | 'sibling'> {
  /** The whole text of an element without child elements. A string avoids a wrapper object per text node. */
  readonly text: string;
}

const NOTHING: Content = { parent: null, nodes: null, sibling: null, text: '' };

/**
 * Returns what to visit in the element. If its only content is text whose box need not be checked, returns that as one
 * string. `served`: elements that the closest listener is for.
 */
export function contentOf(visit: Visit, hasTextToCheck: boolean, served: Surroundings['served']): Content {
  const { element, tag } = visit;
  if (isLeaf(visit) && !(tag === 'svg' && holdsServed(element, served))) return NOTHING;
  // Its animations are part of its content, and no event reports them.
  if (tag === 'svg' && queryCount(element, 'animate, animateTransform, set') > 0) markIncomplete();
  const isChildless = firstElementOf(element) === null;
  const text = isChildless ? (textContentOf(element) ?? '') : '';
  const showsItsText = visit.isTextRendered && text !== '';
  if (visit.facts.mayBeHost && !visit.isHost && !showsItsText) noteHost(element, tag, visit);
  if (visit.isHost || tag === 'slot') return { ...NOTHING, nodes: flatChildren(element) };
  if (tag === 'object' && hasHiddenContent(element)) return NOTHING;
  if (tag === 'option' && hasAttribute(element, 'label') && measured(element, hasHiddenContent)) return NOTHING;
  if (tag === 'details' && !showsDetails(element))
    return { ...NOTHING, parent: visit, nodes: flatChildren(element).filter(isSummary) };
  if (!hasTextToCheck && isChildless) return { parent: null, nodes: null, sibling: null, text };
  return { parent: visit, nodes: null, sibling: firstChildOf(element), text: '' };
}

/** Returns `null` at the end. */
export function takeNext(level: Level): Node | null {
  const { nodes, sibling } = level;
  if (nodes !== null) {
    level.index += 1;
    return nodes[level.index - 1] ?? null;
  }
  if (sibling !== null) level.sibling = nextSiblingOf(sibling);
  return sibling;
}

/** Style sheets can show the content of closed details and hide that of open ones. */
function showsDetails(element: Element): boolean {
  const { contentVisibility, opacity, height, overflowY } = getComputedStyle(element, '::details-content');
  if (contentVisibility === 'hidden' || Number(opacity) < MIN_OPACITY) return false;
  return overflowY === 'visible' || height !== '0px';
}

/** True if an object shows its data, or an option its label, so the content of the element is not rendered. */
function hasHiddenContent(element: Element): boolean {
  const range = newRange();
  range.selectNodeContents(element);
  return range.getClientRects().length === 0;
}

function isSummary(node: Node): boolean {
  return node instanceof Element && localNameOf(node) === 'summary';
}

function isLeaf({ element, tag, facts }: Visit): boolean {
  return facts.isLeaf || (tag === 'select' && !isListBox(element)) || (tag === 'svg' && !hasReadableParts(element));
}

function isListBox(element: Element): boolean {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1);
}

function holdsServed(svg: Element, served: Surroundings['served']): boolean {
  return served !== null && queryAll(svg, SHAPES).some((shape) => served.has(shape));
}

function hasReadableParts(svg: Element): boolean {
  return queryAll(svg, 'a, text, foreignObject, [tabindex], [role], [onclick]').length > 0 || hasUsableShapes(svg);
}

/**
 * In CSS pixels. Smaller SVGs are icons. In larger ones, at most `MAX_SHAPES` descendants are checked.
 */
const ICON_SIZE = 48;
const MAX_SHAPES = 60;

function hasIconSize(svg: Element): boolean {
  const { width, height } = boundsOf(svg);
  return width <= ICON_SIZE && height <= ICON_SIZE;
}

/** True for an SVG with clickable shapes, such as a map or a chart. */
function hasUsableShapes(svg: Element): boolean {
  if (measured(svg, hasIconSize)) return false;
  const shapes = queryAll(svg, '*').slice(0, MAX_SHAPES);
  return shapes.some(
    (shape) =>
      listensForItself(shape) ||
      getComputedStyle(shape).cursor === 'pointer' ||
      elementsWithHoverCursor(document)?.has(shape) === true,
  );
}

/** Collects lines outside an open modal dialog. They cannot be used until the dialog closes. */
export class BehindModal {
  readonly #modal: Element;
  readonly #around = new Set<Element>();
  readonly #list = new LineList(false, new InlineLinks());

  constructor(modal: Element) {
    this.#modal = modal;
    for (let node = flatParent(modal); node; node = flatParent(node)) this.#around.add(node);
  }

  /** Returns the list for an outermost element outside the dialog; `null` for other elements. */
  listFor(element: Element): LineList | null {
    if (element === this.#modal || this.#around.has(element)) return null;
    const parent = flatParent(element);
    return parent !== null && this.#around.has(parent) ? this.#list : null;
  }

  /** Returns where to add text in an ancestor of the dialog; `null` for other elements. */
  textPlace({ visit, inside }: Level): Pick<Level, 'list' | 'visit' | 'inside'> | null {
    return this.#around.has(visit.element) ? { list: this.#list, visit, inside } : null;
  }

  get lineCount(): number {
    this.#list.breakText();
    let count = 0;
    const waiting: (readonly WireNode[])[] = [this.#list.lines];
    for (let lines = waiting.pop(); lines; lines = waiting.pop()) {
      count += lines.length;
      for (const line of lines) if (typeof line !== 'string') waiting.push(childrenOf(line));
    }
    return count;
  }
}
