import { type DriverError, LLMResponseError } from '../errors.ts';
import type { ActAnswer, Intent, ProposedAction } from '../model/model-client.ts';
import { placeToTry, type TriedPlace } from '../policy/healed-value.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { errorSentence, reasonOf, withSentence } from '../util/error-facts.ts';
import { phraseOf, placeAmongEquals } from '../snapshot/element-place.ts';
import { type DoneStep, performStep } from '../verb/perform-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { type ActQuestion, askForStep, wordsOf } from './ask-for-step.ts';
import { isHealable } from '../util/error-codes.ts';
import { proposedStep } from './proposed-step.ts';
import { elementPhrase } from '../actions/element-phrase.ts';

interface Proposal {
  readonly intent: Intent;
  readonly snapshot: Snapshot;
  readonly proposed: ProposedAction;
}

/**
 * Runs a proposed step. If it fails before any input and `selfHeal` is on, asks the model again with a new snapshot.
 */
export async function runStepWithHealing(call: ActCall, { intent, snapshot, proposed }: Proposal): Promise<DoneStep> {
  const tried = placeToTry(snapshot, proposed.ref);
  try {
    const step = await proposedStep(call, proposed, snapshot);
    const done = await performStep(call.progress, call.context, { step, variables: call.variables });
    return { ...done, where: placeAmongEquals(snapshot, proposed.ref) };
  } catch (error) {
    return heal(call, { intent, error, failed: proposed, tried });
  }
}

interface Failure {
  /** The purpose of the step: the instruction, or the action that the caller passed. */
  readonly intent: Intent;
  readonly error: unknown;
  readonly failed: {
    readonly description: string;
    readonly ref?: string;
    readonly method?: string;
    /** Set if the caller passed an action. */
    readonly selector?: string;
  };
  /** The element or frame of the failed step. */
  readonly tried: TriedPlace | undefined;
}

/**
 * Asks a model for another element and runs the step once more. Rethrows the error if `selfHeal` is off or the error is
 * not healable. If the second attempt fails too, adds that failure to the first error.
 */
export async function heal(call: ActCall, { intent, error, failed, tried }: Failure): Promise<DoneStep> {
  const { progress, context } = call;
  if (!context.selfHeal || !isHealable(error)) throw error;
  const snapshot = await readPage(call, { instruction: wordsOf(intent) });
  const before = {
    happened: `This was tried and failed: ${failed.description}. ${error.message}`,
    task: 'Choose a different step, or none.',
  };
  const choice = await otherChoice(call, { question: { intent, snapshot, before, healing: { tried } }, error, failed });
  try {
    const step = await proposedStep(call, choice, snapshot);
    const done = await performStep(progress, context, { step, variables: call.variables });
    logHeal(call, done, { by: 'the model', was: failed.selector ?? failed.description });
    return { ...done, isHealed: true };
  } catch (second) {
    progress.throwIfEnded();
    if (!isHealable(second)) throw second;
    throw unhealed(
      error,
      `chose ${phraseOf(snapshot, choice.ref, undefined)}, which failed too: ${errorSentence(second)}`,
    );
  }
}

/** Logs that a step ran on an element that is not the one at its selector. */
export function logHeal({ context }: ActCall, done: DoneStep, { by, was }: { by: string; was: string }): void {
  const phrase = elementPhrase(done.outcome.element);
  context.log.write('act', 1, `Healed: ${phrase} found by ${by}; was ${was}, now ${done.action.selector}`);
}

interface HealingQuestion extends Pick<Failure, 'failed'> {
  readonly question: Pick<ActQuestion, 'intent' | 'snapshot' | 'before' | 'healing'>;
  readonly error: DriverError;
}

/**
 * Returns the model's replacement for a failed step. Throws the error of the step if the model proposes nothing or the
 * same step again.
 */
async function otherChoice(call: ActCall, { question, error, failed }: HealingQuestion): Promise<ProposedAction> {
  const { action, reason } = await askOrThrow(call, { question, error });
  if (!action) throw unhealed(error, `found none: ${reason}`);
  if (action.ref === failed.ref && action.method === failed.method) throw unhealed(error, 'chose the same step again');
  return action;
}

/** Asks the model. If the model fails, throws the error of the failed step, because that one explains the failure. */
async function askOrThrow(call: ActCall, { question, error }: Omit<HealingQuestion, 'failed'>): Promise<ActAnswer> {
  try {
    return await askForStep(call.progress, call.context, { ...call, ...question });
  } catch (noAnswer) {
    call.progress.throwIfEnded();
    call.context.log.write('act', 2, `Not healed: ${reasonOf(noAnswer)}`);
    throw noAnswer instanceof LLMResponseError
      ? unhealed(error, `returned no usable response: ${errorSentence(noAnswer)}`)
      : error;
  }
}

/** Adds a sentence about the model's response to the error of the failed step. */
function unhealed(error: DriverError, outcome: string): DriverError {
  return withSentence(error, `The model was asked for another step and ${outcome.replace(/[.\s]*$/, '')}.`);
}
