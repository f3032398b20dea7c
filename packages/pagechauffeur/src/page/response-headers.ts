/** A header of a response. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Splits headers into lines. The browser joins values of one name with a line end. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
}

/** Values by lower-case name. Several values are joined with `, `, cookies, which may contain commas, with line ends. */
export function headersByName(lines: readonly HeaderLine[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}${key === 'set-cookie' ? '\n' : ', '}${value}`;
  }
  return headers;
}
