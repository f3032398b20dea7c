import { elementPhrase } from '../page/action/element-phrase.ts';
import { settlePage } from '../page/action/settle-page.ts';
import { type DoneStep, performStep, type Step } from '../verb/perform-step.ts';
import { findStored, type LiveCandidate } from '../verb/replay/find-stored.ts';
import type { Recognition } from '../verb/replay/recognize.ts';
import type { StoredStep } from '../verb/replay/stored-step.ts';
import type { ActCall } from './act-call.ts';
import type { Way } from './act-entry.ts';
import type { ActMemory } from './act-memory.ts';
import { isHealable } from './healable.ts';

/** What came of doing again what was done before. */
export interface Replay {
  readonly done: readonly [DoneStep, ...DoneStep[]];
  /** False when the page no longer had what the rest was done to. */
  readonly isComplete: boolean;
}

/** What is opened may be built a moment after the click that opens it. */
const OPENING_TIMEOUT_MS = 1000;
/** An element that was found on a page at rest and cannot be acted on now is not waited for any longer. */
const PATIENCE_MS = 1000;
/** What is done again is known to have been enough; the next step waits for its own element. */
const QUIET_FRAMES = 1;

/** Does again what was done before, without a model; nothing when the page does not have the element that it was done to. */
export async function replay(call: ActCall, memory: ActMemory): Promise<Replay | undefined> {
  if (memory.ways.length === 0) return undefined;
  const begun = (await beginInPlace(call, memory)) ?? (await beginElsewhere(call, memory));
  if (!begun) {
    call.context.log.write('cache', 2, 'What is kept of this act does not fit the page as it is now.');
    return undefined;
  }
  return followWay(call, memory, begun);
}

/** A way whose first step was carried out. */
interface Begun {
  readonly way: Way;
  readonly first: PlayedStep;
}

/** A stored step that was carried out. */
interface PlayedStep {
  readonly done: DoneStep;
  /** The step as it is to be stored from now on. */
  readonly stored: StoredStep;
  /** What told that it was the right element, and where it was; undefined when it was as it had been. */
  readonly recognition?: Recognition<LiveCandidate> & { readonly was: string };
}

/** Tries the last way as it was, which takes one round trip to find out. */
async function beginInPlace(call: ActCall, { ways }: ActMemory): Promise<Begun | undefined> {
  const [way] = ways;
  if (!way) return undefined;
  const first = await playInPlace(call, way.steps[0], 0);
  return first && { way, first };
}

/** Looks for the elements that the ways begin with all over the page; none when they lead to different ones. */
async function beginElsewhere(call: ActCall, memory: ActMemory): Promise<Begun | undefined> {
  const steps = memory.ways.map((way) => way.steps[0]);
  const recognitions = await recognized(call, steps, memory);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [way, step, recognition] = [memory.ways[index], steps[index], recognitions[index]];
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
  if (replayed.isComplete && played.some((step) => step.recognition))
    await memory.keepMoved(way, [stored, ...others.map((step) => step.stored)], replayed.done);
  return replayed;
}

async function playElsewhere(call: ActCall, step: StoredStep, memory: ActMemory): Promise<PlayedStep | undefined> {
  const [recognition] = await recognized(call, [step], memory);
  return recognition && playFound(call, step, recognition);
}

/** Which elements of the page the steps were done to; without self-heal only those that are where they were. */
async function recognized(
  { progress, context }: ActCall,
  steps: readonly StoredStep[],
  { instruction, mask }: ActMemory,
): Promise<readonly (Recognition<LiveCandidate> | undefined)[]> {
  const page = context.page.target;
  await settlePage(progress, page, context.domSettleTimeout);
  const { recognitions } = await findStored(progress, { page, steps, instruction, mask });
  return recognitions.map((recognition) =>
    context.selfHeal || recognition?.signs.includes('place') ? recognition : undefined,
  );
}

async function playInPlace(call: ActCall, stored: StoredStep, patience: number): Promise<PlayedStep | undefined> {
  const { selector } = stored.action;
  const { main } = call.context.page.target.frames;
  const target = { frame: main, element: { selector }, label: selector };
  const done = await performed(call, { ...stored.action, target, expected: stored.fingerprint, patience });
  return done && { done: identified(done, stored), stored };
}

async function playFound(
  call: ActCall,
  { action }: StoredStep,
  recognition: Recognition<LiveCandidate>,
): Promise<PlayedStep | undefined> {
  const { target, path, frame, fingerprint } = recognition.candidate;
  const done = await performed(call, { ...action, target, patience: PATIENCE_MS });
  const stored = { action: { ...action, selector: `xpath=${path}` }, frame, fingerprint };
  return done && { done: identified(done, stored), stored, recognition: { ...recognition, was: action.selector } };
}

/** The step with what its element is known by, which need not be asked for again. */
function identified(done: DoneStep, { fingerprint }: StoredStep): DoneStep {
  return { ...done, outcome: { ...done.outcome, fingerprint } };
}

/** The step carried out; undefined when its element is not there or cannot be acted on. */
async function performed({ progress, context, variables }: ActCall, step: Step): Promise<DoneStep | undefined> {
  try {
    return await performStep(progress, context, { step: { ...step, quietFrames: QUIET_FRAMES }, variables });
  } catch (error) {
    if (!isHealable(error)) throw error;
    progress.throwIfEnded();
    progress.log(`not done again: ${error.message}`);
    return undefined;
  }
}

function tellIfMoved({ context }: ActCall, { done, recognition }: PlayedStep): void {
  if (!recognition || recognition.signs.includes('place')) return;
  const signs = new Intl.ListFormat('en').format(recognition.signs);
  const { element, xpath } = done.outcome;
  const { was } = recognition;
  context.log.write('act', 1, `Healed: ${elementPhrase(element)} found by ${signs}; was ${was}, now xpath=${xpath}`);
}

function isSameTarget(one: Recognition<LiveCandidate>, other: Recognition<LiveCandidate>): boolean {
  const [a, b] = [one.candidate, other.candidate];
  return a.path === b.path && a.target.frame === b.target.frame;
}
