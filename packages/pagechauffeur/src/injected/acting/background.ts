import { nodeNameOf } from '../native.ts';

/** A node that changes this often without an action changes by itself. */
const CHANGES_OF_ITS_OWN = 2;
/** It stops doing so after a pause of this many times its longest pause. */
const PAUSES_UNTIL_FORGOTTEN = 2.5;
/** Shorter pauses count as this many ms, because a busy page runs its timers late. */
const SHORTEST_PAUSE = 400;
/** Maximum number of changes to learn from. */
const LEARNED_CHANGES = 5000;

/** How often one kind of change happened to one node without an action. */
interface Rhythm {
  count: number;
  last: number;
  longestPause: number;
}

const rhythmsByNode = new WeakMap<Node, Map<string, Rhythm>>();

/** True if the change repeats what the page did before without an action: a clock, a carousel, a ticker. */
export function isBackground(record: MutationRecord): boolean {
  const rhythm = rhythmsByNode.get(record.target)?.get(kindOf(record));
  if (!rhythm || rhythm.count < CHANGES_OF_ITS_OWN) return false;
  const now = performance.now();
  if (now - rhythm.last > rhythm.longestPause * PAUSES_UNTIL_FORGOTTEN) return false;
  rhythm.last = now;
  return true;
}

/** Collects changes while it is unknown whether an action is still in progress. Learns from them once it turns out that none was. */
export class RestingTime {
  readonly #noted = new Map<Node, Map<string, number[]>>();
  #count = 0;

  note(records: readonly MutationRecord[]): void {
    const now = performance.now();
    for (const record of records) {
      this.#count += 1;
      if (this.#count > LEARNED_CHANGES) return;
      const times = timesIn(this.#noted, record);
      // One task of the page may change a node several times. That counts as one change.
      if (times.at(-1) !== now) times.push(now);
    }
  }

  /** Drops the collected changes: an action was in progress. */
  forget(): void {
    this.#noted.clear();
    this.#count = 0;
  }

  /** Learns from the collected changes: no action was in progress. */
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

/** The kind of a change, without its new value. */
function kindOf({ type, attributeName, addedNodes, removedNodes }: MutationRecord): string {
  if (type !== 'childList') return attributeName ?? type;
  return `+${namesOf(addedNodes)}-${namesOf(removedNodes)}`;
}

function namesOf(nodes: NodeList): string {
  return Array.from(nodes, nodeNameOf).join();
}
