import { ariaLabelOf } from '../aria/author-name.ts';
import { rolesNamedByContent } from '../aria/role-names.ts';
import { shadowRootOf } from '../composed-tree.ts';
import { visitElements } from '../composed-walk.ts';
import type { WireNode } from '../contract.ts';
import { flatChildren } from '../flat-tree.ts';
import { nameOf } from '../name.ts';
import {
  attributeOf,
  checkVisibility,
  contains,
  firstChildOf,
  hasAttribute,
  localNameOf,
  nextSiblingOf,
  queryAll,
  textContentOf,
} from '../native.ts';
import { refOf } from '../refs.ts';
import { roleOf } from '../role.ts';
import { treeScopeOf } from '../tree-scope.ts';
import { isNotRendered } from '../visibility.ts';
import { actionabilityOf, type Actionability, isWhole } from './actionable.ts';
import { collapse, wireNode } from './collapse.ts';
import { noteHost, noteHostOf } from './host-candidates.ts';
import { LineList } from './line-list.ts';
import { holdsPlace, isNamedBySight, makesLine } from './line-roles.ts';
import { plainName } from './plain-name.ts';
import { propertiesOf } from './properties.ts';
import { isSpared } from './spared-line.ts';
import type { StyleReach } from './style-reach.ts';
import { surroundingsAt, surroundingsInside, type Surroundings } from './surroundings.ts';
import { Visit, type VisitedTree } from './visit.ts';

const unreadTags: ReadonlySet<string> = new Set(
  'datalist head link meta noscript param rp script source style template title track'.split(' '),
);
const leafTags: ReadonlySet<string> = new Set(
  'audio embed frame hr iframe img input meter progress textarea video'.split(' '),
);
/** Elements nested deeper than this are read as one level: the stack is not endless. */
const MAX_DEPTH = 400;
/** Lines nested deeper than this stand side by side: the browser answers with 300 levels of JSON at most, and a line takes two. */
const MAX_LINE_DEPTH = 120;

/** One walk over the flat tree of a document, from which its lines come. */
export class Walk {
  elementCount = 0;
  readonly #numberByRole = new Map<string, number>();
  #depth = 0;
  #lineDepth = 0;
  readonly #ignored: ReadonlySet<Element>;
  readonly #modal: Element | null;
  readonly #documentTree: VisitedTree;
  readonly #shadowTree: VisitedTree;

  constructor(ignored: ReadonlySet<Element>, modal: Element | null, reach: StyleReach | null) {
    this.#ignored = ignored;
    this.#modal = modal;
    this.#documentTree = { modal, reach };
    this.#shadowTree = { modal, reach: null };
  }

  /** The roles of the lines so far, in the order of their numbers. */
  get roles(): readonly string[] {
    return [...this.#numberByRole.keys()];
  }

  /** The lines of an element and of what is below it. */
  linesOf(element: Element): readonly WireNode[] {
    const list = new LineList();
    const isInert = this.#modal !== null && !contains(this.#modal, element);
    const around: Surroundings = {
      isTextTold: true,
      cut: 'none',
      isInert,
      isAriaHidden: false,
      isPointer: false,
      isInActionable: false,
    };
    this.#element(element, list, { inside: around, parent: null });
    list.breakText();
    return list.lines;
  }

  #element(element: Element, list: LineList, { inside: around, parent }: Place): void {
    const tag = localNameOf(element);
    if (unreadTags.has(tag) || this.#ignored.has(element)) return;
    this.elementCount += 1;
    const visit = new Visit(element, tag, parent?.tree ?? this.#treeOf(element), parent);
    if (!visit.isSeen && !isRendered(visit)) return;
    if (visit.isMarked && attributeOf(element, 'hidden') === 'until-found') return;
    this.#rendered(visit, list, surroundingsAt(visit, around));
  }

  #treeOf(element: Element): VisitedTree {
    return treeScopeOf(element) === document ? this.#documentTree : this.#shadowTree;
  }

  #rendered(visit: Visit, list: LineList, here: Surroundings): void {
    const { element } = visit;
    const role = roleOf(element);
    const isVisible = visit.isVisible();
    const actionability = isVisible ? actionabilityOf(visit, role, here) : 'none';
    const isActionable = actionability !== 'none';
    const isOne = isWhole(role, actionability);
    const isPointer = here.isInActionable || isOne ? here.isPointer : visit.isPointer();
    const inside = surroundingsInside(here, isPointer, isOne);
    if (isVisible && (isActionable || makesLine(element, role, visit.isMarked))) {
      const line = this.#line(visit, { role, actionability, inside });
      for (const node of line) list.addLine(node);
      return;
    }
    const display = visit.display();
    if (display === 'inline' || display === 'contents') {
      this.#children(visit, list, inside);
      return;
    }
    separate(list, display);
    this.#children(visit, list, inside);
    separate(list, display);
  }

