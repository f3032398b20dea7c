import { PAGE_BOUNDS } from '../../../page-bounds.ts';
import { shadowRootsBelow } from '../../composed-walk.ts';
import { type Dependencies, isUnchanged, takeReportedChanges } from '../../dependencies.ts';
import {
  areaValueOf,
  attributeOf,
  baseUriOf,
  documentUrlOf,
  getter,
  hasAttribute,
  inputValueOf,
  isConnected,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  queryCount,
} from '../../native.ts';
import { activeElement } from '../../native-document.ts';
import { elementById } from '../../tree-scope.ts';
import { frameBackdrop } from '../visibility/background.ts';
import { forgetQueries } from '../visibility/document-queries.ts';
import { MAX_COMPARED_RULES, sheetsSignature } from '../visibility/sheets-signature.ts';
import type { StyleRules } from '../visibility/style-rules.ts';

/** Receives what a signal found. */
export interface Changes {
  /** Marks an element as different in itself. */
  touch(element: Element): void;
  /** Marks the content of an element as possibly different in any way. */
  markStale(element: Element): void;
  /** True if the element has no change inside, and none of its ancestors changed its style. */
  isAsBefore(element: Element): boolean;
}

/** Notices one kind of change since the last snapshot. */
interface Signal {
  /** Marks what changed. Returns false if everything may have. */
  apply(rules: StyleRules): boolean;
  close?(): void;
}

/**
 * The kinds of changes that can make lines of the last snapshot wrong. A declaration that a script edits inside a rule
 * is noticed only in documents with at most {@link MAX_COMPARED_RULES} rules.
 */
export const signalKinds: Record<string, (changes: Changes) => Signal> = {
  mutations: (changes) => new Mutations(changes),
  'style sheets': () => new Signature(() => sheetsSignature(document)),
  media: () => new Signature(({ media }) => [...media].map((query) => matchMedia(query).matches).join()),
  address: () => new Signature(() => `${documentUrlOf(document)} ${baseUriOf(document)}`),
  drawings: () => new Signature(() => String(queryCount(document, 'use') > 0)),
  'full screen': () => new Signature(() => String(queryCount(document, ':fullscreen'))),
  frame: () => new Signature(frameBackdrop),
  'position among siblings': (changes) => new Marks(changes, ({ marks }) => marks),
  'pointer and focus': (changes) => new PointerAndFocus(changes),
  'form fields': (changes) => new FieldStates(changes),
  animations: (changes) => new Elements(changes, ({ animated }) => animated, 'always'),
  'shadow roots': (changes) =>
    new Elements(changes, () => shadowRootsBelow(document).map(({ host }) => host), 'if new or gone'),
  'listeners and frames': (changes) => new ReportedChanges(changes),
};

/** What must be as before for the lines of one part. */
export const conditions: Record<string, (dependencies: Dependencies, changes: Changes) => boolean> = {
  layout: ({ measurements }) => measurements.every(isUnchanged),
  'referenced elements': ({ elements }, changes) =>
    elements.every((held) => {
      const element = held.deref();
      return element !== undefined && changes.isAsBefore(element);
    }),
};

export class Signals {
  readonly #signals: readonly Signal[];
  readonly #changes: Changes;
  readonly #fields: FieldStates | undefined;
  readonly #mutations: Mutations | undefined;

  constructor(changes: Changes) {
    this.#changes = changes;
    this.#signals = Object.values(signalKinds).map((make) => make(changes));
    this.#fields = this.#signals.find((signal) => signal instanceof FieldStates);
    this.#mutations = this.#signals.find((signal) => signal instanceof Mutations);
  }

  /** Returns false if everything may have changed. Each signal runs, because each remembers this state. */
  apply(rules: StyleRules): boolean {
    return this.#signals.map((signal) => signal.apply(rules)).every(Boolean);
  }

