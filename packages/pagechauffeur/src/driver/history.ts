import { isPlainRecord } from '../util/is-record.ts';

/** One call of a verb, or one navigation, in the order they ended. A run of an agent is told by its result and the log. */
export interface HistoryEntry {
  readonly method: 'act' | 'extract' | 'observe' | 'navigate';
  /** What was asked for; of variables only the names. */
  readonly parameters: unknown;
  /** What came of it; of an error its name, code and message. */
  readonly result: unknown;
  /** When it ended, ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Collects the operations of a driver. What it keeps is its own: nobody changes it, by the history or by the result. */
export class History {
  readonly #entries: HistoryEntry[] = [];

  /** Notes one operation. */
  add(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    const timestamp = new Date().toISOString();
    this.#entries.push(Object.freeze({ method, parameters: kept(parameters), result: kept(result), timestamp }));
  }

  /** The operations so far, oldest first, as a copy. */
  read(): readonly HistoryEntry[] {
    return Object.freeze([...this.#entries]);
  }
}

/** A read-only copy; what is no data, such as an object of a class that a schema made, is kept as it is. */
function kept(value: unknown, level = 0): unknown {
  if (level > MAX_LEVELS) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((entry) => kept(entry, level + 1)));
  if (!isPlainRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, kept(field, level + 1)]);
  return Object.freeze(Object.fromEntries(fields));
}

/** Deeper than data goes; what holds itself ends here. */
const MAX_LEVELS = 100;
