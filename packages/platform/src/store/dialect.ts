/** SQL differences between the databases. */
export interface Dialect {
  /** A 64-bit integer type. */
  readonly integer: string;
  /** Type of an auto-increment column that never reuses a number. */
  readonly numbered: string;
  /** Ends a table definition. */
  readonly end: string;
}
