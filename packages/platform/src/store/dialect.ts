/** SQL differences between SQLite and PostgreSQL. */
export interface Dialect {
  /** 64-bit integer type. */
  readonly integer: string;
  /** Type of an auto-increment column that never reuses a number. */
  readonly numbered: string;
  /** Clause at the end of a table definition, such as `STRICT`. */
  readonly end: string;
}
