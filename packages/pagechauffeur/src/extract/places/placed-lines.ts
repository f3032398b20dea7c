import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A line of a page, or one of its cells, with the XPath of the element. */
export interface PlacedLine {
  readonly node: SnapshotNode;
  readonly path: string;
}

/** Returns the lines of a snapshot taken `withPlaces`, in order. */
export function placedLines({ nodes, places }: Snapshot): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  const add = (node: SnapshotNode): void => {
    lines.push({ node, path: places.get(node) ?? '' });
    for (const child of node.children) add(child);
  };
  for (const node of nodes) add(node);
  return lines;
}

/** A part of a line that can be a value. */
export type LinePart = 'name' | 'value' | 'url' | 'description' | 'placeholder';

/** All kinds of parts. */
export const PARTS: readonly LinePart[] = ['name', 'value', 'url', 'description', 'placeholder'];

/** Returns the parts of a line that are not empty. */
export function partsOf(node: SnapshotNode): readonly { readonly part: LinePart; readonly text: string }[] {
  return PARTS.flatMap((part) => {
    const text = node[part];
    return text === undefined || text === '' ? [] : [{ part, text }];
  });
}
