import { shadowRootsBelow } from '../../tree/composed-walk.ts';
import { type Dependencies, isUnchanged, stopReporting, takeReportedChanges } from '../../dependencies.ts';
import { fieldState, isEditingHost } from '../../element/controls.ts';
import {
  attributeOf,
  baseUriOf,
  documentUrlOf,
  getter,
  isConnected,
  localNameOf,
  matches,
  matchesIfValid,
  parentElementOf,
  queryAll,
} from '../../native.ts';
import { activeElement, elementById } from '../../native-document.ts';
import { frameBackdrop } from '../visibility/painting/background.ts';
import { elementsInDocument, forgetQueries } from '../../tree/document-queries.ts';
import { sheetsSignature } from '../../styles/readable-rules.ts';
import type { StyleRules } from '../../styles/style-rules.ts';

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

/** The kinds of changes that can make lines of the last snapshot wrong. `docs/snapshot.md` lists what they miss. */
export const signalKinds: Record<string, (changes: Changes) => Signal> = {
  mutations: (changes) => new Mutations(changes),
  'style sheets': () => new Signature(() => sheetsSignature(document)),
  media: () =>
    new Signature(({ media }) => [...media, ...COLOR_MEDIA].map((query) => matchMedia(query).matches).join()),
  address: () => new Signature(() => `${documentUrlOf(document)} ${baseUriOf(document)}`),
  drawings: () => new Signature(() => String(elementsInDocument('use').length > 0)),
  'full screen': (changes) => new Elements(changes, () => elementsInDocument(':fullscreen'), 'if new or gone'),
  frame: () => new Signature(frameBackdrop),
  'position among siblings': (changes) => new Marks(changes, ({ marks }) => marks),
  'pointer and focus': (changes) => new PointerAndFocus(changes),
  'form fields': (changes) => new FieldStates(changes),
  'form validity': (changes) =>
    new Elements(
      changes,
      () => FORMS.flatMap(elementsInDocument).filter((form) => matches(form, ':invalid')),
      'if new or gone',
    ),
  containers: (changes) => new Elements(changes, ({ contained }) => [...contained], 'always'),
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

/** Rules for `:valid` and `:invalid` also apply to these. */
const FORMS = ['form', 'fieldset'];
/** Colors can also depend on these without a rule for them. */
const COLOR_MEDIA = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];
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
  /** Ids of elements that were added or removed, and those that such labels refer to. */
  readonly #movedIds = new Set<string>();
  readonly #labelledIds = new Set<string>();

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
    this.#markLabels();
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
    for (const { addedNodes, removedNodes } of records) this.#count += 1 + addedNodes.length + removedNodes.length;
    if (this.#count > MAX_MUTATIONS) this.close();
    if (!this.#isWatching) return;
    if (records.some(concernsElements)) forgetQueries(true);
    for (const record of records) this.#noteOne(record);
  }

  #noteOne(record: MutationRecord): void {
    const { type, target, attributeName, previousSibling, nextSibling } = record;
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
    for (const moved of movedElements(record)) this.#noteMoved(moved);
    for (const neighbour of [elementAt(previousSibling, 'before'), elementAt(nextSibling, 'after')])
      if (neighbour) this.#changes.markStale(neighbour);
  }

  #noteMoved(moved: Element): void {
    if (isConnected(moved)) this.#changes.markStale(moved);
    if (withDescendants(moved, '[aria-owns]').length > 0) this.close();
    for (const element of withDescendants(moved, '[id], label[for]')) {
      const [id, label] = [attributeOf(element, 'id'), attributeOf(element, 'for')];
      if (id !== null) this.#movedIds.add(id);
      if (label !== null) this.#labelledIds.add(label);
    }
  }

  // A label and its field may be far from each other. If several elements have an id, the first one is the field.
  #markLabels(): void {
    for (const label of this.#movedIds.size === 0 ? [] : queryAll(document, 'label[for]')) {
      const id = attributeOf(label, 'for') ?? '';
      if (!this.#movedIds.has(id)) continue;
      this.#changes.markStale(label);
      this.#labelledIds.add(id);
    }
    for (const id of this.#labelledIds) {
      const field = elementById(document, id);
      if (field) this.#changes.markStale(field);
    }
    this.#labelledIds.clear();
    this.#movedIds.clear();
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

  /** Returns the elements whose text is new, different or gone, with their last text. */
  replace(texts: ReadonlyMap<Element, string>): ReadonlyMap<Element, string> {
    const different = new Map<Element, string>();
    for (const held of this.#elements) {
      const element = held.deref();
      if (!element || texts.has(element)) continue;
      different.set(element, this.#textByElement.get(element) ?? '');
      this.#textByElement.delete(element);
    }
    for (const [element, text] of texts) {
      const last = this.#textByElement.get(element) ?? '';
      if (last !== text) different.set(element, last);
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
    for (const [element] of this.#texts.replace(this.#read(rules))) this.#changes.markStale(element);
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
    for (const [element, last] of this.#states.replace(states)) {
      const now = states.get(element) ?? '';
      for (const [state, selectors] of stateful)
        if (hasState(last, state) !== hasState(now, state) && mayMatch(element, selectors))
          this.#changes.markStale(element);
    }
    // The selection in the focused element may change without an event.
    const focused = activeElement();
    for (const element of [this.#focused?.deref(), focused])
      if (element && (!PAGE_TAGS.has(localNameOf(element)) || isEditingHost(element))) this.#changes.markStale(element);
    this.#focused = focused && weaklyHeld(focused);
    return true;
  }
}

function mayMatch(element: Element, selectors: ReadonlySet<string>): boolean {
  return [...selectors].some((selector) => matchesIfValid(element, selector) !== false);
}

function hasState(states: string, state: string): boolean {
  return states.includes(`${state} `);
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
    this.#stateByElement.set(element, fieldState(element));
  }

  apply(): boolean {
    for (const popover of elementsInDocument('[popover]')) if (!this.#stateByElement.has(popover)) this.watch(popover);
    this.#elements = this.#elements.filter((held) => {
      const element = held.deref();
      if (!element || !isConnected(element)) {
        if (element) this.#stateByElement.delete(element);
        return false;
      }
      const state = fieldState(element);
      if (this.#stateByElement.get(element) === state) return true;
      this.#stateByElement.set(element, state);
      this.#changes.markStale(element);
      return true;
    });
    return true;
  }
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

  close(): void {
    stopReporting();
  }
}
