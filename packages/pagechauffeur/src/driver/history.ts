import { isPlainRecord } from '../util/is-record.ts';

/** A call of `act`, `observe` or `extract`, or a navigation. Agent runs have no entries. */
export interface HistoryEntry {
  readonly method: 'act' | 'extract' | 'observe' | 'navigate';
  /** The arguments. Variables are listed by name, without values. */
  readonly parameters: unknown;
  /** The result, or the name, code and message of the error. */
  readonly result: unknown;
  /** When the call ended: ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Keeps frozen copies, so later changes to a result do not affect its entry. */
export class History {
  readonly #entries: HistoryEntry[] = [];

  add(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    const timestamp = new Date().toISOString();
    this.#entries.push(Object.freeze({ method, parameters: kept(parameters), result: kept(result), timestamp }));
  }

  read(): readonly HistoryEntry[] {
    return Object.freeze([...this.#entries]);
  }
}

/** Copies plain data. Other values, such as class instances from a schema, are kept as they are. */
function kept(value: unknown, level = 0): unknown {
  if (level > MAX_LEVELS) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((entry) => kept(entry, level + 1)));
  if (!isPlainRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, kept(field, level + 1)]);
  return Object.freeze(Object.fromEntries(fields));
}

/** Ends recursion at cycles. Real data is less deep. */
const MAX_LEVELS = 100;
