import type { FrameNode } from '../cdp/frame-node.ts';
import type { RemoteHandle, World } from '../cdp/world.ts';
import type { DelegatedElements, ListenerUse } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { delegatedElements } from './delegated-listeners.ts';

/** Mouse events that a page can listen to, and the use that each stands for. */
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
/** An element with listeners for more types of events only passes them on, like the root of a React application. */
const MOST_TYPES = 20;
const CLICK_EVENTS: readonly string[] = Object.keys(USE_BY_EVENT).filter((event) => USE_BY_EVENT[event] !== 'drop');
/** Maximum number of elements reported per call. The next snapshot reports more. */
const MAX_REPORTED = 5000;
/** Object group of the handles. It is released once the in-page program has them. */
const GROUP = 'listened';

/** Elements with listeners: those of their own as handles for the in-page program, each with its use, and those with delegated ones. */
export interface NewListeners {
  readonly uses: readonly ListenerUse[];
  readonly handles: readonly RemoteHandle[];
  readonly delegated: DelegatedElements;
}

/** Backend node ids already reported to the in-page program, by document. */
const reportedByWorld = new WeakMap<World, Set<number>>();

/**
 * Elements with listeners that were not reported to the in-page program yet; `undefined` if there are none. Delegated handlers are only
 * read if there are new listeners, because a framework that delegates events listens itself.
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

/** Elements with their own listeners, by backend node id, and the use of each. */
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

/** The use of listeners for these types of events. Clicks and presses take precedence over drops. */
function useOf(types: ReadonlySet<string>): ListenerUse | undefined {
  const uses = new Set([...types].map((type) => USE_BY_EVENT[type]));
  const isClicked = uses.has('click') || (uses.has('double click') && uses.has('press'));
  if (isClicked) return uses.has('press') && types.size <= MOST_TYPES ? 'press and click' : 'click';
  return (['press', 'double click', 'drop'] as const).find((use) => uses.has(use));
}

/**
 * Shadow roots are left out if there are frames in the same process: their listeners would be reported, too, and an element that is resolved
 * in the world of another document is none of this document's `Element`s from then on.
 */
async function listenersIn(world: World, frame: FrameNode): ReturnType<World['listeners']> {
  const isAlone = (): boolean => [...frame.children].every(({ isLocalRoot }) => isLocalRoot);
  const listeners = isAlone() ? await world.listeners(true) : undefined;
  // A frame that was attached before the query is known by the time of the answer.
  return listeners && isAlone() ? listeners : world.listeners(false);
}

async function delegatedIn(world: World): Promise<DelegatedElements> {
  const document = await world.pageDocument();
  return document ? delegatedElements(world, document, CLICK_EVENTS) : { elementCount: 0, indexes: [] };
}
