import { isPlainRecord } from '../util/is-record.ts';

/** A call or a navigation. Entries are in the order in which the calls ended, without agent runs. */
export interface HistoryEntry {
  readonly method: 'act' | 'extract' | 'observe' | 'navigate';
  /** The arguments, with variables by name only. */
  readonly parameters: unknown;
  /** The result, or the name, code and message of the error. */
  readonly result: unknown;
  /** When the call ended: ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Collects the calls of a driver. Entries are copies, so later changes to results do not affect them. */
export class History {
  readonly #entries: HistoryEntry[] = [];

  /** Adds a call. */
  add(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    const timestamp = new Date().toISOString();
    this.#entries.push(Object.freeze({ method, parameters: kept(parameters), result: kept(result), timestamp }));
  }

  /** Returns a copy of all calls, oldest first. */
  read(): readonly HistoryEntry[] {
    return Object.freeze([...this.#entries]);
  }
}

/**
 * Returns a frozen copy. Values other than plain data, such as class instances from a schema, are not copied.
 */
function kept(value: unknown, level = 0): unknown {
  if (level > MAX_LEVELS) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((entry) => kept(entry, level + 1)));
  if (!isPlainRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, kept(field, level + 1)]);
  return Object.freeze(Object.fromEntries(fields));
}

/** Maximum depth of copies, which ends at cycles. Data is less deep. */
const MAX_LEVELS = 100;
