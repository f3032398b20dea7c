import { nodeNameOf } from '../native.ts';

/** What changes so often while nothing is done to the page changes by itself. */
const CHANGES_OF_ITS_OWN = 2;
/** It does so until it has been still for so many times its longest pause. */
const PAUSES_UNTIL_FORGOTTEN = 2.5;
/** A pause that is shorter than this many ms counts as this long: a busy page is not always in time. */
const SHORTEST_PAUSE = 400;
/** Changes that are learned from at most. */
const LEARNED_CHANGES = 5000;

/** How often one kind of change came to one node while nothing was done. */
interface Rhythm {
  count: number;
  last: number;
  longestPause: number;
}

const rhythmsByNode = new WeakMap<Node, Map<string, Rhythm>>();

/** Whether a change goes on with what the page did before, while nothing was done to it: a clock, a slide show, a ticker. */
export function isBackground(record: MutationRecord): boolean {
  const rhythm = rhythmsByNode.get(record.target)?.get(kindOf(record));
  if (!rhythm || rhythm.count < CHANGES_OF_ITS_OWN) return false;
  const now = performance.now();
  if (now - rhythm.last > rhythm.longestPause * PAUSES_UNTIL_FORGOTTEN) return false;
  rhythm.last = now;
  return true;
}

/** What changes while it is not known yet whether an action goes on: it is learned from when it turns out that none did. */
export class RestingTime {
  readonly #noted = new Map<Node, Map<string, number[]>>();
  #count = 0;

  note(records: readonly MutationRecord[]): void {
    const now = performance.now();
    for (const record of records) {
      this.#count += 1;
      if (this.#count > LEARNED_CHANGES) return;
      const times = timesIn(this.#noted, record);
      // One task of the page may change a node in many ways at once; that is one change.
      if (times.at(-1) !== now) times.push(now);
    }
  }

  /** An action went on after all. */
  forget(): void {
    this.#noted.clear();
    this.#count = 0;
  }

  /** Nothing was done meanwhile. */
  learn(): void {
    for (const [node, timesByKind] of this.#noted)
      for (const [kind, times] of timesByKind) for (const time of times) addChange(rhythmOf(node, kind), time);
    this.forget();
  }
}

function timesIn(noted: Map<Node, Map<string, number[]>>, record: MutationRecord): number[] {
  const { target } = record;
  let timesByKind = noted.get(target);
  if (!timesByKind) noted.set(target, (timesByKind = new Map<string, number[]>()));
  const kind = kindOf(record);
  let times = timesByKind.get(kind);
  if (!times) timesByKind.set(kind, (times = []));
  return times;
}

function addChange(rhythm: Rhythm, time: number): void {
  if (rhythm.count > 0) rhythm.longestPause = Math.max(rhythm.longestPause, time - rhythm.last, SHORTEST_PAUSE);
  rhythm.last = time;
  rhythm.count += 1;
}

function rhythmOf(node: Node, kind: string): Rhythm {
  let rhythms = rhythmsByNode.get(node);
  if (!rhythms) rhythmsByNode.set(node, (rhythms = new Map<string, Rhythm>()));
  let rhythm = rhythms.get(kind);
  if (!rhythm) rhythms.set(kind, (rhythm = { count: 0, last: 0, longestPause: 0 }));
  return rhythm;
}

/** What is changed about a node, whatever it is changed to. */
function kindOf({ type, attributeName, addedNodes, removedNodes }: MutationRecord): string {
  if (type !== 'childList') return attributeName ?? type;
  return `+${namesOf(addedNodes)}-${namesOf(removedNodes)}`;
}

function namesOf(nodes: NodeList): string {
  return Array.from(nodes, nodeNameOf).join();
}
