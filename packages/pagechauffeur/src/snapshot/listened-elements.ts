import type { RemoteHandle, World } from '../cdp/world.ts';
import type { ListenerUse } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { delegatedNodes } from './delegated-listeners.ts';

/** Mouse events that a page can listen to, and the use that each stands for. */
const USE_BY_EVENT: Readonly<Record<string, ListenerUse>> = {
  click: 'click',
  mouseup: 'click',
  pointerup: 'click',
  dblclick: 'click',
  contextmenu: 'click',
  mousedown: 'press',
  pointerdown: 'press',
  drop: 'drop',
};
/** Uses in order of precedence. An element with several uses gets the first. */
const USES: readonly ListenerUse[] = ['click', 'press', 'drop'];
const CLICK_EVENTS: readonly string[] = Object.keys(USE_BY_EVENT).filter((event) => USE_BY_EVENT[event] !== 'drop');
/** Maximum number of elements reported per call. */
const MOST_TOLD = 5000;
/** Object group of the handles. It is released once the in-page program has them. */
const GROUP = 'listened';

/** Elements with listeners, as handles for the in-page program. */
export interface ListenedElements {
  readonly uses: readonly ListenerUse[];
  readonly handles: readonly RemoteHandle[];
}

/** Backend node ids already reported to the in-page program, by document. */
const toldByWorld = new WeakMap<World, Set<number>>();

/**
 * Elements with listeners that were not reported to the in-page program yet. Reads delegated handlers when a document is seen for the first
 * time, and again whenever it has new listeners.
 */
export async function newlyListened(world: World): Promise<ListenedElements | undefined> {
  const isFirst = !toldByWorld.has(world);
  const told = toldByWorld.get(world) ?? new Set();
  toldByWorld.set(world, told);
  const [direct, delegated] = await Promise.all([listenedNodes(world), isFirst ? delegatedIn(world) : []]);
  const news = new Map([...direct].filter(([node]) => !told.has(node)));
  if (news.size === 0 && delegated.length === 0) return undefined;
  for (const node of isFirst ? delegated : await delegatedIn(world)) if (!told.has(node)) news.set(node, 'click');
  const asked = [...news].slice(0, MOST_TOLD);
  for (const [node] of asked) told.add(node);
  const found = await Promise.all(
    asked.map(async ([node, use]) => ({ use, handle: await world.handleOf(node, GROUP) })),
  );
  const there = found.flatMap(({ use, handle }) => (handle ? [{ use, handle }] : []));
  return { uses: there.map(({ use }) => use), handles: there.map(({ handle }) => handle) };
}

/** Releases the handles in the browser. */
export function releaseListened({ session }: World): void {
  session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(ignoreRejection);
}

/** Elements with their own listeners, by backend node id, and the use of each. */
async function listenedNodes(world: World): Promise<ReadonlyMap<number, ListenerUse>> {
  const useByNode = new Map<number, ListenerUse>();
  for (const { type, backendNodeId } of await world.listeners()) {
    const use = USE_BY_EVENT[type];
    if (use === undefined || backendNodeId === undefined) continue;
    const known = useByNode.get(backendNodeId);
    if (known === undefined || USES.indexOf(use) < USES.indexOf(known)) useByNode.set(backendNodeId, use);
  }
  return useByNode;
}

async function delegatedIn(world: World): Promise<readonly number[]> {
  const document = await world.pageDocument();
  return document ? delegatedNodes(world, document, CLICK_EVENTS) : [];
}
