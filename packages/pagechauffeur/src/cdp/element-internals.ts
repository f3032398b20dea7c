import type { AriaAttributes, FrameSnapshot, NotedInternals } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { TaskSequence } from '../util/task-sequence.ts';
import { attributesOf } from './accessible-attributes.ts';
import type { RemoteHandle, World } from './world.ts';

/** Maximum number of requests for further elements per call: one of each kind first, then the others of some kinds. */
const MAX_ROUNDS = 3;
/** In ms per call. Among thousands of inline siblings, one query takes the browser more than 10 ms instead of 0.3 ms. */
const MAX_TIME_MS = 150;
/** Number of queries that measure the time of one. */
const FIRST_QUERIES = 8;
/** Readings that take at most this many ms are repeated for each snapshot. */
const SHORT_MS = 20;
/** Other readings are repeated after this many ms, or after a change of the page. */
const REPEAT_AFTER_MS = 1000;

interface Queried {
  readonly node: number;
  /** `undefined` if the node no longer exists. */
  readonly attributes: AriaAttributes | null | undefined;
}

/** What is known about the elements of a document. */
class KnownInternals {
  /**
   * ARIA attributes that elements set through `ElementInternals`, as JSON, by backend node ID. The last read element is
   * the last one.
   */
  readonly attributes = new Map<number, string>();
  /** Time in ms of the last queries. */
  queryTime = 0;
  /** When they were read last. */
  readAt = 0;

  forget(nodes: readonly number[] = []): void {
    for (const node of nodes) this.attributes.delete(node);
  }
}

const knownByWorld = new WeakMap<World, KnownInternals>();
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
    const queried = await queryWaiting(world, { left: MAX_TIME_MS }, true);
    if (queried) report(world, queried).catch(ignoreRejection);
    return queried !== undefined;
  });
}

/**
 * Reads those again that are already known. If this takes long, it waits for the snapshot, and reads them only if
 * they may have changed. Returns true if the next snapshot differs.
 */
export async function updateInternals(world: World, snapshot: Promise<FrameSnapshot>): Promise<boolean> {
  const known = knownOf(world);
  if (known.attributes.size === 0) return false;
  if (known.attributes.size * known.queryTime > SHORT_MS) {
    const isLongAgo = performance.now() - known.readAt > REPEAT_AFTER_MS;
    const { mayHaveNewStates = false, goneInternals } = await snapshot;
    known.forget(goneInternals);
    if (!mayHaveNewStates && !isLongAgo) return false;
  }
  return readings.run(world, () => readKnown(world, known));
}

/** Call with the answer of each snapshot. */
export function forgetInternals(world: World, { goneInternals }: FrameSnapshot): void {
  knownByWorld.get(world)?.forget(goneInternals);
}

function knownOf(world: World): KnownInternals {
  const known = knownByWorld.get(world) ?? new KnownInternals();
  knownByWorld.set(world, known);
  return known;
}

async function readWaiting(world: World): Promise<boolean> {
  let isChanged = false;
  const time = { left: MAX_TIME_MS };
  for (let round = 0; round < MAX_ROUNDS && time.left > 0; round += 1) {
    const queried = await queryWaiting(world, time, false);
    if (!queried) break;
    isChanged = (await report(world, queried)) || isChanged;
  }
  return isChanged;
}

/** Returns `undefined` if no element waits. */
async function queryWaiting(world: World, time: TimeLeft, isNew: boolean): Promise<Report | undefined> {
  const found = await world.callForNodes('takeCustomElements', isNew);
  const nodes = found.flatMap(({ value }) => value?.backendNodeId ?? []);
  if (nodes.length === 0) return undefined;
  const group = newGroup();
  const handles: Promise<RemoteHandle | undefined>[] = [];
  const queried = await queryInTime(knownOf(world), nodes, time, (node) => {
    handles.push(world.handleOf(node, group));
    return query(world, node);
  });
  return { queried, handles: await Promise.all(handles), group };
}

async function readKnown(world: World, known: KnownInternals): Promise<boolean> {
  const { attributes: attributesByNode } = known;
  const time = { left: MAX_TIME_MS };
  const queried = await queryInTime(known, [...attributesByNode.keys()], time, (node) => query(world, node));
  known.readAt = performance.now();
  for (const { node, attributes } of queried) {
    const last = attributesByNode.get(node);
    attributesByNode.delete(node);
    // Those that there was no time for come first in the next reading.
    if (last !== undefined && attributes !== undefined) attributesByNode.set(node, last);
  }
  // The browser says nothing about an element that is hidden now.
  const changed = queried.filter(
    ({ node, attributes }) => attributes && JSON.stringify(attributes) !== attributesByNode.get(node),
  );
  if (changed.length === 0) return false;
  const group = newGroup();
  const handles = await Promise.all(changed.map(({ node }) => world.handleOf(node, group)));
  return report(world, { queried: changed, handles, group });
}

interface TimeLeft {
  /** In ms. */
  left: number;
}

/** Queries as many nodes as there is time for. The first queries tell how long one takes. */
async function queryInTime(
  known: KnownInternals,
  nodes: readonly number[],
  time: TimeLeft,
  ask: (node: number) => Promise<Queried>,
): Promise<readonly Queried[]> {
  const queried: Queried[] = [];
  let size = FIRST_QUERIES;
  while (queried.length < nodes.length && size > 0) {
    const times: number[] = [];
    const timed = async (node: number): Promise<Queried> => {
      const answer = await ask(node);
      times.push(performance.now());
      return answer;
    };
    const answers = await Promise.all(nodes.slice(queried.length, queried.length + size).map(timed));
    queried.push(...answers);
    // The first query may also wait for a snapshot, or build the accessibility tree.
    const duration = (times.at(-1) ?? 0) - (times[0] ?? 0);
    time.left -= duration;
    known.queryTime = duration / Math.max(1, answers.length - 1);
    size = Math.min(4 * answers.length, Math.floor(time.left / (known.queryTime || 1)));
  }
  return queried;
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
  const resolved = queried.flatMap(({ node, attributes }, index) => {
    const handle = handles[index];
    return handle && attributes !== undefined ? [{ node, attributes, handle }] : [];
  });
  const noting = world.call(
    'noteInternals',
    resolved.map(({ node, attributes }) => ({ node, attributes })),
    ...resolved.map(({ handle }) => handle),
  );
  world.session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(ignoreRejection);
  const { isChanged, used, gone }: NotedInternals = await noting;
  known.forget(gone);
  for (const index of used) {
    const { node, attributes } = resolved[index] ?? {};
    if (node !== undefined) known.attributes.set(node, JSON.stringify(attributes));
  }
  return isChanged;
}
