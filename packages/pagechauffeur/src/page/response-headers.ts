/** One line of an answer's head. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** The lines of a head; the browser puts values of one name together, a line end between them. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
}

/** Values by lower-case name; several are joined by `, `, cookies, which may hold commas, by line ends. */
export function headersByName(lines: readonly HeaderLine[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}${key === 'set-cookie' ? '\n' : ', '}${value}`;
  }
  return headers;
}
