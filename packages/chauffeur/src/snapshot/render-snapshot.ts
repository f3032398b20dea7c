import type { WireNode, WireProperties } from '../injected/contract.ts';
import { addressIn, type FramePart, type FrameParts } from './frame-part.ts';

/** A snapshot's lines, and the addresses that stand in them as `#0`, `#1`, … */
export interface RenderedSnapshot {
  readonly text: string;
  readonly urls: readonly string[];
}

type WireLine = Exclude<WireNode, string>;

/**
 * Writes a page's frames as lines: `e5 button "Save" disabled`, `- plain text`, `row | a | b`. It reads the lines as they
 * came from the page: building objects of them first takes as long as everything else.
 */
export function renderSnapshot(parts: FrameParts): RenderedSnapshot {
  const renderer = new Renderer(parts);
  renderer.writeFrame(parts.root, '');
  return { text: renderer.lines.join('\n'), urls: renderer.urls };
}

class Renderer {
  readonly lines: string[] = [];
  readonly urls: string[] = [];
  readonly #numberByUrl = new Map<string, number>();
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  writeFrame(part: FramePart | undefined, indent: string): void {
    if (part === undefined) return;
    for (const node of part.snapshot.nodes) this.#write(node, part, indent);
  }

  #write(node: WireNode, part: FramePart, indent: string): void {
    if (typeof node === 'string') {
      this.lines.push(`${indent}- ${node}`);
      return;
    }
    if (roleIn(part, node) === 'row' && isFlatRow(node, part)) {
      this.lines.push(indent + this.#flatRow(node, part));
      return;
    }
    this.lines.push(indent + this.#head(node, part));
    const deeper = `${indent} `;
    const frameId = propertiesOf(node).frameId;
    if (frameId) this.writeFrame(this.#parts.byFrameId.get(frameId), deeper);
    else for (const child of childrenOf(node)) this.#write(child, part, deeper);
  }

  #flatRow(row: WireLine, part: FramePart): string {
    let line = this.#head(row, part);
    for (const cell of childrenOf(row)) if (typeof cell !== 'string') line += ` | ${this.#cell(cell, part)}`;
    return line;
  }

  /** A line without what is below it. */
  #head(node: WireLine, part: FramePart): string {
    const properties = propertiesOf(node);
    const ref = refIn(node);
    let line = ref === 0 ? roleIn(part, node) : `${part.refPrefix()}e${ref} ${roleIn(part, node)}`;
    if (properties.level !== undefined) line += ` ${properties.level}`;
    const name = nameOf(node);
    if (name !== '') line += ` ${quote(name)}`;
    return properties === NO_PROPERTIES ? line : line + this.#details(name, properties, part);
  }

  #details(name: string, properties: WireProperties, part: FramePart): string {
    const { value, states, placeholder, description, options } = properties;
    let details = '';
    if (value) details += ` = ${quote(value)}`;
    if (states && states.length > 0) details += ` ${states.join(' ')}`;
    if (placeholder && placeholder !== name) details += ` placeholder ${quote(placeholder)}`;
    if (description) details += ` description ${quote(description)}`;
    if (options) details += ` options ${options.map(quote).join(', ')}`;
    const url = addressIn(part, properties);
    if (url) details += ` #${this.#urlNumber(url)}`;
    return details;
  }

  #cell(cell: WireLine, part: FramePart): string {
    let text = refIn(cell) === 0 && !propertiesOf(cell).states ? nameOf(cell) : this.#head(cell, part);
    for (const child of childrenOf(cell)) {
      const words = typeof child === 'string' ? child : this.#head(child, part);
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
}

/** Whether every cell holds only text and elements without anything below them, so that the row fits one line. */
function isFlatRow(row: WireLine, part: FramePart): boolean {
  const cells = childrenOf(row);
  return cells.length > 0 && cells.every((cell) => isFlatCell(cell, part));
}

function isFlatCell(cell: WireNode, part: FramePart): boolean {
  if (typeof cell === 'string' || !CELL_ROLES.has(roleIn(part, cell))) return false;
  return childrenOf(cell).every((child) => typeof child === 'string' || hasNothingBelow(child));
}

function hasNothingBelow(node: WireLine): boolean {
  return childrenOf(node).length === 0 && !propertiesOf(node).frameId;
}

const CELL_ROLES = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const NO_PROPERTIES: WireProperties = {};
const NO_CHILDREN: readonly never[] = [];

function roleIn({ snapshot }: FramePart, node: WireLine): string {
  return snapshot.roles[node[0]] ?? '';
}

function nameOf(node: WireLine): string {
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
  return JSON.stringify(text);
}
