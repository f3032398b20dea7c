import { nodeNameOf } from '../../native.ts';

/** A node that changed this often while no action ran counts as background. */
const MIN_CHANGES = 2;
/** A node stops being background after a pause of this many times its longest pause. */
const PAUSES_UNTIL_FORGOTTEN = 2.5;
/** Shorter pauses count as this many ms, because a busy page runs its timers late. */
const SHORTEST_PAUSE = 400;
const LEARNED_CHANGES = 5000;

/** How often one kind of change happens to a node while no action runs. Times are in ms. */
interface Rhythm {
  count: number;
  last: number;
  longestPause: number;
}

const rhythmsByNode = new WeakMap<Node, Map<string, Rhythm>>();

/** True if the node changed in the same way before while no action ran, like a clock, carousel or ticker. */
export function isBackground(record: MutationRecord): boolean {
  const rhythm = rhythmsByNode.get(record.target)?.get(kindOf(record));
  if (!rhythm || rhythm.count < MIN_CHANGES) return false;
  const now = performance.now();
  if (now - rhythm.last > rhythm.longestPause * PAUSES_UNTIL_FORGOTTEN) return false;
  rhythm.last = now;
  return true;
}

/**
 * Buffers the changes after an action settled, because they may still be late effects. `learn` counts them as
 * background, unless the action resumes first.
 */
export class BackgroundLearner {
  readonly #noted = new Map<Node, Map<string, number[]>>();
  #count = 0;

  note(records: readonly MutationRecord[]): void {
    const now = performance.now();
    for (const record of records) {
      this.#count += 1;
      if (this.#count > LEARNED_CHANGES) return;
      const times = timesIn(this.#noted, record);
      // Several mutations in one task count as one change.
      if (times.at(-1) !== now) times.push(now);
    }
  }

  /** Drops the buffered changes, because the action resumed. */
  forget(): void {
    this.#noted.clear();
    this.#count = 0;
  }

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

/** The kind of a change ignores values, so that every tick of a clock has the same kind. */
function kindOf({ type, attributeName, addedNodes, removedNodes }: MutationRecord): string {
  if (type !== 'childList') return attributeName ?? type;
  return `+${namesOf(addedNodes)}-${namesOf(removedNodes)}`;
}

function namesOf(nodes: NodeList): string {
  return Array.from(nodes, nodeNameOf).join();
}
