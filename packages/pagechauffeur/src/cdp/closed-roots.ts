import type { BrowserNode, World } from './world.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { TaskSequence } from '../util/task-sequence.ts';

/**
 * Elements that do not look like shadow hosts are queried for a closed shadow root only if there are at most this many.
 */
export const MaxQueriedHosts = { none: 0, few: 150, many: 20_000 } as const;
/** Maximum nesting depth of closed shadow roots per call. */
const MAX_DEPTH = 64;

/**
 * Gives the injected script access to the closed shadow roots of a document, nested ones included. The script returns
 * elements that could be hosts, each only once, and CDP returns their shadow roots. Returns true if one was found, also
 * by a call that this one waited for.
 */
export function openClosedRoots(world: World, maxQueriedHosts: number = MaxQueriedHosts.many): Promise<boolean> {
  // One at a time: the hosts that the script has returned to another call are not returned again.
  return openings.run(world, () => openNested(world, maxQueriedHosts));
}

const openings = new TaskSequence<World>();

/**
 * Resolves when closed shadow roots that are being opened are accessible. `undefined` if there are none. Until then, the
 * injected script already counts their hosts as queried, so its answers lack the elements inside.
 */
export function pendingRoots(world: World): Promise<unknown> | undefined {
  return openings.pending(world);
}

async function openNested(world: World, maxQueriedHosts: number): Promise<boolean> {
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const candidates = await world.callForNodes(
      'takeHostCandidates',
      depth === 0 ? maxQueriedHosts : MaxQueriedHosts.none,
    );
    const roots = candidates.flatMap(closedRootOf);
    if (roots.length === 0) return depth > 0;
    await Promise.all(roots.map((root) => openRoot(world, root)));
  }
  return true;
}

function closedRootOf({ value }: BrowserNode): number[] {
  const root = value?.shadowRoot?.value;
  return root?.mode === 'closed' ? [root.backendNodeId] : [];
}

async function openRoot(world: World, backendNodeId: number): Promise<void> {
  const handle = await world.handleOf(backendNodeId);
  if (handle === undefined) return;
  await world.call('adoptShadowRoot', handle);
  world.session.send('Runtime.releaseObject', { objectId: handle.objectId }).catch(ignoreRejection);
}
