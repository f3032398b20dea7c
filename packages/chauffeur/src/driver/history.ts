/** One operation of a driver, in the order they ended. */
export interface HistoryEntry {
  readonly method: 'act' | 'extract' | 'observe' | 'navigate';
  /** What was asked for; of variables only the names. */
  readonly parameters: unknown;
  /** What came of it; of an error its name, code and message. */
  readonly result: unknown;
  /** When it ended, ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Collects the operations of a driver. */
export class History {
  readonly #entries: HistoryEntry[] = [];

  /** Notes one operation. */
  add(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    this.#entries.push(Object.freeze({ method, parameters, result, timestamp: new Date().toISOString() }));
  }

  /** The operations so far, oldest first, as a copy. */
  read(): readonly HistoryEntry[] {
    return Object.freeze([...this.#entries]);
  }
}
