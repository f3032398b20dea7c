/** How the kinds of databases name what they have in common. */
export interface Dialect {
  /** A whole number of 64 bits. */
  readonly integer: string;
  /** A column that numbers the rows of its table in the order in which they were added, and never uses a number twice. */
  readonly numbered: string;
  /** What ends the definition of a table. */
  readonly end: string;
}
