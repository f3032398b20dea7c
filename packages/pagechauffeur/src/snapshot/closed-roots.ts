import type { BrowserNode, World } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** How many elements are asked about that may host a closed shadow root, although nothing about them says so. */
export const HostsAsked = { none: 0, few: 500, many: 20_000 } as const;
/** Roots in roots in roots are opened so deep in one go. */
const MAX_DEPTH = 64;

/**
 * Opens the closed shadow roots of a document to the in-page program, those within others too; whether there were any. It
 * names the elements that may host one; the browser, which sees them all, is asked about each; each candidate is asked about once.
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

/** The browser's number of the closed root that hangs on an element. */
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
