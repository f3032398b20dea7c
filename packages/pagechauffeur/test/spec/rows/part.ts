/** A part of the public API: its title, and one sentence for each row, by the row's name. */
export interface SpecPart {
  readonly title: string;
  readonly rows: Readonly<Record<string, string>>;
}
