import type { SnapshotNode } from '../snapshot/snapshot-node.ts';
import type { ModelPageView } from './model-client.ts';

/** Yields all lines of the tree, top to bottom. */
export function* linesOf(page: Pick<ModelPageView, 'nodes'>): Generator<SnapshotNode> {
  for (const node of page.nodes) {
    yield node;
    yield* linesOf({ nodes: node.children });
  }
}

/** Returns the refs on a page, top to bottom. A model may use only these. */
export function shownRefs(page: Pick<ModelPageView, 'nodes'>): ReadonlySet<string> {
  const refs = new Set<string>();
  for (const { ref } of linesOf(page)) if (ref !== undefined) refs.add(ref);
  return refs;
}
