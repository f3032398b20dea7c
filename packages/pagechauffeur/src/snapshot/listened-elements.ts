import type { RemoteHandle, World } from '../cdp/world.ts';
import type { ListenerUse } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { delegatedNodes } from './delegated-listeners.ts';

/** Events by which a page hears what a mouse does, and what that is. */
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
/** What counts of an element with several uses: the first. */
const USES: readonly ListenerUse[] = ['click', 'press', 'drop'];
const CLICK_EVENTS: readonly string[] = Object.keys(USE_BY_EVENT).filter((event) => USE_BY_EVENT[event] !== 'drop');
/** So many elements are told of at once. */
const MOST_TOLD = 5000;
/** The browser lets go of the elements as soon as the program was told of them. */
const GROUP = 'listened';

/** Elements that the page listens to, as handles for the in-page program. */
export interface ListenedElements {
  readonly uses: readonly ListenerUse[];
  readonly handles: readonly RemoteHandle[];
}

/** What the program of each document was told of, by the browser's ids. */
const toldByWorld = new WeakMap<World, Set<number>>();

/**
 * The elements that the page listens to and that the in-page program was not told of yet. A document is asked for handlers that frameworks
 * keep when it is first looked at, and again whenever it listens to new elements.
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

/** Lets the browser forget the handles. */
export function releaseListened({ session }: World): void {
  session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(ignoreRejection);
}

/** The elements with listeners of their own, by the browser's ids, and what these are for. */
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
