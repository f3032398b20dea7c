import { nodeNameOf } from '../native.ts';

/** After this many changes without an action, a node counts as changed by the page itself. */
const CHANGES_OF_ITS_OWN = 2;
/** A node no longer counts as such after a pause of this many times its longest pause. */
const PAUSES_UNTIL_FORGOTTEN = 2.5;
/** Shorter pauses count as this many ms, because a busy page runs its timers late. */
const SHORTEST_PAUSE = 400;
/** Maximum number of changes to learn from. */
const LEARNED_CHANGES = 5000;

/** Number and times of one kind of change to a node without an action. */
interface Rhythm {
  count: number;
  last: number;
  longestPause: number;
}

const rhythmsByNode = new WeakMap<Node, Map<string, Rhythm>>();

/** True if the page made the same change before without an action. Examples are clocks, carousels and tickers. */
export function isBackground(record: MutationRecord): boolean {
  const rhythm = rhythmsByNode.get(record.target)?.get(kindOf(record));
  if (!rhythm || rhythm.count < CHANGES_OF_ITS_OWN) return false;
  const now = performance.now();
  if (now - rhythm.last > rhythm.longestPause * PAUSES_UNTIL_FORGOTTEN) return false;
  rhythm.last = now;
  return true;
}

/**
 * Collects changes after an action, when the action may still continue. `learn` records them as the page's own if it
 * did not.
 */
export class RestingTime {
  readonly #noted = new Map<Node, Map<string, number[]>>();
  #count = 0;

  note(records: readonly MutationRecord[]): void {
    const now = performance.now();
    for (const record of records) {
      this.#count += 1;
      if (this.#count > LEARNED_CHANGES) return;
      const times = timesIn(this.#noted, record);
      // Changes of a node in one task of the page count as one.
      if (times.at(-1) !== now) times.push(now);
    }
  }

  /** Drops the collected changes, because the action continued. */
  forget(): void {
    this.#noted.clear();
    this.#count = 0;
  }

  /** Records the collected changes as the page's own. */
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

/** Returns the kind of a change, without the new value. */
function kindOf({ type, attributeName, addedNodes, removedNodes }: MutationRecord): string {
  if (type !== 'childList') return attributeName ?? type;
  return `+${namesOf(addedNodes)}-${namesOf(removedNodes)}`;
}

function namesOf(nodes: NodeList): string {
  return Array.from(nodes, nodeNameOf).join();
}
