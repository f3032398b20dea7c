import { flatParent } from '../composed-tree.ts';
import { attributeOf, childrenOf, isConnected, localNameOf, textContentOf } from '../native.ts';
import { hasOwnText } from './meant-kinds.ts';

/** An element that the walk is at. */
interface Visited {
  readonly element: Element;
  readonly tag: string;
  /** The computed `display`. */
  display(): string;
}

/** Things that stand in more places than this stand in no places to drop on. */
const MOST_PLACES = 24;

/** Elements that could be dragged when the document was read last. */
let known: readonly WeakRef<Element>[] = [];

/**
 * Where something may be dropped, and in a document of which an instruction says that something is to be dragged also what
 * it may be. Scripts listen for it unseen, so it is told by what the author wrote: attributes, names, and other elements of
 * the same kind. A document without draggable elements has none.
 */
export class DropArea {
  readonly #draggables: readonly Element[];
  /** What draggable elements stand in, and what stands beside that and looks alike. */
  readonly #places = new Set<Element>();
  readonly #kinds = new Set<string>();
  readonly #isAskedFor: boolean;

  constructor(instruction: string) {
    this.#draggables = known.flatMap((held) => held.deref() ?? []).filter(isConnected);
    this.#isAskedFor = ABOUT_DRAGGING.test(instruction);
    for (const place of placesAround(this.#draggables)) this.#addPlace(place);
  }

  /** Whether nothing is dragged in the document as far as is known. */
  get isNone(): boolean {
    return this.#draggables.length === 0 && !this.#isAskedFor;
  }

  /** Whether other elements can be dragged than those that were known; from now on these are. */
  isOther(draggables: readonly Element[]): boolean {
    const isAsKnown =
      draggables.length === this.#draggables.length &&
      draggables.every((element, place) => element === this.#draggables[place]);
    if (!isAsKnown) known = draggables.map((element) => new WeakRef(element));
    return !isAsKnown;
  }

  /** Whether something may be dropped on an element. */
  isPlace({ element, tag }: Visited): boolean {
    if (tag === 'body' || tag === 'html') return false;
    if (this.#places.has(element) || this.#kinds.has(kindOf(element))) return true;
    return hasDropAttribute(element) || authorWords(element).some(isPlaceWord);
  }

  /** Whether an instruction to drag may mean an element, as what is dragged or as what is there to drop on. */
  mayBeMeant(visit: Visited, role: string): boolean {
    const { element, tag } = visit;
    if (!this.#isAskedFor || tag === 'body' || tag === 'html') return false;
    if (MEANT_ROLES.has(role) || authorWords(element).some(isHandleWord)) return true;
    return role === 'generic' && (isEmpty(element) || hasOwnText(element)) && !visit.display().startsWith('inline');
  }

  #addPlace(place: Element): void {
    this.#places.add(place);
    if (kindOf(place) !== '') this.#kinds.add(kindOf(place));
    else for (const sibling of siblingsOf(place)) if (isAlike(sibling, place)) this.#places.add(sibling);
  }
}

/** What the author calls an element without words and content, such as a bin; empty when that is nothing. */
export function authorNameOf(element: Element): string {
  return (attributeOf(element, 'id') || attributeOf(element, 'class') || '').trim();
}

/** In the tongues that people instruct in most. */
const ABOUT_DRAGGING =
  /\bdrag|\bdrop\b(?![ -]?down)|\b(?:reorder|rearrange|swap)\b|\bmove\b.+\b(?:to|into|onto|above|below|before|after|between|under|behind)\b|\b(?:ziehe?|verschiebe?n?|glisse[rz]?|d[ée]place[rz]?|arrastra|mueve|trascina|sposta)\b|перета[щс]|ドラッグ|拖/i;

const MEANT_ROLES: ReadonlySet<string> = new Set(
  'article cell columnheader figure gridcell group heading img list listitem region row rowheader'.split(' '),
);

const PLACE_WORDS: ReadonlySet<string> = new Set(
  'basket bin bucket column lane pile slot sortable swimlane target trash trashcan zone'.split(' '),
);
const HANDLE_WORDS: ReadonlySet<string> = new Set('grip handle knob sortable thumb'.split(' '));

function isPlaceWord(word: string): boolean {
  return PLACE_WORDS.has(word) || /^drop(?!down|cap|shadow|let)/.test(word);
}

function isHandleWord(word: string): boolean {
  return HANDLE_WORDS.has(word) || word.startsWith('drag');
}

/** The words of an element's id and classes. */
function authorWords(element: Element): readonly string[] {
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

/** The elements that hold the things; where each thing has a holder of its own, what these stand in. */
function placesAround(things: readonly Element[]): ReadonlySet<Element> {
  const holders = holdersOf(things);
  if (holders.size <= MOST_PLACES) return holders;
  const outer = holdersOf([...holders]);
  return outer.size <= MOST_PLACES ? outer : new Set();
}

function holdersOf(things: readonly Element[]): Set<Element> {
  const holders = new Set<Element>();
  for (const thing of things) {
    const holder = flatParent(thing);
    if (holder instanceof HTMLElement && !(holder instanceof HTMLBodyElement)) holders.add(holder);
  }
  return holders;
}

/** Elements of one kind have the same tag and classes; '' where the classes say nothing. */
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

// A list that waits for its first thing.
function isEmpty(element: Element): boolean {
  return (textContentOf(element) ?? '').trim() === '' && childrenOf(element).length === 0;
}
