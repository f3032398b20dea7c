import type { ActAnswer, ProposedAction } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { reasonOf } from '../util/error-facts.ts';
import { placeAmongEquals } from '../verb/element-place.ts';
import { type DoneStep, performStep } from '../verb/perform-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { type ActQuestion, askForStep } from './act-question.ts';
import { isHealable } from './healable.ts';
import { tellHeal } from './tell-heal.ts';
import { proposedStep } from './proposed-step.ts';

interface Proposal {
  readonly instruction: string;
  readonly snapshot: Snapshot;
  readonly proposed: ProposedAction;
}

/** Carries out a proposed step; when it cannot be done and self-heal is on, asks once more on the page as it is now. */
export async function performHealing(call: ActCall, { instruction, snapshot, proposed }: Proposal): Promise<DoneStep> {
  try {
    const step = await proposedStep(call, proposed, snapshot);
    const done = await performStep(call.progress, call.context, { step, variables: call.variables });
    call.done.push(done);
    return { ...done, where: placeAmongEquals(snapshot, proposed.ref) };
  } catch (error) {
    const healed = await heal(call, { instruction, error, failed: proposed });
    if (!healed) throw error;
    return healed;
  }
}

interface Failure {
  readonly instruction: string;
  readonly error: unknown;
  readonly failed: {
    readonly description: string;
    readonly ref?: string;
    readonly method?: string;
    /** Of the caller's own action. */
    readonly selector?: string;
  };
}

/** Finds the element anew and tries once more; nothing when that is not allowed, not possible, or leads to the same element. */
export async function heal(call: ActCall, { instruction, error, failed }: Failure): Promise<DoneStep | undefined> {
  const { progress, context } = call;
  if (!context.selfHeal || !isHealable(error)) return undefined;
  const snapshot = await readPage(call, { instruction });
  const before = {
    happened: `This was tried and failed: ${failed.description}. ${error.message}`,
    task: 'Choose another way, or none.',
  };
  const answer = await askOrGiveUp(call, { instruction, snapshot, before });
  const { action } = answer ?? {};
  if (!action || (action.ref === failed.ref && action.method === failed.method)) return undefined;
  const step = await proposedStep(call, action, snapshot);
  const done = await performStep(progress, context, { step, variables: call.variables });
  call.done.push({ ...done, isHealed: true });
  tellHeal(call, done, { by: 'the model', was: failed.selector ?? failed.description });
  return done;
}

/** Without a model there is no healing; the error that called for it is then the one to report. */
async function askOrGiveUp(
  call: ActCall,
  question: Pick<ActQuestion, 'instruction' | 'snapshot' | 'before'>,
): Promise<ActAnswer | undefined> {
  try {
    return await askForStep(call.progress, call.context, { ...call, ...question });
  } catch (error) {
    call.progress.throwIfEnded();
    call.context.log.write('act', 2, `No healing: ${reasonOf(error)}`);
    return undefined;
  }
}
