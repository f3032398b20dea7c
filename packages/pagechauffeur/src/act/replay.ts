import { keptStepFault, type KeptQuestion } from '../policy/step-limits.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import type { StoredStep } from '../replay/stored-step.ts';
import { type ActCall, intentOf, OPENING_TIMEOUT_MS, readPage, type Instruction } from './act-call.ts';
import { withDoneSteps } from './act-result.ts';
import type { ActCache, Variant } from './act-cache.ts';
import {
  isSameTarget,
  type ReplayedStep,
  replayByFingerprint,
  replayOn,
  replayAtPath,
  recognizedElements,
  logIfMoved,
} from '../verb/replay-step.ts';

/** The stored steps that ran. */
export interface Replay {
  readonly done: readonly [DoneStep, ...DoneStep[]];
  /** False if the second step did not run: no element matched with certainty, or the element received no input. */
  readonly isComplete: boolean;
}

/**
 * Runs stored steps without a model. The cache can hold several variants of the steps, because the page at one URL can
 * have several forms:
 *
 * 1. Leave out the variants that the policy rejects for this instruction.
 * 2. Run the first step of the newest variant at its stored XPath, or else that of any variant on the only element that
 *    matches its fingerprint. Return `undefined` if neither is possible.
 * 3. Run the second step of the same variant, if it has one.
 * 4. If all steps ran, the page showed an effect and an XPath or fingerprint has changed, store the new ones.
 */
export async function replay(call: ActCall, cache: ActCache, instruction: Instruction): Promise<Replay | undefined> {
  const variants = await allowedVariants(call, cache.variants, instruction);
  if (variants.length === 0) return undefined;
  const begun = (await beginInPlace(call, variants)) ?? (await beginElsewhere(call, cache, variants));
  if (!begun) {
    call.context.log.write('cache', 2, 'No stored step of this act matches the current page.');
    return undefined;
  }
  return followVariant(call, cache, begun);
}

/** Applies the rules for a model's response, because someone may have edited the cache. */
async function allowedVariants(
  call: ActCall,
  variants: readonly Variant[],
  instruction: Instruction,
): Promise<readonly Variant[]> {
  const { context, variables } = call;
  let snapshot: Promise<Snapshot> | undefined;
  const page = (): Promise<Snapshot> => (snapshot ??= readPage(call));
  const question = { intent: intentOf(instruction), variables, page };
  const kept: Variant[] = [];
  for (const variant of variants) {
    const fault = await faultOf(variant, question);
    if (fault === null) kept.push(variant);
    else context.log.write('cache', 1, `Cannot use a stored step of this act: ${fault}.`);
  }
  return kept;
}

async function faultOf({ steps }: Variant, question: KeptQuestion): Promise<string | null> {
  for (const { action, fingerprint } of steps) {
    const { method, arguments: args } = action;
    const fault = await keptStepFault({ method, arguments: args, place: fingerprint }, question);
    if (fault !== null) return fault;
  }
  return null;
}

/** A variant whose first step ran. */
interface Begun {
  readonly variant: Variant;
  readonly first: ReplayedStep;
}

/** Tries only the newest variant, because it most likely applies. */
async function beginInPlace(call: ActCall, variants: readonly Variant[]): Promise<Begun | undefined> {
  const [variant] = variants;
  if (!variant) return undefined;
  const first = await replayAtPath(call, variant.steps[0], { timeout: 0 });
  return first && { variant, first };
}

/**
 * Searches the page for the element with which each variant begins. Returns `undefined` if none is found, if two
 * variants lead to different elements, or if the element received no input.
 */
async function beginElsewhere(
  call: ActCall,
  cache: ActCache,
  variants: readonly Variant[],
): Promise<Begun | undefined> {
  const steps = variants.map((variant) => variant.steps[0]);
  const recognitions = await recognizedElements(call, steps, cache);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [variant, step, recognition] = [variants[index], steps[index], recognitions[index]];
  if (!variant || !step || !recognition) return undefined;
  if (recognitions.some((other) => other && !isSameTarget(other, recognition))) return undefined;
  const first = await replayOn(call, step, recognition);
  return first && { variant, first };
}

async function followVariant(call: ActCall, cache: ActCache, { variant, first }: Begun): Promise<Replay> {
  const played: [ReplayedStep, ...ReplayedStep[]] = [first];
  for (const step of variant.steps.slice(1)) {
    const next = await replayNext(call, cache, { step, first });
    if (!next) break;
    played.push(next);
  }
  const [{ done, stored }, ...others] = played;
  const replayed: Replay = {
    done: [done, ...others.map((step) => step.done)],
    isComplete: played.length === variant.steps.length,
  };
  for (const step of played) logIfMoved(call, step);
  if (replayed.isComplete && played.some(hasChanged))
    await cache.keepMoved(variant, [stored, ...others.map((step) => step.stored)], replayed.done);
  return replayed;
}

async function replayNext(
  call: ActCall,
  cache: ActCache,
  { step, first }: { readonly step: StoredStep; readonly first: ReplayedStep },
): Promise<ReplayedStep | undefined> {
  try {
    return (
      (await replayAtPath(call, step, { timeout: OPENING_TIMEOUT_MS })) ??
      (await replayByFingerprint(call, step, cache))
    );
  } catch (error) {
    throw withDoneSteps(error, [first.done]);
  }
}

function hasChanged({ stored, recognition }: ReplayedStep): boolean {
  return recognition !== undefined && !isEqualStep(recognition.was, stored);
}

function isEqualStep(one: StoredStep, other: StoredStep): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
