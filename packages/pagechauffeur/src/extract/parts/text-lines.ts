import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { textTokens } from '../text-tokens.ts';

export interface TextLine {
  /** Includes the indentation. */
  readonly text: string;
  readonly node: SnapshotNode;
  readonly path: string;
  /** Index of the parent line, or -1. */
  readonly parent: number;
}

/**
 * Returns the lines of a snapshot taken `withXPaths`. If the text does not correspond to the tree, returns plain text
 * lines.
 */
export function textLines({ text, nodes, xpaths }: Snapshot): readonly TextLine[] {
  const texts = text.split('\n');
  const lines: TextLine[] = [];
  const add = (siblings: readonly SnapshotNode[], parent: number, depth: number): void => {
    for (const node of siblings) {
      const lineIndex = lines.length;
      lines.push({ text: texts[lineIndex] ?? '', node, path: xpaths.get(node) ?? '', parent });
      // The cells of a row are on the same line as the row.
      const isOpen = node.children.length > 0 && indentOf(texts[lines.length]) > depth;
      if (isOpen) add(node.children, lineIndex, depth + 1);
    }
  };
  add(nodes, -1, 0);
  return lines.length === texts.length ? lines : texts.map(plainLine);
}

function plainLine(text: string): TextLine {
  return { text, node: { role: 'text', name: text.trim(), states: [], children: [] }, path: '', parent: -1 };
}

/** Splits lines of more than `mostTokens` estimated tokens. Some pages have all their text in one line. */
export function splitLongLines(lines: readonly TextLine[], mostTokens: number): readonly TextLine[] {
  const split: TextLine[] = [];
  const placeOf: number[] = [];
  for (const line of lines) {
    placeOf.push(split.length);
    const parent = placeOf[line.parent] ?? -1;
    const [first, ...rest] = piecesOf(line.text, mostTokens);
    split.push({ ...line, text: first, node: rest.length > 0 ? withName(line.node, first) : line.node, parent });
    const indent = ' '.repeat(indentOf(line.text));
    for (const piece of rest) split.push({ ...plainLine(`${indent}- ${piece}`), path: line.path, parent });
  }
  return split;
}

/** Splits a line into pieces of about `mostTokens` estimated tokens, between words if possible. */
export function piecesOf(text: string, mostTokens: number): readonly [string, ...string[]] {
  const tokens = textTokens(text);
  if (tokens <= mostTokens) return [text];
  const length = Math.max(1, Math.floor((text.length * mostTokens) / tokens));
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const space = text.lastIndexOf(' ', start + length);
    const end = start + length < text.length && space > start + length / 2 ? space : start + length;
    pieces.push(text.slice(start, end));
    start = text[end] === ' ' ? end + 1 : end;
  }
  const [first = '', ...rest] = pieces;
  return [first, ...rest];
}

/** A text node gets the text of its piece as its name. Other nodes keep theirs. */
function withName(node: SnapshotNode, line: string): SnapshotNode {
  return node.role === 'text' ? { ...node, name: line.trim().replace(/^- /, '') } : node;
}

function indentOf(line: string | undefined): number {
  return line === undefined ? -1 : line.length - line.trimStart().length;
}

/** Builds a tree from these lines. `lineIndexes` must be sorted and include the parents of all lines. */
export function treeOf(lines: readonly TextLine[], lineIndexes: readonly number[]): readonly SnapshotNode[] {
  const below = new Map<number, SnapshotNode[]>();
  for (const lineIndex of lineIndexes.toReversed()) {
    const line = lines[lineIndex];
    if (!line) continue;
    const isOpen = lines[lineIndex + 1]?.parent === lineIndex;
    const node = isOpen ? { ...line.node, children: (below.get(lineIndex) ?? []).toReversed() } : line.node;
    const siblings = below.get(line.parent);
    if (siblings) siblings.push(node);
    else below.set(line.parent, [node]);
  }
  return (below.get(-1) ?? []).toReversed();
}
