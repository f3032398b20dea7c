import { nextObservation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The page as the model is shown it for the second of two steps. */
export interface SecondLook {
  readonly snapshot: Snapshot;
  /** How to read it; empty for a whole page. */
  readonly note: string;
}

const NOTE =
  'The page is not shown again, only what changed in it: `*` stands before what is new, `~` before what is different now. ';

/** What the first step changed, where that is less than half of the page, else the page. */
export function secondLook(before: Snapshot, now: Snapshot): SecondLook {
  const { kind, text } = nextObservation(before, now);
  return kind === 'changes' ? { snapshot: withText(now, text), note: NOTE } : { snapshot: now, note: '' };
}

// Refs and lines of a large page are only listed when they are asked for, so that they are not copied.
function withText(snapshot: Snapshot, text: string): Snapshot {
  return Object.create(snapshot, { text: { value: text, enumerable: true } }) as Snapshot;
}
