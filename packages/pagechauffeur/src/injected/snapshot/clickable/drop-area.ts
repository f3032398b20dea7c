import { memoised } from '../../memo.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { measured } from '../../dependencies.ts';
import { attributeOf, boundsOf, childrenOf, isConnected, localNameOf, textContentOf } from '../../native.ts';
import { colorOf } from '../visibility/painting/color.ts';
import { hasOwnText } from './requested-kinds.ts';
import { kindOf as firstClassOf } from './nested-items.ts';

interface Visited {
  readonly element: Element;
  readonly tag: string;
  display(): string;
}

/** Maximum containers of draggable elements that count as drop targets. */
const MAX_AREAS = 24;

/** Draggable elements in the last snapshot. */
let known: readonly WeakRef<Element>[] = [];

/**
 * Finds drop targets and, if the instruction is about dragging, elements that it may refer to. A listener on an
 * ancestor does not show which descendants are drop targets, so this checks attributes, ids, classes and containers.
 */
export class DropArea {
  readonly #draggables: readonly Element[];
  /** Containers of draggable elements. For those without a class, also siblings with the same tag and no class. */
  readonly #places = new Set<Element>();
  readonly #kinds = new Set<string>();
  readonly #isRequested: boolean;

  constructor(instruction: string) {
    this.#draggables = known.flatMap((held) => held.deref() ?? []).filter(isConnected);
    this.#isRequested = ABOUT_DRAGGING.test(instruction);
    for (const area of parentAreas(this.#draggables)) this.#addArea(area);
  }

  /** True if no draggable element is known and the instruction is not about dragging. */
  get isNone(): boolean {
    return this.#draggables.length === 0 && !this.#isRequested;
  }

  /** True if the draggable elements differ from those in the last snapshot. Stores them for the next. */
  isOther(draggables: readonly Element[]): boolean {
    const isAsKnown =
      draggables.length === this.#draggables.length &&
      draggables.every((element, index) => element === this.#draggables[index]);
    if (!isAsKnown) known = draggables.map((element) => new WeakRef(element));
    return !isAsKnown;
  }

  isDropArea({ element, tag }: Visited): boolean {
    if (tag === 'body' || tag === 'html') return false;
    if (this.#places.has(element) || this.#kinds.has(kindOf(element))) return true;
    return hasDropAttribute(element) || (!CELL_TAGS.has(tag) && authoredTokens(element).some(isAreaWord));
  }

  /** True if an instruction about dragging may refer to the element, as source or target. */
  mayBeRequested(visit: Visited, role: string): boolean {
    const { element, tag } = visit;
    if (!this.#isRequested || tag === 'body' || tag === 'html') return false;
    if (REQUESTED_ROLES.has(role) || isNamedHandle(element)) return true;
    if (role !== 'generic' || visit.display().startsWith('inline')) return false;
    return hasOwnText(element) || (isEmpty(element) && !isGridLine(element));
  }

  /** True if an instruction about dragging may need this handle in an item. Its parts have similar classes. */
  isRequestedHandle({ element }: Visited): boolean {
    if (!this.#isRequested || !isNamedHandle(element)) return false;
    const parent = flatParent(element);
    return parent !== null && !isNamedHandle(parent);
  }

  #addArea(area: Element): void {
    this.#places.add(area);
    if (kindOf(area) !== '') this.#kinds.add(kindOf(area));
    else for (const sibling of siblingsOf(area)) if (isAlike(sibling, area)) this.#places.add(sibling);
  }
}

/** Matches instructions about dragging, in several languages. */
const ABOUT_DRAGGING =
  /\bdrag|\bdrop\b(?![ -]?down)|\b(?:reorder|rearrange|swap)\b|\bmove\b.+\b(?:to|into|onto|above|below|before|after|between|under|behind)\b|\b(?:ziehe?|verschiebe?n?|glisse[rz]?|d[ée]place[rz]?|arrastra|mueve|trascina|sposta)\b|перета[щс]|ドラッグ|拖/i;

const REQUESTED_ROLES: ReadonlySet<string> = new Set(
  'article cell columnheader figure gridcell group heading img list listitem region row rowheader'.split(' '),
);

const AREA_WORDS: ReadonlySet<string> = new Set(
  'basket bin bucket column lane pile slot sortable swimlane target trash trashcan zone'.split(' '),
);
/** The classes of cells are about the columns of their table. */
const CELL_TAGS: ReadonlySet<string> = new Set(['col', 'td', 'th']);
const HANDLE_WORDS: ReadonlySet<string> = new Set('grip handle knob sortable thumb'.split(' '));

function isAreaWord(word: string): boolean {
  return AREA_WORDS.has(word) || /^drop(?!down|cap|shadow|let)/.test(word);
}

function isHandleWord(word: string): boolean {
  return HANDLE_WORDS.has(word) || word.startsWith('drag');
}

function isNamedHandle(element: Element): boolean {
  return authoredTokens(element).some(isHandleWord);
}

function authoredTokens(element: Element): readonly string[] {
  const names = `${attributeOf(element, 'id') ?? ''} ${attributeOf(element, 'class') ?? ''}`;
  if (names.length === 1) return NONE;
  return names
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

const NONE: readonly never[] = [];

function hasDropAttribute(element: Element): boolean {
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    if (name === 'aria-dropeffect') return attributeOf(element, name) !== 'none';
    if (/^on(?:drop|dragover|dragenter)$|\bdroppable\b/.test(name)) return true;
  }
  return false;
}

/** Returns the parents of the elements; if there are too many, the grandparents; if still too many, nothing. */
function parentAreas(elements: readonly Element[]): ReadonlySet<Element> {
  const holders = holdersOf(elements);
  if (holders.size <= MAX_AREAS) return holders;
  const outer = holdersOf([...holders]);
  return outer.size <= MAX_AREAS ? outer : new Set();
}

function holdersOf(elements: readonly Element[]): Set<Element> {
  const holders = new Set<Element>();
  for (const element of elements) {
    const holder = flatParent(element);
    if (holder instanceof HTMLElement && !(holder instanceof HTMLBodyElement)) holders.add(holder);
  }
  return holders;
}

/** Elements with the same tag and classes are of one kind. Returns `''` without classes. */
function kindOf(element: Element): string {
  const classes = attributeOf(element, 'class')?.trim() ?? '';
  return classes === '' ? '' : `${localNameOf(element)} ${classes}`;
}

function siblingsOf(element: Element): readonly Element[] {
  const parent = flatParent(element);
  return parent ? childrenOf(parent) : NONE;
}

function isAlike(one: Element, other: Element): boolean {
  return localNameOf(one) === localNameOf(other) && kindOf(one) === '';
}

/** True for an empty box that is only a line, or one of many with lines between them, as behind a chart. */
function isGridLine(element: Element): boolean {
  if (measured(element, isThin)) return true;
  const style = getComputedStyle(element);
  if (style.position !== 'absolute' || style.backgroundImage !== 'none' || colorOf(style.backgroundColor)[3] > 0)
    return false;
  if (BORDERS.every((border) => Number.parseFloat(style[border]) > 0)) return false;
  const parent = flatParent(element);
  return parent !== null && (countsByKind(parent).get(firstClassOf(element)) ?? 0) >= MIN_LINES;
}

function isThin(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return Math.min(width, height) < MIN_SIDE;
}

const countsByKind = memoised((parent: Element): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const child of childrenOf(parent)) {
    const kind = firstClassOf(child);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
});

const BORDERS = ['borderTopWidth', 'borderRightWidth', 'borderBottomWidth', 'borderLeftWidth'] as const;
/** Minimum empty boxes of a kind that count as a grid. */
const MIN_LINES = 4;
/** In CSS pixels. */
const MIN_SIDE = 3;

// An empty element, such as a list without items, can be a drop target.
function isEmpty(element: Element): boolean {
  return (textContentOf(element) ?? '').trim() === '' && childrenOf(element).length === 0;
}
