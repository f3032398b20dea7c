import type { WireNode } from '../../contract.ts';
import { Dependencies, recordInto } from '../../dependencies.ts';
import { composedParent } from '../../tree/composed-tree.ts';
import { childCountOf, elementCountOf, isConnected } from '../../native.ts';
import { InlineLinks, type LineGroup } from '../lines/line-list.ts';
import { ListFacts } from '../lines/list-facts.ts';
import type { Surroundings } from '../surroundings.ts';
import { isLeftClear } from '../visibility/painting/occlusion.ts';
import type { StyleRules } from '../../styles/style-rules.ts';
import { Signals } from './signals.ts';

/** Documents with fewer elements are always read completely: that takes a few milliseconds. */
const LEAST_PAGE = 1000;
/**
 * The first snapshot of a document with fewer elements keeps nothing, because keeping makes it up to a tenth slower. From
 * this many on, it saves more than 70 ms of the next snapshot after a small change.
 */
const LARGE_PAGE = 3000;
/** Children that an element with a part has at least. Reading fewer is as fast as checking that nothing changed. */
export const LEAST_KEPT_CHILDREN = 3;

/** Deeper parts are not kept, because checking them is recursive. */
const MAX_DEPTH = 500;

/** Shared by all empty arrays, and never written to. */
const NONE: never[] = [];

/** The lines that an element adds to its parent's list. */
export interface Contribution {
  readonly nodes: readonly WireNode[];
  /** Groups among the nodes; `null` if the element has a line of its own. */
  readonly groups: readonly LineGroup[] | null;
}

/** The lines of an element in the last snapshot, and what they depend on. */
export interface Part extends Contribution {
  /** The element's surroundings, see `packed`. */
  readonly around: number;
  readonly elementCount: number;
  /** `null` if there are none. */
  readonly dependencies: Dependencies | null;
  readonly parts: readonly Part[];
  /** The reading that checked the dependencies last, and its result. */
  checkedIn: number;
  isCurrent: boolean;
}

/** Collects a `Part` while its element is visited. */
export class Recording extends Dependencies {
  parts: Part[] = NONE;
  readonly outer: Recording | null;
  readonly around: number;
  readonly elementsBefore: number;

  constructor(outer: Recording | null, around: number, elementsBefore: number) {
    super();
    this.outer = outer;
    this.around = around;
    this.elementsBefore = elementsBefore;
  }

  addPart(part: Part): void {
    if (this.parts === NONE) this.parts = [part];
    else this.parts.push(part);
  }
}

/** Facts about nodes that outlive a snapshot. Nodes refer to roles by index. */
export class NodeFacts {
  readonly facts = new ListFacts();
  readonly inlineLinks = new InlineLinks();
  readonly roles: string[] = [];
  readonly numberByRole = new Map<string, number>();
}

/** Lines of the last snapshot of this document, to use again where nothing changed. */
export class KnownParts {
  #nodes = new NodeFacts();
  #key = '';
  readonly #signals = new Signals(this);
  #partByElement = new WeakMap<Element, Part>();
  /** Elements with a change inside. Contains all ancestors of each. */
  #touched = new WeakSet<Element>();
  /** Elements whose whole content may have changed, such as after a change of their style. */
  readonly #stale = new WeakSet<Element>();
  /** Stale elements that this snapshot has read. Others, such as hidden ones, stay stale. */
  #readStale: Element[] = [];
  #reading = 0;
  #recording: Recording | null = null;
  /** Number of recordings that are not finished. */
  #depth = 0;
  #lastDependencies: Dependencies | null = null;

  /** True until the first snapshot. */
  get isNew(): boolean {
    return this.#reading === 0;
  }

  /** False until the second snapshot. */
  get hasParts(): boolean {
    return this.#reading > 1;
  }

  get nodes(): NodeFacts {
    return this.#nodes;
  }

  /**
   * Finds out what changed since the last snapshot. `key` tells snapshots with other options apart. Returns false if
   * everything may have changed.
   */
  start(key: string, rules: StyleRules): boolean {
    this.#reading += 1;
    this.#depth = 0;
    this.#recording = null;
    const isSame = this.#signals.apply(rules) && key === this.#key;
    if (!isSame) {
      this.#partByElement = new WeakMap();
      this.#nodes = new NodeFacts();
    }
    this.#key = key;
    return isSame;
  }

  /** Notes mutations that were not reported yet. */
  flush(): void {
    this.#signals.flush();
  }

  /** Stops watching the page. */
  close(): void {
    this.#signals.close();
    recordInto(null);
  }

