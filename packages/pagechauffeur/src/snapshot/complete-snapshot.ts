import { MaxQueriedHosts, openClosedRoots } from '../cdp/closed-roots.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { FrameSnapshot, FrameSnapshotOptions } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { newListeners, type NewListeners, releaseListeners } from './listened-elements.ts';

/** Maximum number of repetitions because of new closed shadow roots. Some pages keep adding them. */
const MAX_RETAKES = 32;

interface FrameDocument {
  readonly world: World;
  readonly frame: FrameNode;
}

/**
 * Takes a snapshot with everything that only CDP can find: event listeners and closed shadow roots. The first snapshot
 * of a document queries listeners before and closed shadow roots right after, so that most pages are walked only once.
 * Later snapshots query both in parallel, and are repeated if the results change anything.
 */
export async function completeSnapshot(
  { world, frame }: FrameDocument,
  request: FrameSnapshotOptions,
): Promise<FrameSnapshot> {
  const isFirst = !readWorlds.has(world);
  readWorlds.add(world);
  if (isFirst) await (pendingExplorations.get(world) ?? exploreListeners({ world, frame }));
  const [first, hasOpened, listeners] = await Promise.all([
    world.call('snapshot', request),
    isFirst && openClosedRoots(world, MaxQueriedHosts.few),
    isFirst ? undefined : newListeners(world, frame),
  ]);
  const hasNewElements = hasOpened || (await reportListeners(world, listeners));
  // The candidates of the first snapshot were queried right after it.
  if (isFirst && !hasOpened) return first;
  let snapshot = hasNewElements ? await world.call('snapshot', request) : first;
  for (let time = isFirst ? 1 : 0; snapshot.hostCandidates > 0 && time < MAX_RETAKES; time += 1) {
    if (!(await openClosedRoots(world, MaxQueriedHosts.none))) break;
    snapshot = await world.call('snapshot', request);
  }
  return snapshot;
}

/** Documents with a snapshot. */
const readWorlds = new WeakSet<World>();

/**
 * From now on, queries the listeners and closed shadow roots of each document of this page when it has loaded. Its first
 * snapshot then only has to query what is new. Call before the first snapshot: a page that was read once will be read
 * again, but pages that are never read should not spend time on this.
 */
export function exploreOnLoad(page: PageTarget): void {
  if (exploredPages.has(page)) return;
  exploredPages.add(page);
  page.frames.events.on('lifecycle', ({ frame, name }) => {
    if (name === 'load') explore(frame).catch(ignoreRejection);
  });
}

const exploredPages = new WeakSet<PageTarget>();
/** The first snapshot of a document waits for its exploration. */
const pendingExplorations = new WeakMap<World, Promise<unknown>>();

async function explore(frame: FrameNode): Promise<void> {
  const world = await frame.worlds.isolated;
  if (readWorlds.has(world)) return;
  const exploration = exploreListeners({ world, frame }).then(() => openClosedRoots(world, MaxQueriedHosts.few));
  pendingExplorations.set(world, exploration);
  const isOver = (): boolean => pendingExplorations.delete(world);
  await exploration.then(isOver, isOver);
}

/** Does not wait until the injected script has received them, because CDP runs commands in order. */
async function exploreListeners({ world, frame }: FrameDocument): Promise<void> {
  reportListeners(world, await newListeners(world, frame)).catch(ignoreRejection);
}

/** Returns true if the listeners change the next snapshot. */
async function reportListeners(world: World, listeners: NewListeners | undefined): Promise<boolean> {
  if (!listeners) return false;
  const { uses, handles, delegated } = listeners;
  const reported = world.call('noteListeners', uses, delegated, ...handles);
  releaseListeners(world);
  return reported;
}
