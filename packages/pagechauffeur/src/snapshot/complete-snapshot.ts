import { setTimeout } from 'node:timers/promises';
import { MaxQueriedHosts, openClosedRoots } from '../cdp/closed-roots.ts';
import { exploreInternals, forgetInternals, readInternals, updateInternals } from '../cdp/element-internals.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { FrameSnapshot, FrameSnapshotOptions } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { TaskSequence } from '../util/task-sequence.ts';
import { newListeners, type NewListeners, releaseListeners } from './listened-elements.ts';

/** Maximum number of repetitions because of new closed shadow roots. Some pages keep adding them. */
const MAX_RETAKES = 32;

interface FrameDocument {
  readonly world: World;
  readonly frame: FrameNode;
}

/**
 * Takes a snapshot with everything that only CDP can find: event listeners and closed shadow roots. In an explored
 * document, the snapshot is taken while the listeners are queried, and repeated if the result changes anything.
 * Otherwise listeners are queried before it, so that most pages are walked only once.
 */
export async function completeSnapshot(document: FrameDocument, request: FrameSnapshotOptions): Promise<FrameSnapshot> {
  const { world, frame } = document;
  const pending = pendingExplorations.get(world);
  // `await undefined` would let an exploration start before the world is marked as read.
  if (pending) await pending;
  const isExplored = exploredWorlds.has(world);
  const isFirst = !readWorlds.has(world);
  readWorlds.add(world);
  if (!isExplored) await exploration(world, Promise.all([exploreListeners(document), exploreInternals(world)]));
  const taken = world.call('snapshot', request);
  const [first, hasOpened, hasNewListeners, hasNewInternals] = await Promise.all([
    taken,
    isFirst && openClosedRoots(world, MaxQueriedHosts.few),
    isExplored && updates.run(world, async () => reportListeners(world, await newListeners(world, frame))),
    isExplored && updateInternals(world, taken),
  ]);
  forgetInternals(world, first);
  const isAsRead = !hasNewListeners && !hasNewInternals && !hasOpened;
  const isComplete = !(first.customElements > 0 && (await readInternals(world))) && isAsRead;
  // The candidates of the first snapshot were queried right after it.
  if (isFirst && isComplete) return first;
  let snapshot = isComplete ? first : await world.call('snapshot', request);
  for (let time = isFirst ? 1 : 0; snapshot.hostCandidates > 0 && time < MAX_RETAKES; time += 1) {
    if (!(await openClosedRoots(world, MaxQueriedHosts.none))) break;
    snapshot = await world.call('snapshot', request);
  }
  // Those that new listeners or closed shadow roots have shown.
  if (snapshot.customElements > 0 && (await readInternals(world))) return world.call('snapshot', request);
  return snapshot;
}

/** Listeners are reported once, so snapshots that run at the same time wait for each other's reports. */
const updates = new TaskSequence<World>();

/**
 * Delay in ms from the load of a document to its exploration, which keeps a page of 20,000 elements busy for some 50 ms.
 * An action that starts right after the load does not have to wait for it.
 */
const EXPLORATION_DELAY_MS = 20;

/** Maximum time in ms until an explored document is quiet. After that, the first action waits for it. */
const WATCH_TIMEOUT_MS = 5000;

/** Documents whose listeners and closed shadow roots were queried at least once. */
const exploredWorlds = new WeakSet<World>();

/**
 * Marks the current document as read. When the next document loads, its listeners and closed shadow roots are queried,
 * so its first snapshot rarely finds anything new. Documents after one that was not read are skipped: a replay from the
 * cache reads none, and the queries would only delay it.
 */
export function markAsRead(page: PageTarget): void {
  const known = historyByPage.get(page);
  if (known) {
    known.isRead = true;
    return;
  }
  const history: ReadHistory = { isRead: true, wasRead: true, hasLoaded: page.frames.main.lifecycle.has('load') };
  historyByPage.set(page, history);
  page.frames.events.on('navigated', (frame) => {
    if (frame !== page.frames.main) return;
    // A document that a redirect by script replaces is not read, but the one before it counts.
    if (history.hasLoaded) Object.assign(history, { isRead: false, wasRead: history.isRead });
    history.hasLoaded = false;
  });
  page.frames.events.on('lifecycle', ({ frame, name }) => {
    if (name !== 'load') return;
    if (frame === page.frames.main) history.hasLoaded = true;
    if (history.wasRead || history.isRead) exploreWhenFree(page, frame).catch(ignoreRejection);
  });
}

interface ReadHistory {
  /** True if a snapshot of the current document was taken. */
  isRead: boolean;
  /** True if a snapshot of the previous document was taken. */
  wasRead: boolean;
  /** True if the current document has fired `load`. */
  hasLoaded: boolean;
}

const historyByPage = new WeakMap<PageTarget, ReadHistory>();

/** During an action, explores at once: it still waits until the page settles, and a snapshot often follows. */
async function exploreWhenFree(page: PageTarget, frame: FrameNode): Promise<void> {
  if (!page.lock.isTaken) {
    await setTimeout(EXPLORATION_DELAY_MS, undefined, { ref: false });
    await page.lock.whenFree();
  }
  await explore(frame);
}

/** Snapshots of a document wait for its exploration. */
const pendingExplorations = new WeakMap<World, Promise<unknown>>();
/** Documents with a snapshot. They need no exploration, because a snapshot queries what is new. */
const readWorlds = new WeakSet<World>();

async function explore(frame: FrameNode): Promise<void> {
  const world = await frame.worlds.isolated;
  if (readWorlds.has(world)) return;
  // Makes the injected script measure how long the page has been quiet, so the first action need not wait for frames.
  world.call('watchPage', WATCH_TIMEOUT_MS).catch(ignoreRejection);
  const queries = exploreListeners({ world, frame }).then(() => openClosedRoots(world, MaxQueriedHosts.few));
  await exploration(world, Promise.all([queries, exploreInternals(world)]));
}

/** Until the queries end, snapshots of the document wait for them. */
function exploration(world: World, queries: Promise<unknown>): Promise<void> {
  const explored = queries
    .then(() => void exploredWorlds.add(world))
    .finally(() => void pendingExplorations.delete(world));
  pendingExplorations.set(world, explored.catch(ignoreRejection));
  return explored;
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
  releaseListeners(world, listeners);
  return reported;
}
