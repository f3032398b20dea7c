/** Name and value of one response header. A repeated header has one entry per value. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Splits headers into lines. Chromium joins repeated headers with `\n`. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
}

/** Joins the values of repeated headers with `, `, and those of `set-cookie`, which may contain commas, with `\n`. */
export function headersByName(lines: readonly HeaderLine[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}${key === 'set-cookie' ? '\n' : ', '}${value}`;
  }
  return headers;
}
