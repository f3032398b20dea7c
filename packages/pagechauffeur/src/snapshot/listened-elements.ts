import type { FrameNode } from '../cdp/frame-node.ts';
import type { RemoteHandle, World } from '../cdp/world.ts';
import type { DelegatedElements, ListenerUse } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { delegatedElements } from './delegated-listeners.ts';

/** Mouse events that a page can listen to, and how a person uses an element with such a listener. */
const USE_BY_EVENT: Readonly<Record<string, ListenerUse>> = {
  click: 'click',
  mouseup: 'click',
  pointerup: 'click',
  dblclick: 'double click',
  contextmenu: 'click',
  mousedown: 'press',
  pointerdown: 'press',
  drop: 'drop',
};
/**
 * Maximum number of event types on an element. An element with more, such as the root of a React application, only
 * delegates events.
 */
const MOST_TYPES = 20;
const CLICK_EVENTS: readonly string[] = Object.keys(USE_BY_EVENT).filter((event) => USE_BY_EVENT[event] !== 'drop');
/** Maximum number of elements that are reported per call. The next snapshot reports the others. */
const MAX_REPORTED = 5000;
/** Object group of the handles. It is released once the injected script has received them. */
const GROUP = 'listened';

/**
 * Elements with listeners. Those with listeners of their own are handles for the injected script, each with its use;
 * those with delegated listeners are indexes.
 */
export interface NewListeners {
  readonly uses: readonly ListenerUse[];
  readonly handles: readonly RemoteHandle[];
  readonly delegated: DelegatedElements;
}

/** For each document, the backend node IDs that were already reported to the injected script. */
const reportedByWorld = new WeakMap<World, Set<number>>();

/**
 * Returns elements with listeners that were not yet reported to the injected script. Returns `undefined` if there are
 * none. Delegated handlers are only read if there are new listeners, because a framework that delegates events adds a
 * listener of its own.
 */
export async function newListeners(world: World, frame: FrameNode): Promise<NewListeners | undefined> {
  const reported = reportedByWorld.get(world) ?? new Set();
  reportedByWorld.set(world, reported);
  const listened = await listenedNodes(world, frame);
  const news = [...listened].filter(([node]) => !reported.has(node)).slice(0, MAX_REPORTED);
  if (news.length === 0) return undefined;
  for (const [node] of news) reported.add(node);
  const [delegated, ...found] = await Promise.all([
    delegatedIn(world),
    ...news.map(async ([node, use]) => ({ use, handle: await world.handleOf(node, GROUP) })),
  ]);
  const there = found.flatMap(({ use, handle }) => (handle ? [{ use, handle }] : []));
  return { uses: there.map(({ use }) => use), handles: there.map(({ handle }) => handle), delegated };
}

/** Releases the handles in the browser. */
export function releaseListeners({ session }: World): void {
  session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(ignoreRejection);
}

/** Returns the elements with listeners of their own, by backend node ID, and the use of each. */
async function listenedNodes(world: World, frame: FrameNode): Promise<ReadonlyMap<number, ListenerUse>> {
  const typesByNode = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of await listenersIn(world, frame)) {
    if (backendNodeId === undefined) continue;
    const types = typesByNode.get(backendNodeId) ?? new Set();
    typesByNode.set(backendNodeId, types.add(type));
  }
  const useByNode = new Map<number, ListenerUse>();
  for (const [node, types] of typesByNode) {
    const use = useOf(types);
    if (use !== undefined) useByNode.set(node, use);
  }
  return useByNode;
}

/**
 * Returns the use of an element with listeners for these event types. Clicks and presses take precedence over drops.
 */
function useOf(types: ReadonlySet<string>): ListenerUse | undefined {
  const uses = new Set([...types].map((type) => USE_BY_EVENT[type]));
  const isClicked = uses.has('click') || (uses.has('double click') && uses.has('press'));
  if (isClicked) return uses.has('press') && types.size <= MOST_TYPES ? 'press and click' : 'click';
  return (['press', 'double click', 'drop'] as const).find((use) => uses.has(use));
}

/**
 * Returns the listeners in a document. Leaves out shadow roots if there are frames in the same process. Otherwise CDP
 * would also report the listeners in these frames, and resolve their elements in the world of this document, where they
 * are no longer instances of their own document's `Element`.
 */
async function listenersIn(world: World, frame: FrameNode): ReturnType<World['listeners']> {
  const isAlone = (): boolean => [...frame.children].every(({ isLocalRoot }) => isLocalRoot);
  const listeners = isAlone() ? await world.listeners(true) : undefined;
  // By now, frames that were attached before the query are known.
  return listeners && isAlone() ? listeners : world.listeners(false);
}

async function delegatedIn(world: World): Promise<DelegatedElements> {
  const document = await world.pageDocument();
  return document ? delegatedElements(world, document, CLICK_EVENTS) : { elementCount: 0, indexes: [] };
}
