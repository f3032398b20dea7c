import type { PartState } from '../reachability.ts';

/** A value as a database takes it. */
export type SqlInput = string | number | null;

/** A row as a database gives it: whole numbers may come as text. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A database of either kind. Statements name their values as `:name`, and are written so that both kinds understand them. */
export interface SqlDatabase {
  /** An expression: the time by the database's own clock, in milliseconds since 1970. */
  readonly clock: string;
  /** Whether several servers may use it at once. */
  readonly isShared: boolean;
  /** Whether it can be reached; undefined for one that is always there. */
  readonly state?: PartState;
  /** A query for the texts in an array that is given as JSON. */
  textsOf(json: string): string;
  /** Runs one statement and gives its rows. */
  query(sql: string, values?: Readonly<Record<string, SqlInput>>): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}
