import type { FrameSnapshot, WireNode, WireProperties } from '../contract.ts';

type WireLine = Exclude<WireNode, string>;

/** Stands before what only the page around the frame can complete: see `FrameSnapshot.text`. JSON carries it as one byte. */
const MARK = '\u007F';

/** Writes lines as text: `e5 button "Save" disabled`, `- plain text`, `row | a | b`. */
export function renderLines(
  nodes: readonly WireNode[],
  roles: readonly string[],
): Pick<FrameSnapshot, 'text' | 'urls'> {
  const renderer = new Renderer(roles);
  for (const node of nodes) renderer.write(node, '');
  return { text: renderer.lines.join('\n'), urls: renderer.urls };
}

class Renderer {
  readonly lines: string[] = [];
  readonly urls: string[] = [];
  readonly #numberByUrl = new Map<string, number>();
  readonly #roles: readonly string[];

  constructor(roles: readonly string[]) {
    this.#roles = roles;
  }

  write(node: WireNode, indent: string): void {
    if (typeof node === 'string') {
      this.lines.push(`${indent}- ${plain(node)}`);
      return;
    }
    if (this.#roleOf(node) === 'row' && this.#isFlatRow(node)) {
      this.lines.push(indent + this.#flatRow(node));
      return;
    }
    this.lines.push(indent + this.#head(node));
    const deeper = `${indent} `;
    const { frameId } = propertiesOf(node);
    if (frameId) this.lines.push(`${deeper}${MARK}f${frameId}`);
    else for (const child of childrenOf(node)) this.write(child, deeper);
  }

  #flatRow(row: WireLine): string {
    let line = this.#head(row);
    for (const cell of childrenOf(row)) if (typeof cell !== 'string') line += ` | ${this.#cell(cell)}`;
    return line;
  }

  /** A line without what is below it. */
  #head(node: WireLine): string {
    const properties = propertiesOf(node);
    const ref = refIn(node);
    let line = ref === 0 ? this.#roleOf(node) : `${MARK}e${ref} ${this.#roleOf(node)}`;
    if (properties.level !== undefined) line += ` ${properties.level}`;
    const name = nameIn(node);
    if (name !== '') line += ` ${quote(name)}`;
    return properties === NO_PROPERTIES ? line : line + this.#details(name, properties);
  }

  #details(name: string, { value, states, placeholder, description, options, url }: WireProperties): string {
    let details = '';
    if (value) details += ` = ${quote(value)}`;
    if (states && states.length > 0) details += ` ${states.join(' ')}`;
    if (placeholder && placeholder !== name) details += ` placeholder ${quote(placeholder)}`;
    if (description) details += ` description ${quote(description)}`;
    if (options) details += ` options ${options.map(quote).join(', ')}`;
    if (url) details += ` ${MARK}#${this.#urlNumber(url)}`;
    return details;
  }

  #cell(cell: WireLine): string {
    let text = refIn(cell) === 0 && !propertiesOf(cell).states ? plain(nameIn(cell)) : this.#head(cell);
    for (const child of childrenOf(cell)) {
      const words = typeof child === 'string' ? plain(child) : this.#head(child);
      if (words !== '') text += text === '' ? words : ` ${words}`;
    }
    return text;
  }

  #urlNumber(url: string): number {
    const known = this.#numberByUrl.get(url);
    if (known !== undefined) return known;
    this.#numberByUrl.set(url, this.urls.length);
    return this.urls.push(url) - 1;
  }

  /** Whether every cell holds only text and elements without anything below them, so that the row fits one line. */
  #isFlatRow(row: WireLine): boolean {
    const cells = childrenOf(row);
    return cells.length > 0 && cells.every((cell) => this.#isFlatCell(cell));
  }

  #isFlatCell(cell: WireNode): boolean {
    if (typeof cell === 'string' || !CELL_ROLES.has(this.#roleOf(cell))) return false;
    return childrenOf(cell).every((child) => typeof child === 'string' || hasNothingBelow(child));
  }

  #roleOf(node: WireLine): string {
    return this.#roles[node[0]] ?? '';
  }
}

const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const NO_PROPERTIES: WireProperties = {};
const NO_CHILDREN: readonly never[] = [];

function hasNothingBelow(node: WireLine): boolean {
  return childrenOf(node).length === 0 && !propertiesOf(node).frameId;
}

function nameIn(node: WireLine): string {
  return node[1] ?? '';
}

function refIn(node: WireLine): number {
  return node[2] ?? 0;
}

function propertiesOf(node: WireLine): WireProperties {
  return node[3] || NO_PROPERTIES;
}

function childrenOf(node: WireLine): readonly WireNode[] {
  return node[4] ?? NO_CHILDREN;
}

/** JSON's quotes: whatever a page writes stays within one line and one pair of quotes. */
function quote(text: string): string {
  return JSON.stringify(plain(text));
}

// The page could otherwise write refs of its own.
function plain(text: string): string {
  return text.includes(MARK) ? text.replaceAll(MARK, '') : text;
}
