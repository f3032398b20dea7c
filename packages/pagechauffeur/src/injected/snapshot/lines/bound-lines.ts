import { PAGE_BOUNDS } from '../../../page-bounds.ts';
import type { WireNode, WireProperties } from '../../contract.ts';
import { nameIn, propertiesOf, refIn } from './wire-line.ts';

type Changeable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Truncates strings in place and limits their total length. Past that limit, lines lose their text but are kept. Returns
 * false if lines lost text in this way.
 */
export function boundLines(nodes: readonly WireNode[], mostText: number = PAGE_BOUNDS.pageText): boolean {
  const bounds = new LineBounds(mostText);
  bounds.list(nodes);
  return !bounds.isExceeded;
}

class LineBounds {
  #left: number;
  isExceeded = false;

  constructor(mostText: number) {
    this.#left = mostText;
  }

  list(nodes: readonly WireNode[]): void {
    const lines = nodes as WireNode[];
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      if (typeof line !== 'string') this.#line(line);
      else if (!this.#fits(line, PAGE_BOUNDS.plainText)) lines[index] = this.#text(line, PAGE_BOUNDS.plainText);
    }
  }

  #line(line: Exclude<WireNode, string>): void {
    const name = nameIn(line);
    // Without a ref, as for a cell or list item, the name is page text, so the higher limit applies.
    const mostName = refIn(line) === 0 ? PAGE_BOUNDS.plainText : PAGE_BOUNDS.elementName;
    if (!this.#fits(name, mostName)) (line as Changeable<typeof line>)[1] = this.#text(name, mostName);
    if (line[3]) this.#properties(line);
    if (line[4]) this.list(line[4]);
  }

  #properties(line: Exclude<WireNode, string>): void {
    const properties: Changeable<WireProperties> = propertiesOf(line);
    const { value, placeholder, description, url, options } = properties;
    if (value !== undefined) properties.value = this.#text(value, PAGE_BOUNDS.elementValue);
    if (placeholder !== undefined) properties.placeholder = this.#text(placeholder, PAGE_BOUNDS.elementName);
    if (description !== undefined) properties.description = this.#text(description, PAGE_BOUNDS.elementName);
    if (url !== undefined) properties.url = this.#text(url, PAGE_BOUNDS.url);
    if (options !== undefined) properties.options = options.map((one) => this.#text(one, PAGE_BOUNDS.elementName));
  }

  /** Counts the text if it can stay as it is. */
  #fits({ length }: string, bound: number): boolean {
    if (length > bound || length > this.#left) return false;
    this.#left -= length;
    return true;
  }

  #text(text: string, bound: number): string {
    this.isExceeded ||= text.length > this.#left;
    const kept = boundedText(text, Math.min(bound, this.#left));
    this.#left = Math.max(0, this.#left - kept.length);
    return kept;
  }
}

export function boundedText(text: string, bound: number): string {
  return text.length > bound ? `${text.slice(0, bound)}…` : text;
}