  /** Call after the walk. From now on, changes count for the next snapshot. */
  finish(): void {
    this.#touched = new WeakSet();
    for (const element of this.#readStale) this.#stale.delete(element);
    this.#readStale = [];
    this.#recording = null;
    this.#lastDependencies = null;
    recordInto(null);
  }

  /** Marks the content of an element as possibly different in any way. */
  markStale(element: Element): void {
    this.#stale.add(element);
    this.touch(element);
  }

  /** Marks an element as different in itself. What it contains may still be as before. */
  touch(element: Element): void {
    for (let node: Element | null = element; node && !this.#touched.has(node); node = composedParent(node)) {
      this.#touched.add(node);
      this.#partByElement.delete(node);
    }
  }

  isStale(element: Element): boolean {
    return this.#stale.has(element);
  }

  /** Call when an element is read again. Even if its new lines cannot be kept, the old ones are no longer used. */
  forget(element: Element): void {
    this.#partByElement.delete(element);
    if (this.#stale.has(element)) this.#readStale.push(element);
  }

  /** Watches the value and state of a form field, for example. No event reports changes by script. */
  watchState(element: Element): void {
    this.#signals.watchState(element);
  }

  /** Returns what the element adds to the snapshot if that is as before. */
  partOf(element: Element, around: Surroundings, lineDepth: number): Part | null {
    const part = dependsOnlyOnFlags(around) ? this.#partByElement.get(element) : undefined;
    if (!part || part.around !== packed(around, lineDepth)) return null;
    if (!(around.isClear || isLeftClear(element)) || !this.#isCurrent(part)) return null;
    this.#use(part);
    this.#recording?.addPart(part);
    return part;
  }

  #use(part: Part): void {
    for (const effect of part.dependencies?.effects ?? []) effect();
    for (const inner of part.parts) this.#use(inner);
  }

  #isCurrent(part: Part): boolean {
    if (part.checkedIn !== this.#reading) {
      part.checkedIn = this.#reading;
      part.isCurrent =
        (part.dependencies === null || this.#signals.hold(part.dependencies)) &&
        part.parts.every((inner) => this.#isCurrent(inner));
    }
    return part.isCurrent;
  }

  /** True if the element has no change inside, and none of its ancestors changed its style. */
  isAsBefore(element: Element): boolean {
    if (this.#touched.has(element) || !isConnected(element)) return false;
    for (let node: Element | null = element; node; node = composedParent(node)) if (this.#stale.has(node)) return false;
    return true;
  }

  /** Starts to record an element. Returns `null` if its lines are not kept, because they depend on too much around it. */
  record(element: Element, around: Surroundings, lineDepth: number, elementsBefore: number): Recording | null {
    if (childCountOf(element) < LEAST_KEPT_CHILDREN) return null;
    if (!dependsOnlyOnFlags(around) || this.#depth >= MAX_DEPTH) return null;
    this.#depth += 1;
    this.#recording = new Recording(this.#recording, packed(around, lineDepth), elementsBefore);
    recordInto(this.#recording);
    return this.#recording;
  }

  /** Returns the last dependencies if they are equal, because many parts of a page are alike. */
  #shared(recording: Recording): Dependencies | null {
    if (recording.isEmpty) return null;
    if (!this.#lastDependencies?.equals(recording)) this.#lastDependencies = new Dependencies(recording);
    return this.#lastDependencies;
  }

  /** Ends a recording. Returns true if the lines can be kept: they depend on nothing unknown. */
  end(recording: Recording): boolean {
    const { outer, parts } = recording;
    this.#depth -= 1;
    this.#recording = outer;
    recordInto(outer);
    if (recording.isComplete) return true;
    outer?.add(recording);
    for (const part of parts) outer?.addPart(part);
    return false;
  }

  /** Keeps the lines of an element. `elementCount` includes elements before it. */
  keep(element: Element, recording: Recording, elementCount: number, { nodes, groups }: Contribution): void {
    const { outer, parts, around, elementsBefore } = recording;
    const part: Part = {
      nodes,
      groups,
      around,
      elementCount: elementCount - elementsBefore,
      dependencies: this.#shared(recording),
      parts,
      checkedIn: this.#reading,
      isCurrent: true,
    };
    this.#partByElement.set(element, part);
    outer?.addPart(part);
  }
}

/** False if the lines also depend on more of the surroundings, such as on the elements that a listener is for. */
function dependsOnlyOnFlags({ isInActionable, isInLine, served, item, popups }: Surroundings): boolean {
  return !isInActionable && !isInLine && served === null && item === null && popups === null;
}

/** Packs the surroundings that lines depend on into a number. Kept parts are clear, where `layer` does not matter. */
function packed(around: Surroundings, lineDepth: number): number {
  const { isTextShown, clipping, isInert, isAriaHidden, isPointer, isDoubtful } = around;
  const hidden = Number(isTextShown) + Number(isInert) * 2 + Number(isAriaHidden) * 4;
  const flags = hidden + Number(isPointer) * 8 + Number(isDoubtful) * 16;
  return (lineDepth * 32 + flags) * 4 + CLIPPINGS[clipping];
}

const CLIPPINGS: Readonly<Record<Surroundings['clipping'], number>> = { none: 0, flow: 1, positioned: 2, all: 3 };

let known: KnownParts | null = null;
let isFirst = true;
/** True if the document of the current snapshot is large enough. */
let isLarge = false;

/**
 * Call before anything of the document is read. Starts to watch a large document, so that this snapshot is kept and
 * its queries of the document are, too.
 */
export function watchDocument(): void {
  known?.flush();
  const count = elementCountOf(document);
  isLarge = count >= (isFirst ? LARGE_PAGE : LEAST_PAGE);
  isFirst = false;
  if (isLarge) known ??= new KnownParts();
  else forgetKnownParts();
}

/**
 * Returns the lines to use again for a snapshot with this `key`, which tells snapshots with other options apart. `null`
 * for small documents, and if the style rules are unknown.
 */
export function knownPartsFor(key: string, rules: StyleRules | null): KnownParts | null {
  if (!isLarge || rules === null) {
    forgetKnownParts();
    return null;
  }
  known ??= new KnownParts();
  const { isNew } = known;
  // If everything changed, it may do so each time, so this snapshot of a smaller document is not kept.
  const isKept = known.start(key, rules) || isNew || elementCountOf(document) >= LARGE_PAGE;
  return isKept ? known : null;
}

export function forgetKnownParts(): void {
  known?.close();
  known = null;
}
