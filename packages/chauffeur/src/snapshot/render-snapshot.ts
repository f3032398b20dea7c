import type { Snapshot } from './snapshot.ts';
import type { SnapshotNode } from './snapshot-node.ts';
import type { StitchedPage } from './stitch-frames.ts';

/** Writes a page's tree as lines: `e5 button "Save" disabled`, `- plain text`, `row | a | b`. */
export function renderSnapshot(page: StitchedPage): Snapshot {
  const renderer = new Renderer();
  for (const node of page.nodes) renderer.write(node, '');
  return { ...page, text: renderer.lines.join('\n'), urls: renderer.urls };
}

class Renderer {
  readonly lines: string[] = [];
  readonly urls: string[] = [];
  readonly #numberByUrl = new Map<string, number>();

  write(node: SnapshotNode, indent: string): void {
    if (node.role === 'row' && isFlatRow(node)) {
      let line = indent + this.#head(node);
      for (const cell of node.children) line += ` | ${this.#cell(cell)}`;
      this.lines.push(line);
      return;
    }
    this.lines.push(indent + this.#head(node));
    const deeper = `${indent} `;
    for (const child of node.children) this.write(child, deeper);
  }

  /** A line without what is below it. */
  #head(node: SnapshotNode): string {
    if (node.role === 'text') return `- ${node.name}`;
    let line = node.ref === undefined ? node.role : `${node.ref} ${node.role}`;
    if (node.level !== undefined) line += ` ${node.level}`;
    if (node.name !== '') line += ` ${quote(node.name)}`;
    if (node.value !== undefined && node.value !== '') line += ` = ${quote(node.value)}`;
    if (node.states.length > 0) line += ` ${node.states.join(' ')}`;
    return line + this.#details(node);
  }

  #details({ name, placeholder, description, options, url }: SnapshotNode): string {
    let details = '';
    if (placeholder && placeholder !== name) details += ` placeholder ${quote(placeholder)}`;
    if (description) details += ` description ${quote(description)}`;
    if (options) details += ` options ${options.map(quote).join(', ')}`;
    if (url) details += ` #${this.#urlNumber(url)}`;
    return details;
  }

  #cell(cell: SnapshotNode): string {
    let text = cell.ref === undefined && cell.states.length === 0 ? cell.name : this.#head(cell);
    for (const child of cell.children) {
      const part = child.role === 'text' ? child.name : this.#head(child);
      if (part !== '') text += text === '' ? part : ` ${part}`;
    }
    return text;
  }

  #urlNumber(url: string): number {
    const known = this.#numberByUrl.get(url);
    if (known !== undefined) return known;
    this.#numberByUrl.set(url, this.urls.length);
    return this.urls.push(url) - 1;
  }
}

/** Whether every cell holds only text and elements without anything below them, so that the row fits one line. */
function isFlatRow(row: SnapshotNode): boolean {
  return (
    row.children.length > 0 &&
    row.children.every(
      (cell) => CELL_ROLES.has(cell.role) && cell.children.every((child) => child.children.length === 0),
    )
  );
}

const CELL_ROLES = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

/** JSON's quotes: whatever a page writes stays within one line and one pair of quotes. */
function quote(text: string): string {
  return JSON.stringify(text);
}
