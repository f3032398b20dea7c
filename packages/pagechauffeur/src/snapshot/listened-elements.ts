import type { FrameNode } from '../cdp/frame-node.ts';
import type { RemoteHandle, World } from '../cdp/world.ts';
import type { DelegatedElements, ListenerUse } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { delegatedElements, NO_DELEGATION } from './delegated-listeners.ts';

/** How a user triggers each mouse event. */
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
 * An element that listens to more event types, such as the root of a React application, delegates events. If it listens
 * for clicks, its press listeners do not count.
 */
const MAX_TYPES = 20;
const CLICK_EVENTS: readonly string[] = Object.keys(USE_BY_EVENT).filter((event) => USE_BY_EVENT[event] !== 'drop');
/** Maximum number of elements per call. The next snapshot reports the others. */
const MAX_REPORTED = 5000;
/** Maximum number of elements without listeners any more per call. Most of them were removed from the document. */
const MAX_LOST = 100;

/**
 * `uses` and `handles` correspond by index. `delegated` has the indexes of elements with delegated listeners in the
 * document.
 */
export interface NewListeners {
  readonly uses: readonly ListenerUse[];
  readonly handles: readonly RemoteHandle[];
  readonly delegated: DelegatedElements;
  /**
   * Object group of the handles. Each query has its own, because the frames of a session share groups by name, and
   * releasing a group releases the handles of all.
   */
  readonly group: string;
}

/** Makes the names of object groups unique. */
let lastGroupId = 0;

/** What the injected script already knows. */
interface Reported {
  /** By backend node ID. */
  readonly uses: Map<number, ListenerUse>;
  /** Elements with listeners that the last query without shadow roots found. */
  outsideRoots: ReadonlySet<number>;
  delegated: DelegatedElements | undefined;
}

const reportedByWorld = new WeakMap<World, Reported>();

/**
 * Returns undefined if there is nothing to report. Reads delegated handlers if there are new listeners, because a
 * framework that delegates events adds a listener itself, and from then on each time, because they also apply to new
 * elements.
 */
export async function newListeners(world: World, frame: FrameNode): Promise<NewListeners | undefined> {
  const reported: Reported = reportedByWorld.get(world) ?? {
    uses: new Map(),
    outsideRoots: new Set(),
    delegated: undefined,
  };
  reportedByWorld.set(world, reported);
  const [{ listened, isPierced }, current] = await Promise.all([
    listenedNodes(world, frame),
    reported.delegated?.isDelegating ? delegatedIn(world) : undefined,
  ]);
  const added = [...listened].filter(([node, use]) => reported.uses.get(node) !== use).slice(0, MAX_REPORTED);
  // A query without shadow roots says nothing about the listeners in them.
  const compared = isPierced ? [...reported.uses.keys()] : [...reported.outsideRoots];
  const lost = compared.filter((node) => !listened.has(node)).slice(0, MAX_LOST);
  for (const node of lost) reported.uses.delete(node);
  if (!isPierced) reported.outsideRoots = new Set(listened.keys());
  if (lost.length > 0) forgetListeners(world, lost).catch(ignoreRejection);
  for (const [node, use] of added) reported.uses.set(node, use);
  if (added.length === 0 && (!current || isEqual(current, reported.delegated))) return undefined;
  lastGroupId += 1;
  const group = `listened-${lastGroupId}`;
  const [delegated, ...found] = await Promise.all([
    current ?? delegatedIn(world),
    ...added.map(async ([node, use]) => ({ use, handle: await world.handleOf(node, group) })),
  ]);
  reported.delegated = delegated;
  const resolved = found.flatMap(({ use, handle }) => (handle ? [{ use, handle }] : []));
  return { uses: resolved.map(({ use }) => use), handles: resolved.map(({ handle }) => handle), delegated, group };
}

/** Call after the handles were sent to the injected script. */
export function releaseListeners({ session }: World, { group }: NewListeners): void {
  session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(ignoreRejection);
}

/**
 * Tells the injected script which elements no longer have listeners, such as those with `once`. Snapshots do not wait for
 * it, because most of these elements were removed from the document.
 */
async function forgetListeners(world: World, lost: readonly number[]): Promise<void> {
  lastGroupId += 1;
  const group = `lost-${lastGroupId}`;
  const handles = await Promise.all(lost.map((node) => world.handleOf(node, group)));
  const known = handles.filter((handle) => handle !== undefined);
  if (known.length > 0) await world.call('forgetListeners', ...known);
  world.session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(ignoreRejection);
}

interface Listened {
  /** By backend node ID. */
  readonly listened: ReadonlyMap<number, ListenerUse>;
  /** False if shadow roots were left out. */
  readonly isPierced: boolean;
}

/** Does not include delegated listeners. */
async function listenedNodes(world: World, frame: FrameNode): Promise<Listened> {
  const typesByNode = new Map<number, Set<string>>();
  const { listeners, isPierced } = await listenersIn(world, frame);
  for (const { type, backendNodeId } of listeners) {
    if (backendNodeId === undefined) continue;
    const types = typesByNode.get(backendNodeId) ?? new Set();
    typesByNode.set(backendNodeId, types.add(type));
  }
  const useByNode = new Map<number, ListenerUse>();
  for (const [node, types] of typesByNode) {
    const use = useOf(types);
    if (use !== undefined) useByNode.set(node, use);
  }
  return { listened: useByNode, isPierced };
}

/** Clicks and presses take precedence over drops. */
function useOf(types: ReadonlySet<string>): ListenerUse | undefined {
  const uses = new Set([...types].map((type) => USE_BY_EVENT[type]));
  const isClicked = uses.has('click') || (uses.has('double click') && uses.has('press'));
  if (isClicked) return uses.has('press') && types.size <= MAX_TYPES ? 'press and click' : 'click';
  return (['press', 'double click', 'drop'] as const).find((use) => uses.has(use));
}

/**
 * To include shadow roots, CDP pierces the document. It then also reports listeners in frames of the same process, and
 * resolves their elements in the world of this document, where they are no instances of `Element`. So shadow roots are
 * left out if there are such frames.
 */
async function listenersIn(
  world: World,
  frame: FrameNode,
): Promise<{ readonly listeners: Awaited<ReturnType<World['listeners']>>; readonly isPierced: boolean }> {
  const isAlone = (): boolean => [...frame.children].every(({ isLocalRoot }) => isLocalRoot);
  const listeners = isAlone() ? await world.listeners(true) : undefined;
  // By now, all frames that were attached before the query are known.
  return listeners && isAlone()
    ? { listeners, isPierced: true }
    : { listeners: await world.listeners(false), isPierced: false };
}

async function delegatedIn(world: World): Promise<DelegatedElements> {
  const document = await world.pageDocument();
  return document ? delegatedElements(world, document, CLICK_EVENTS) : NO_DELEGATION;
}

function isEqual(one: DelegatedElements, other: DelegatedElements | undefined): boolean {
  return (
    one.elementCount === other?.elementCount &&
    one.indexes.length === other.indexes.length &&
    one.indexes.every((index, at) => index === other.indexes[at])
  );
}
