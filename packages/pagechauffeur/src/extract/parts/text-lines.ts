import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A line of a page's text, with what it stands for. */
export interface TextLine {
  /** As it stands in the text, with its indentation. */
  readonly text: string;
  readonly node: SnapshotNode;
  /** XPath of its element. */
  readonly path: string;
  /** The place of the line that it stands below; -1 when there is none. */
  readonly parent: number;
}

/** The lines of a snapshot that was taken with places, in order; none when lines and tree do not go together. */
export function textLines({ text, nodes, places }: Snapshot): readonly TextLine[] {
  const texts = text.split('\n');
  const lines: TextLine[] = [];
  const add = (siblings: readonly SnapshotNode[], parent: number, depth: number): void => {
    for (const node of siblings) {
      const place = lines.length;
      lines.push({ text: texts[place] ?? '', node, path: places.get(node) ?? '', parent });
      // A row whose cells stand in one line has nothing below it.
      const isOpen = node.children.length > 0 && indentOf(texts[lines.length]) > depth;
      if (isOpen) add(node.children, place, depth + 1);
    }
  };
  add(nodes, -1, 0);
  return lines.length === texts.length ? lines : [];
}

function indentOf(line: string | undefined): number {
  return line === undefined ? -1 : line.length - line.trimStart().length;
}

/** The lines of these places as a tree, each below the line that it stands below; places in order, parents among them. */
export function treeOf(lines: readonly TextLine[], places: readonly number[]): readonly SnapshotNode[] {
  const below = new Map<number, SnapshotNode[]>();
  for (const place of places.toReversed()) {
    const line = lines[place];
    if (!line) continue;
    const isOpen = lines[place + 1]?.parent === place;
    const node = isOpen ? { ...line.node, children: (below.get(place) ?? []).toReversed() } : line.node;
    const siblings = below.get(line.parent);
    if (siblings) siblings.push(node);
    else below.set(line.parent, [node]);
  }
  return (below.get(-1) ?? []).toReversed();
}