  /** The line of an element; what is below it instead, when the line itself would say nothing. */
  #line(visit: Visit, { role, actionability, inside }: LineFacts): readonly WireNode[] {
    const { element } = visit;
    const isActionable = actionability !== 'none';
    const ref = isActionable ? refOf(element) : 0;
    const below = new LineList();
    this.#lineDepth += 1;
    this.#children(visit, below, inside);
    this.#lineDepth -= 1;
    below.breakText();
    const name = lineName(visit, role, isActionable);
    if (!isActionable && name === '' && below.lines.length === 0 && !holdsPlace(role)) return [];
    if (!isActionable && name === '' && isNothingButItsContent(role, below.lines)) return below.lines;
    if (isSpared({ visit, role, name, actionability, lines: below.lines })) return below.lines;
    const properties =
      isActionable || visit.isMarked || rolesWithFacts.has(role) ? propertiesOf(visit, role, actionability) : 0;
    const isNamedByContent = rolesNamedByContent.has(role);
    const line = { role: this.#roleNumber(role), name, ref, properties, children: below.lines, isNamedByContent };
    return this.#lineDepth < MAX_LINE_DEPTH ? [collapse(line)] : [wireNode(line, name, []), ...below.lines];
  }

  #roleNumber(role: string): number {
    const known = this.#numberByRole.get(role);
    if (known !== undefined) return known;
    const number = this.#numberByRole.size;
    this.#numberByRole.set(role, number);
    return number;
  }

  #children(visit: Visit, list: LineList, inside: Surroundings): void {
    const { element, tag } = visit;
    if (tag === 'br') list.addText(' ');
    if (isLeaf(element, tag)) return;
    const isTextTold = inside.isTextTold && inside.cut === 'none' && visit.isVisible();
    const root = shadowRootOf(element);
    if (!root) noteHost(element, tag, visit);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#flattened(root ?? element, list, { inside, isTextTold });
    else if (root || tag === 'slot')
      for (const node of flatChildren(element))
        this.#node(node, list, { inside, isTextTold, holder: visit, parent: null });
    else this.#childNodes(visit, list, { inside, isTextTold, holder: visit, parent: visit });
    this.#depth -= 1;
  }

  #childNodes({ element, tag }: Visit, list: LineList, within: Within): void {
    const isClosed = tag === 'details' && !hasAttribute(element, 'open');
    for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
      if (!isClosed || (node instanceof Element && localNameOf(node) === 'summary')) this.#node(node, list, within);
    }
  }

  #node(node: Node, list: LineList, within: Within): void {
    if (node instanceof Element) this.#element(node, list, within);
    else if (within.isTextTold && node instanceof Text) addText(list, node.data, within.holder);
  }

  /** What is nested deeper than the protocol and the stack can carry, all on one level. */
  #flattened(root: ParentNode, list: LineList, { inside, isTextTold }: Pick<Within, 'inside' | 'isTextTold'>): void {
    if (this.#depth > MAX_DEPTH + 1) return;
    if (isTextTold) list.addText(textContentOf(root) ?? '');
    const silent: Place = { inside: { ...inside, isTextTold: false }, parent: null };
    visitElements(root, (element) => {
      if (!isNotRendered(element)) this.#element(element, list, silent);
    });
  }
}

/** Where an element is visited. */
interface Place {
  readonly inside: Surroundings;
  /** The parent; null for what a shadow root or a slot shows, and for where the walk begins. */
  readonly parent: Visit | null;
}

interface Within extends Place {
  readonly isTextTold: boolean;
  /** What the text is shown in. */
  readonly holder: Visit;
}

// Without a box: not rendered at all, `display: contents`, part of a canvas or of an image map, or skipped by `content-visibility`.
function isRendered(visit: Visit): boolean {
  const { element, tag } = visit;
  const display = visit.display();
  if (display === '') noteHostOf(element);
  if (display === 'none') return tag === 'area';
  if (display === '') return false;
  return (
    display === 'contents' || checkVisibility(element) || Element.prototype.closest.call(element, 'canvas') !== null
  );
}

interface LineFacts {
  readonly role: string;
  readonly actionability: Actionability;
  readonly inside: Surroundings;
}

function lineName(visit: Visit, role: string, isActionable: boolean): string {
  const { element, isMarked } = visit;
  if (isNamedBySight(role)) {
    return isMarked && (ariaLabelOf(element) !== '' || hasAttribute(element, 'aria-labelledby')) ? nameOf(element) : '';
  }
  if (!isActionable && !isMarked && !mayBeNamedByChild.has(role)) return '';
  return plainName(visit, role) ?? nameOf(element);
}

/** Roles whose lines may say more than their name, also without any attribute that marks them. */
const rolesWithFacts: ReadonlySet<string> = new Set(['heading', 'img', 'meter', 'progressbar']);
const mayBeNamedByChild: ReadonlySet<string> = new Set(['group', 'table', 'img', 'status', 'meter', 'progressbar']);

function addText(list: LineList, text: string, holder: Visit): void {
  if (text.trim() === '') list.addText(' ');
  else if (holder.drawsText()) list.addText(text);
}

function separate(list: LineList, display: string): void {
  if (display.startsWith('inline')) list.addText(' ');
  else if (display !== 'ruby') list.breakText();
}

// A picture without a name is what is drawn in it, and an item with one line in it is that line.
function isNothingButItsContent(role: string, lines: readonly WireNode[]): boolean {
  return role === 'img' || (role === 'listitem' && lines.length === 1 && typeof lines[0] !== 'string');
}

function isLeaf(element: Element, tag: string): boolean {
  return (
    leafTags.has(tag) || (tag === 'select' && !isListBox(element)) || (tag === 'svg' && !hasReadableParts(element))
  );
}

function isListBox(element: Element): boolean {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1);
}

function hasReadableParts(svg: Element): boolean {
  return queryAll(svg, 'a, text, foreignObject, [tabindex], [role], [onclick]').length > 0;
}
