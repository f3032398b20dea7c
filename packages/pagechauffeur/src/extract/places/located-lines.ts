import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A snapshot line or table cell with the XPath of its element. */
export interface LocatedLine {
  readonly node: SnapshotNode;
  readonly path: string;
}

/** Returns all nodes of a snapshot taken `withXPaths`, in page order. */
export function locatedLines({ nodes, xpaths }: Snapshot): readonly LocatedLine[] {
  const lines: LocatedLine[] = [];
  const add = (node: SnapshotNode): void => {
    lines.push({ node, path: xpaths.get(node) ?? '' });
    for (const child of node.children) add(child);
  };
  for (const node of nodes) add(node);
  return lines;
}

/** A property of a snapshot node that can hold a value. */
export type LinePart = 'name' | 'value' | 'url' | 'description' | 'placeholder';

export const PARTS: readonly LinePart[] = ['name', 'value', 'url', 'description', 'placeholder'];

/** Returns the non-empty properties of a node that can hold a value. */
export function partsOf(node: SnapshotNode): readonly { readonly part: LinePart; readonly text: string }[] {
  return PARTS.flatMap((part) => {
    const text = node[part];
    return text === undefined || text === '' ? [] : [{ part, text }];
  });
}
