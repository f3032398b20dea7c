import { type DriverError, LLMResponseError } from '../errors.ts';
import type { Intent, ProposedAction } from '../model/model-client.ts';
import { placeToTry, type TriedPlace } from '../policy/healed-value.ts';
import { errorSentence, reasonOf, withSentence } from '../util/error-facts.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { phraseOf, locationAmongEquals } from '../snapshot/element-location.ts';
import { type DoneStep, performStep } from '../verb/perform-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { type ActQuestion, type AskedStep, askForStep, doneSentence, wordsOf } from './ask-for-step.ts';
import { isHealable } from '../util/error-codes.ts';
import { proposedStep } from './proposed-step.ts';
import { elementPhrase } from '../actions/element-phrase.ts';

/** A response in which the model chose a step. */
type ChosenStep = AskedStep & { readonly action: ProposedAction };

interface Proposal {
  readonly intent: Intent;
  readonly chosen: ChosenStep;
  /** Steps of this call that ran before. */
  readonly previousSteps?: readonly DoneStep[];
}

/** A step that a model chose and that ran. */
export interface RunStep {
  readonly done: DoneStep;
  /** The page that the model chose the step from. */
  readonly snapshot: Snapshot;
  /** True if the step only opened something, in which the instruction continues. */
  readonly twoStep: boolean;
}

/**
 * Runs a step that a model chose. If it fails before any input and `selfHeal` is on, the model chooses another one,
 * once.
 */
export async function runStepWithHealing(
  call: ActCall,
  { intent, chosen, previousSteps = [] }: Proposal,
): Promise<RunStep> {
  const { action, snapshot, twoStep } = chosen;
  const tried = placeToTry(snapshot, action.ref);
  try {
    const step = await proposedStep(call, action, snapshot);
    const done = await performStep(call.progress, call.context, { step, variables: call.variables });
    return { done: { ...done, where: locationAmongEquals(snapshot, action.ref) }, snapshot, twoStep };
  } catch (error) {
    return heal(call, { intent, error, failed: action, tried, previousSteps });
  }
}

interface Failure {
  /** The instruction, or the action that the caller passed. */
  readonly intent: Intent;
  readonly error: unknown;
  readonly failed: {
    readonly description: string;
    readonly ref?: string;
    readonly method?: string;
    /** Set if the caller passed an action. */
    readonly selector?: string;
  };
  /** The element and site of the failed step. `undefined` if the snapshot did not contain its ref. */
  readonly tried: TriedPlace | undefined;
  /** Steps of this call that ran before the failed one. */
  readonly previousSteps?: readonly DoneStep[];
}

/**
 * Asks a model for another step and runs it. Rethrows the error if `selfHeal` is off or the error is not healable. If
 * the other step fails with a healable error, throws the first error with a sentence about the second.
 */
export async function heal(call: ActCall, failure: Failure): Promise<RunStep> {
  const { progress, context } = call;
  const { error, failed } = failure;
  if (!context.selfHeal || !isHealable(error)) throw error;
  const { action, snapshot, twoStep } = await otherChoice(call, { ...failure, error });
  try {
    const step = await proposedStep(call, action, snapshot);
    const done = await performStep(progress, context, { step, variables: call.variables });
    logHeal(call, done, { by: 'the model', was: failed.selector ?? failed.description });
    return { done: { ...done, isHealed: true }, snapshot, twoStep };
  } catch (second) {
    progress.throwIfEnded();
    if (!isHealable(second)) throw second;
    throw unhealed(
      error,
      `chose ${phraseOf(snapshot, action.ref, undefined)}, which failed too: ${errorSentence(second)}`,
    );
  }
}

/** Logs how the element of a healed step was found. */
export function logHeal({ context }: ActCall, done: DoneStep, { by, was }: { by: string; was: string }): void {
  const phrase = elementPhrase(done.outcome.element);
  context.log.write('act', 1, `Healed: ${phrase} found by ${by}; was ${was}, now ${done.action.selector}`);
}

interface HealableFailure extends Failure {
  readonly error: DriverError;
}

/**
 * Returns the model's replacement for a failed step. Throws the error of the step if the model proposes nothing or the
 * same step again.
 */
async function otherChoice(
  call: ActCall,
  { intent, error, failed, tried, previousSteps = [] }: HealableFailure,
): Promise<ChosenStep> {
  const snapshot = await readPage(call, { instruction: wordsOf(intent) });
  const past = {
    happened: [doneSentence(previousSteps), `This was tried and failed: ${failed.description}. ${error.message}`]
      .filter(Boolean)
      .join(' '),
    task: 'Choose a different step, or none.',
  };
  const answer = await askOrThrow(call, { intent, snapshot, past, healing: { tried } }, error);
  const { action, reason } = answer;
  if (!action) throw unhealed(error, `found none: ${reason}`);
  if (action.ref === failed.ref && action.method === failed.method) throw unhealed(error, 'chose the same step again');
  return { ...answer, action };
}

/** Asks the model. If that fails, throws the error of the step, because it explains why the call failed. */
async function askOrThrow(call: ActCall, question: ActQuestion, error: DriverError): Promise<AskedStep> {
  try {
    return await askForStep(call, question);
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
