import type { AriaAttributes, NotedInternals } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { TaskSequence } from '../util/task-sequence.ts';
import { attributesOf } from './accessible-attributes.ts';
import type { RemoteHandle, World } from './world.ts';

/** Maximum number of elements per document. Each takes the browser 0.3 ms per snapshot. */
const MAX_ELEMENTS = 500;
/** Maximum number of requests for further elements per call: one of each tag first, then the others of some tags. */
const MAX_ROUNDS = 3;

interface Queried {
  readonly node: number;
  /** `undefined` if the node no longer exists. */
  readonly attributes: AriaAttributes | null | undefined;
}

/** ARIA attributes that elements set through `ElementInternals`, as JSON, by backend node ID. */
const knownByWorld = new WeakMap<World, Map<number, string>>();
const readings = new TaskSequence<World>();

/** Makes the names of object groups unique. */
let lastGroupId = 0;

/**
 * Tells the injected script which roles, names and states custom elements set through `ElementInternals`, for elements
 * that it has found since the last call. Only the browser's accessibility tree has them. Returns true if the next
 * snapshot differs.
 */
export function readInternals(world: World): Promise<boolean> {
  // One at a time: the script returns each element once.
  return readings.run(world, () => readWaiting(world));
}

/**
 * Like `readInternals`, for a document that was not searched for custom elements. Does not wait until the injected script
 * has received them, because CDP runs commands in order.
 */
export async function exploreInternals(world: World): Promise<void> {
  await readings.run(world, async () => {
    const queried = await queryWaiting(world, true);
    if (queried) report(world, queried).catch(ignoreRejection);
    return queried !== undefined;
  });
}

/** Reads those again that are already known. Returns true if the next snapshot differs. */
export function updateInternals(world: World): Promise<boolean> {
  const known = knownOf(world);
  return known.size === 0 ? Promise.resolve(false) : readings.run(world, () => readKnown(world, known));
}

function knownOf(world: World): Map<number, string> {
  const known = knownByWorld.get(world) ?? new Map<number, string>();
  knownByWorld.set(world, known);
  return known;
}

async function readWaiting(world: World): Promise<boolean> {
  let isChanged = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const queried = await queryWaiting(world, false);
    if (!queried) break;
    isChanged = (await report(world, queried)) || isChanged;
  }
  return isChanged;
}

/** Returns `undefined` if no element waits. */
async function queryWaiting(world: World, isNew: boolean): Promise<Report | undefined> {
  const most = Math.max(0, MAX_ELEMENTS - knownOf(world).size);
  const found = await world.callForNodes('takeCustomElements', most, isNew);
  const nodes = found.flatMap(({ value }) => value?.backendNodeId ?? []);
  if (nodes.length === 0) return undefined;
  const group = newGroup();
  const [queried, handles] = await Promise.all([
    Promise.all(nodes.map((node) => query(world, node))),
    Promise.all(nodes.map((node) => world.handleOf(node, group))),
  ]);
  return { queried, handles, group };
}

async function readKnown(world: World, known: Map<number, string>): Promise<boolean> {
  const queried = await Promise.all([...known.keys()].map((node) => query(world, node)));
  for (const { node, attributes } of queried) if (attributes === undefined) known.delete(node);
  // The browser says nothing about an element that is hidden now.
  const changed = queried.filter(
    ({ node, attributes }) => attributes && JSON.stringify(attributes) !== known.get(node),
  );
  if (changed.length === 0) return false;
  const group = newGroup();
  const handles = await Promise.all(changed.map(({ node }) => world.handleOf(node, group)));
  return report(world, { queried: changed, handles, group });
}

async function query(world: World, node: number): Promise<Queried> {
  const accessible = await world.accessibleNode(node);
  return { node, attributes: accessible && attributesOf(accessible) };
}

function newGroup(): string {
  lastGroupId += 1;
  return `internals-${lastGroupId}`;
}

interface Report {
  readonly queried: readonly Queried[];
  readonly handles: readonly (RemoteHandle | undefined)[];
  readonly group: string;
}

async function report(world: World, { queried, handles, group }: Report): Promise<boolean> {
  const known = knownOf(world);
  const resolved = queried.flatMap(({ node, attributes = null }, index) => {
    const handle = handles[index];
    return handle ? [{ node, attributes, handle }] : [];
  });
  const noting: Promise<NotedInternals> = world.call(
    'noteInternals',
    resolved.map(({ attributes }) => attributes),
    ...resolved.map(({ handle }) => handle),
  );
  world.session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(ignoreRejection);
  const { isChanged, used } = await noting;
  for (const index of used) {
    const { node, attributes } = resolved[index] ?? {};
    if (node !== undefined) known.set(node, JSON.stringify(attributes));
  }
  return isChanged;
}
