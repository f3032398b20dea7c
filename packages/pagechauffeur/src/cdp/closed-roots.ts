import type { BrowserNode, World } from './world.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** Maximum number of elements to query for a closed shadow root if nothing marks them as shadow hosts. */
export const HostsAsked = { none: 0, few: 150, many: 20_000 } as const;
/** Maximum nesting depth of closed shadow roots that one call opens. */
const MAX_DEPTH = 64;

/**
 * Gives the injected script access to the closed shadow roots of a document, including nested ones. The script returns
 * the elements that could be hosts, and CDP returns the shadow root of each. Each candidate is queried only once.
 * Returns true if any root was found.
 */
export async function openClosedRoots(world: World, hostsAsked: number = HostsAsked.many): Promise<boolean> {
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const candidates = await world.callForNodes('takeHostCandidates', depth === 0 ? hostsAsked : HostsAsked.none);
    const roots = candidates.flatMap(closedRootOf);
    if (roots.length === 0) return depth > 0;
    await Promise.all(roots.map((root) => openRoot(world, root)));
  }
  return true;
}

/** Returns the backend node ID of an element's closed shadow root. Empty if there is none. */
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
