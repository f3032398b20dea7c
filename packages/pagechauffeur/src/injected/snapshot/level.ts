import { shadowRootOf } from '../composed-tree.ts';
import { flatChildren } from '../flat-tree.ts';
import {
  boundsOf,
  firstChildOf,
  firstElementOf,
  hasAttribute,
  localNameOf,
  nextSiblingOf,
  queryAll,
  textContentOf,
} from '../native.ts';
import type { Actionability } from './actionable.ts';
import { noteHost } from './host-candidates.ts';
import { listensForItself } from './listened.ts';
import type { LineList } from './line-list.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';

/** Where elements are visited. */
export interface Place {
  /** Takes what is told of them. */
  readonly list: LineList;
  readonly inside: Surroundings;
  /** The parent; null for what a shadow root or a slot shows, and for where the walk begins. */
  readonly parent: Visit | null;
}

/** What is known of an element that gets a line, before the walk looks at what is below it. */
export interface LineFacts {
  readonly role: string;
  readonly actionability: Actionability;
  readonly ref: number;
  /** How far its content is scrolled, where it is. */
  readonly scrolled: string | null;
}

/** An element that the walk is inside of: pages are nested deeper than calls can be. */
export interface Level extends Place {
  readonly visit: Visit;
  /** Takes what is told of the element itself; another list than that of its content when it gets a line. */
  readonly outer: LineList;
  /** How many lines there were before those of its content. */
  readonly start: number;
  /** Its line; null when only its content is told. */
  readonly line: LineFacts | null;
  /** How its box stands in the text around it. */
  readonly display: string;
  readonly isTextTold: boolean;
  /** What it shows, as far as the walk has not come to it: a list with a place in it, or the next of siblings. */
  readonly nodes: readonly Node[] | null;
  index: number;
  sibling: Node | null;
}

interface Content extends Pick<Level, 'parent' | 'nodes' | 'sibling'> {
  /** All its text, where it holds nothing else; no object is made of a node then, which the browser would make anew in each snapshot. */
  readonly text: string;
}

const NOTHING: Content = { parent: null, nodes: null, sibling: null, text: '' };

/** What an element shows. Texts are asked for as nodes where the places of theirs have to be looked at. */
export function contentOf(visit: Visit, hasPlacesToLookAt: boolean): Content {
  const { element, tag } = visit;
  if (isLeaf(element, tag)) return NOTHING;
  const root = shadowRootOf(element);
  if (!root) noteHost(element, tag, visit);
  if (root || tag === 'slot') return { ...NOTHING, nodes: flatChildren(element) };
  if (tag === 'details' && !hasAttribute(element, 'open'))
    return { ...NOTHING, parent: visit, nodes: flatChildren(element).filter(isSummary) };
  if (!hasPlacesToLookAt && firstElementOf(element) === null)
    return { parent: null, nodes: null, sibling: null, text: textContentOf(element) ?? '' };
  return { parent: visit, nodes: null, sibling: firstChildOf(element), text: '' };
}

/** The next node that an element shows, each once. */
export function takeNext(level: Level): Node | null {
  const { nodes, sibling } = level;
  if (nodes !== null) {
    level.index += 1;
    return nodes[level.index - 1] ?? null;
  }
  if (sibling !== null) level.sibling = nextSiblingOf(sibling);
  return sibling;
}

function isSummary(node: Node): boolean {
  return node instanceof Element && localNameOf(node) === 'summary';
}

const leafTags: ReadonlySet<string> = new Set(
  'audio embed frame hr iframe img input meter progress textarea video'.split(' '),
);

function isLeaf(element: Element, tag: string): boolean {
  return (
    leafTags.has(tag) || (tag === 'select' && !isListBox(element)) || (tag === 'svg' && !hasReadableParts(element))
  );
}

function isListBox(element: Element): boolean {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1);
}

function hasReadableParts(svg: Element): boolean {
  return queryAll(svg, 'a, text, foreignObject, [tabindex], [role], [onclick]').length > 0 || hasUsableShapes(svg);
}

/** Drawings up to this size are icons; of larger ones so many shapes are asked for their pointer. */
const ICON_SIZE = 48;
const MOST_SHAPES = 60;

/** Whether shapes of a drawing, such as those of a map or a chart, are there to be clicked. */
function hasUsableShapes(svg: Element): boolean {
  const { width, height } = boundsOf(svg);
  if (width <= ICON_SIZE && height <= ICON_SIZE) return false;
  const shapes = queryAll(svg, '*').slice(0, MOST_SHAPES);
  return shapes.some((shape) => listensForItself(shape) || getComputedStyle(shape).cursor === 'pointer');
}
