import { hasForm } from '../util/json-form.ts';
import { STORED_STEP, type StoredStep } from '../verb/replay/stored-step.ts';

/** One way in which an instruction was carried out: its steps, in order. */
export interface Way {
  readonly steps: readonly [StoredStep, ...StoredStep[]];
}

/** What the cache keeps of an instruction at an address: a page may show several views there, each with a way of its own. */
export interface ActEntry {
  /** The last one found first. */
  readonly ways: readonly Way[];
}

/** Pages that show more views than this at one address ask a model again for those not seen for longest. */
const MOST_WAYS = 12;

/** What was read from a cache as an entry; undefined when it is none. */
export function parseActEntry(content: unknown): ActEntry | undefined {
  if (!hasForm(content, { fields: { ways: [{ fields: { steps: [STORED_STEP] } }] } })) return undefined;
  const entry = content as ActEntry;
  return entry.ways.every(({ steps }) => steps.length > 0) ? entry : undefined;
}

/** The ways with a new one in front, in place of `replaced` and of those that begin with the same element. */
export function withWay(ways: readonly Way[], way: Way, replaced?: Way): readonly Way[] {
  const gone = [way, ...(replaced ? [replaced] : [])].map(beginning);
  const others = ways.filter((other) => !gone.includes(beginning(other)));
  return [way, ...others].slice(0, MOST_WAYS);
}

function beginning({ steps: [first] }: Way): string {
  const { role, name, opening, isOn, title, sections, row, column, alike } = first.fingerprint;
  return JSON.stringify([first.frame, role, name, opening, isOn, title, sections, row, column, alike.place]);
}
