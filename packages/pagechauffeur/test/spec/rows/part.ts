/** A part of the interface: what it is called, and one sentence for each of its rows, by the row's name. */
export interface SpecPart {
  readonly title: string;
  readonly rows: Readonly<Record<string, string>>;
}
