import type { PartState } from '../reachability.ts';

/** A parameter value. */
export type SqlInput = string | number | null;

/** A result row. Integers may be strings. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** SQLite or PostgreSQL. Statements name parameters as `:name` and use SQL that both understand. */
export interface SqlDatabase {
  /** Expression for the database's current time, in milliseconds since 1970. */
  readonly clock: string;
  /** True if several servers may use it. */
  readonly isShared: boolean;
  /** Its reachability. Undefined if it is always available. */
  readonly state?: PartState;
  /** A query for the strings of a JSON array. */
  textsOf(json: string): string;
  /** Runs a statement and returns its rows. */
  query(sql: string, values?: Readonly<Record<string, SqlInput>>): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}
