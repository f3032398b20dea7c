import type { PartState } from '../reachability.ts';

export type SqlInput = string | number | null;

/** Result row. The driver may return integers as strings. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** SQLite or PostgreSQL. Statements name parameters `:name` and use only SQL that both support. */
export interface SqlDatabase {
  /** SQL expression for the database's current time in milliseconds since 1970. */
  readonly clock: string;
  /** True if several servers can use the database. */
  readonly isShared: boolean;
  /** Missing for a database in this process, which is always reachable. */
  readonly state?: PartState;
  /** Returns a query that expands a JSON array of strings into rows. */
  textsOf(json: string): string;
  query(sql: string, values?: Readonly<Record<string, SqlInput>>): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}
