import { keptStepFault, type KeptQuestion } from '../policy/step-limits.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import type { StoredStep } from '../verb/replay/stored-step.ts';
import { type ActCall, intentOf, readPage, type Sentence } from './act-call.ts';
import type { Way } from './act-entry.ts';
import type { ActMemory } from './act-memory.ts';
import {
  isSameTarget,
  type PlayedStep,
  playElsewhere,
  playFound,
  playInPlace,
  recognizedElements,
  tellIfMoved,
} from './play-step.ts';

/** What came of doing again what was done before. */
export interface Replay {
  readonly done: readonly [DoneStep, ...DoneStep[]];
  /** False when the page no longer had what the rest was done to. */
  readonly isComplete: boolean;
}

/** What is opened may be built a moment after the click that opens it. */
const OPENING_TIMEOUT_MS = 1000;

/** Does again what was done before, without a model; nothing when the page does not have the element that it was done to. */
export async function replay(call: ActCall, memory: ActMemory, sentence: Sentence): Promise<Replay | undefined> {
  const ways = await borneOut(call, memory.ways, sentence);
  if (ways.length === 0) return undefined;
  const begun = (await beginInPlace(call, ways)) ?? (await beginElsewhere(call, memory, ways));
  if (!begun) {
    call.context.log.write('cache', 2, 'What is kept of this act does not fit the page as it is now.');
    return undefined;
  }
  return followWay(call, memory, begun);
}

/** The ways that a model might have proposed: what is kept may have been written by somebody else. */
async function borneOut(call: ActCall, ways: readonly Way[], sentence: Sentence): Promise<readonly Way[]> {
  const { context, variables } = call;
  let snapshot: Promise<Snapshot> | undefined;
  const page = (): Promise<Snapshot> => (snapshot ??= readPage(call));
  const question = { intent: intentOf(sentence), variables, page };
  const kept: Way[] = [];
  for (const way of ways) {
    const fault = await faultOf(way, question);
    if (fault === null) kept.push(way);
    else context.log.write('cache', 1, `What is kept of this act is not done again: ${fault}.`);
  }
  return kept;
}

async function faultOf({ steps }: Way, question: KeptQuestion): Promise<string | null> {
  for (const { action, fingerprint } of steps) {
    const { method, arguments: args } = action;
    const fault = await keptStepFault({ method, arguments: args, place: fingerprint }, question);
    if (fault !== null) return fault;
  }
  return null;
}

/** A way whose first step was carried out. */
interface Begun {
  readonly way: Way;
  readonly first: PlayedStep;
}

/** Tries the last way as it was, which takes one round trip to find out. */
async function beginInPlace(call: ActCall, ways: readonly Way[]): Promise<Begun | undefined> {
  const [way] = ways;
  if (!way) return undefined;
  const first = await playInPlace(call, way.steps[0], 0);
  return first && { way, first };
}

/** Looks for the elements that the ways begin with all over the page; none when they lead to different ones. */
async function beginElsewhere(call: ActCall, memory: ActMemory, ways: readonly Way[]): Promise<Begun | undefined> {
  const steps = ways.map((way) => way.steps[0]);
  const recognitions = await recognizedElements(call, steps, memory);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [way, step, recognition] = [ways[index], steps[index], recognitions[index]];
  if (!way || !step || !recognition) return undefined;
  if (recognitions.some((other) => other && !isSameTarget(other, recognition))) return undefined;
  const first = await playFound(call, step, recognition);
  return first && { way, first };
}

async function followWay(call: ActCall, memory: ActMemory, { way, first }: Begun): Promise<Replay> {
  const played: [PlayedStep, ...PlayedStep[]] = [first];
  for (const step of way.steps.slice(1)) {
    const next = (await playInPlace(call, step, OPENING_TIMEOUT_MS)) ?? (await playElsewhere(call, step, memory));
    if (!next) break;
    played.push(next);
  }
  const [{ done, stored }, ...others] = played;
  const replayed: Replay = {
    done: [done, ...others.map((step) => step.done)],
    isComplete: played.length === way.steps.length,
  };
  for (const step of played) tellIfMoved(call, step);
  if (replayed.isComplete && played.some(hasChanged))
    await memory.keepMoved(way, [stored, ...others.map((step) => step.stored)], replayed.done);
  return replayed;
}

function hasChanged({ stored, recognition }: PlayedStep): boolean {
  return recognition !== undefined && !isEqualStep(recognition.was, stored);
}

function isEqualStep(one: StoredStep, other: StoredStep): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