  hold(dependencies: Dependencies): boolean {
    return Object.values(conditions).every((isMet) => isMet(dependencies, this.#changes));
  }

  watchState(element: Element): void {
    this.#fields?.watch(element);
  }

  /** Notes mutations that were not reported yet. */
  flush(): void {
    this.#mutations?.flush();
  }

  close(): void {
    for (const signal of this.#signals) signal.close?.();
  }
}

/** With more changes since the last snapshot, the document is read completely. */
const MAX_MUTATIONS = 20_000;
/** Attributes by which elements elsewhere may refer to this one. */
const REFERRING: ReadonlySet<string | null> = new Set(['aria-owns', 'for', 'id']);
const siblingOfText = {
  before: getter<CharacterData, Element | null>(CharacterData.prototype, 'previousElementSibling'),
  after: getter<CharacterData, Element | null>(CharacterData.prototype, 'nextElementSibling'),
};

class Mutations implements Signal {
  readonly #changes: Changes;
  readonly #observer = new MutationObserver((records) => this.#note(records));
  #isWatching = false;
  #hasMissed = true;
  #count = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
    this.flush();
  }

  /** Notes mutations that the observer did not report yet. */
  flush(): void {
    this.#note(this.#observer.takeRecords());
    if (this.#isWatching) return;
    this.#observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    this.#isWatching = true;
    forgetQueries(true);
  }

  apply(): boolean {
    this.flush();
    const hasMissed = this.#hasMissed;
    this.#hasMissed = false;
    this.#count = 0;
    return !hasMissed;
  }

  close(): void {
    this.#hasMissed = true;
    this.#isWatching = false;
    this.#observer.disconnect();
    forgetQueries(false);
  }

  #note(records: readonly MutationRecord[]): void {
    this.#count += records.length;
    if (this.#count > MAX_MUTATIONS) this.close();
    if (!this.#isWatching) return;
    if (records.some(concernsElements)) forgetQueries(true);
    for (const record of records) this.#noteOne(record);
    this.#noteMoved(records.flatMap(movedElements));
  }

  #noteOne({ type, target, attributeName, previousSibling, nextSibling }: MutationRecord): void {
    // A script may replace the root element.
    if (target instanceof Document) return this.close();
    const element = target instanceof Element ? target : parentElementOf(target);
    if (!element) return;
    if (type === 'attributes') {
      if (REFERRING.has(attributeName)) this.close();
      this.#changes.markStale(element);
      return;
    }
    this.#changes.touch(element);
    for (const neighbour of [elementAt(previousSibling, 'before'), elementAt(nextSibling, 'after')])
      if (neighbour) this.#changes.markStale(neighbour);
  }

  #noteMoved(moved: readonly Element[]): void {
    for (const element of moved) if (isConnected(element)) this.#changes.markStale(element);
    const labels = moved.length === 0 ? [] : queryAll(document, 'label[for]');
    const movedLabels = moved.flatMap((element) => withDescendants(element, 'label[for]'));
    // A label and its field may be far from each other.
    for (const label of movedLabels) {
      const field = elementById(document, attributeOf(label, 'for') ?? '');
      if (field) this.#changes.markStale(field);
    }
    if (labels.length === 0) return;
    const ids = new Set(
      moved.flatMap((element) => withDescendants(element, '[id]')).map((one) => attributeOf(one, 'id')),
    );
    for (const label of labels) if (ids.has(attributeOf(label, 'for'))) this.#changes.markStale(label);
  }
}

/** Returns the elements that were added or removed. */
function movedElements({ addedNodes, removedNodes }: MutationRecord): Element[] {
  return [...addedNodes, ...removedNodes].filter((node) => node instanceof Element);
}

/** False for changes of text alone. */
function concernsElements(record: MutationRecord): boolean {
  return record.type === 'attributes' || movedElements(record).length > 0;
}

function withDescendants(element: Element, selector: string): Element[] {
  const below = queryAll(element, selector);
  return matches(element, selector) ? [element, ...below] : below;
}

function elementAt(node: Node | null, side: 'before' | 'after'): Element | null {
  if (node instanceof Element) return node;
  return node instanceof CharacterData ? siblingOfText[side](node) : null;
}

/** Compares something that the whole document depends on. */
class Signature implements Signal {
  readonly #read: (rules: StyleRules) => string;
  #last: string | null = null;

  constructor(read: (rules: StyleRules) => string) {
    this.#read = read;
  }

  apply(rules: StyleRules): boolean {
    const signature = this.#read(rules);
    const isSame = signature === this.#last;
    this.#last = signature;
    return isSame;
  }
}

const heldElements = new WeakSet<Element>();

/** The browser may replace the JavaScript object of an element, unless a weak collection contains it. */
function weaklyHeld(element: Element): WeakRef<Element> {
  heldElements.add(element);
  return new WeakRef(element);
}

/** Remembers a text for each of some elements, without keeping removed elements in memory. */
class Texts {
  readonly #textByElement = new WeakMap<Element, string>();
  #elements: WeakRef<Element>[] = [];

  /** Returns the elements whose text is new, different or gone. */
  replace(texts: ReadonlyMap<Element, string>): Element[] {
    const different: Element[] = [];
    for (const held of this.#elements) {
      const element = held.deref();
      if (!element || texts.has(element)) continue;
      this.#textByElement.delete(element);
      different.push(element);
    }
    for (const [element, text] of texts) {
      if (this.#textByElement.get(element) !== text) different.push(element);
      this.#textByElement.set(element, text);
    }
    this.#elements = [...texts.keys()].map((element) => new WeakRef(element));
    return different;
  }
}

/** Compares which rules apply to elements because of their siblings, or of elements inside or before them. */
class Marks implements Signal {
  readonly #changes: Changes;
  readonly #read: (rules: StyleRules) => ReadonlyMap<Element, string>;
  readonly #texts = new Texts();

  constructor(changes: Changes, read: (rules: StyleRules) => ReadonlyMap<Element, string>) {
    this.#changes = changes;
    this.#read = read;
  }

  apply(rules: StyleRules): boolean {
    for (const element of this.#texts.replace(this.#read(rules))) this.#changes.markStale(element);
    return true;
  }
}

/** Have the focus if no other element has. */
const PAGE_TAGS: ReadonlySet<string> = new Set(['body', 'html']);

class PointerAndFocus implements Signal {
  readonly #changes: Changes;
  readonly #states = new Texts();
  #focused: WeakRef<Element> | null = null;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  apply({ states, stateful }: StyleRules): boolean {
    const different = this.#states.replace(states);
    for (const element of different)
      if (stateful !== '' && isMatch(element, stateful)) this.#changes.markStale(element);
    // The selection in the focused element may change without an event.
    const focused = activeElement();
    for (const element of [this.#focused?.deref(), focused])
      if (element && !PAGE_TAGS.has(localNameOf(element))) this.#changes.markStale(element);
    this.#focused = focused && weaklyHeld(focused);
    return true;
  }
}

// A selector without its state may be invalid.
function isMatch(element: Element, selector: string): boolean {
  try {
    return matches(element, selector);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return true;
    throw error;
  }
}

/** Compares the state of fields, dialogs and popovers, which scripts change without an event. */
class FieldStates implements Signal {
  readonly #changes: Changes;
  readonly #stateByElement = new WeakMap<Element, string | number>();
  #elements: WeakRef<Element>[] = [];

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  watch(element: Element): void {
    if (!this.#stateByElement.has(element)) this.#elements.push(new WeakRef(element));
    this.#stateByElement.set(element, stateOf(element));
  }

  apply(): boolean {
    for (const popover of queryAll(document, '[popover]')) if (!this.#stateByElement.has(popover)) this.watch(popover);
    this.#elements = this.#elements.filter((held) => {
      const element = held.deref();
      if (!element || !isConnected(element)) {
        if (element) this.#stateByElement.delete(element);
        return false;
      }
      const [state, last] = [stateOf(element), this.#stateByElement.get(element)];
      if (last === state) return true;
      this.#stateByElement.set(element, state);
      this.#changes.markStale(element);
      // Rules for `:valid` and `:invalid` also apply to forms and fieldsets.
      if (last === undefined || isInvalid(last) !== isInvalid(state))
        for (const form of ancestorsOf(element, 'form, fieldset')) this.#changes.markStale(form);
      return true;
    });
    return true;
  }
}

const INVALID = 'invalid ';

function ancestorsOf(element: Element, selector: string): Element[] {
  const found: Element[] = [];
  for (let node = parentElementOf(element); node; node = parentElementOf(node))
    if (matches(node, selector)) found.push(node);
  return found;
}

/** A number needs no memory. */
function stateOf(element: Element): string | number {
  if (element instanceof HTMLInputElement) {
    const { checked, indeterminate, type, files } = element;
    if ((type === 'checkbox' || type === 'radio') && element.validity.valid)
      return Number(checked) + Number(indeterminate) * 2;
    return `${validityOf(element)}${checked} ${indeterminate} ${type} ${files?.length} ${bounded(inputValueOf(element))}`;
  }
  if (element instanceof HTMLTextAreaElement) return `${validityOf(element)}${bounded(areaValueOf(element))}`;
  if (element instanceof HTMLSelectElement)
    return `${validityOf(element)}${Array.from(element.selectedOptions, ({ index }) => index).join()}`;
  if (element instanceof HTMLOptionElement) return String(element.selected);
  if (localNameOf(element) === 'dialog') return String(matches(element, ':modal'));
  return hasAttribute(element, 'popover') ? String(matches(element, ':popover-open')) : '';
}

function isInvalid(state: string | number): boolean {
  return typeof state === 'string' && state.startsWith(INVALID);
}

function validityOf({ validity }: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  return validity.valid ? '' : INVALID;
}

function bounded(value: string): string {
  return value.length > PAGE_BOUNDS.elementValue
    ? `${value.length} ${value.slice(0, PAGE_BOUNDS.elementValue)}`
    : value;
}

/** Marks elements of a kind, such as animated ones. */
class Elements implements Signal {
  readonly #changes: Changes;
  readonly #read: (rules: StyleRules) => readonly Element[];
  readonly #when: 'always' | 'if new or gone';
  #last: readonly WeakRef<Element>[] = [];

  constructor(changes: Changes, read: (rules: StyleRules) => readonly Element[], when: 'always' | 'if new or gone') {
    this.#changes = changes;
    this.#read = read;
    this.#when = when;
  }

  apply(rules: StyleRules): boolean {
    const last = new Set(this.#last.flatMap((held) => held.deref() ?? []));
    const now = new Set(this.#read(rules));
    for (const element of new Set([...last, ...now]))
      if (this.#when === 'always' || !last.has(element) || !now.has(element)) this.#changes.markStale(element);
    this.#last = [...now].map(weaklyHeld);
    return true;
  }
}

class ReportedChanges implements Signal {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  apply(): boolean {
    for (const element of takeReportedChanges()) this.#changes.markStale(element);
    return true;
  }
}
