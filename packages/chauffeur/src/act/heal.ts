import type { ActAnswer, ProposedAction } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { elementPhrase } from '../page/action/element-phrase.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { Action } from '../verb/action.ts';
import { placeAmongEquals } from '../verb/element-place.ts';
import { type DoneStep, performStep } from '../verb/perform-step.ts';
import { describedElement } from '../verb/replay/described-element.ts';
import { type ActCall, readPage } from './act-call.ts';
import { type ActQuestion, askForStep } from './act-question.ts';
import { isHealable, isStale } from './healable.ts';
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
    /** The caller's own action, whose selector may be out of date. */
    readonly action?: Action;
  };
}

/** Finds the element anew and tries once more; nothing when that is not allowed, not possible, or leads to the same element. */
export async function heal(call: ActCall, { instruction, error, failed }: Failure): Promise<DoneStep | undefined> {
  const { progress, context } = call;
  if (!context.selfHeal || !isHealable(error)) return undefined;
  const snapshot = await readPage(call, { instruction });
  const described = failed.action && isStale(error) && (await performDescribed(call, failed.action, snapshot));
  if (described) return described;
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
  tellHeal(call, done, { by: 'the model', was: failed.action?.selector ?? failed.description });
  return done;
}

/** Carries out an action on the one element that its description means; nothing when there is none, or not for certain. */
async function performDescribed(call: ActCall, action: Action, snapshot: Snapshot): Promise<DoneStep | undefined> {
  const found = describedElement(action, snapshot);
  if (!found) return undefined;
  const { method = 'click', arguments: args = [], description, selector } = action;
  const step = await proposedStep(call, { ref: found.ref, method, arguments: args, description }, snapshot);
  try {
    const done = await performStep(call.progress, call.context, { step, variables: call.variables });
    tellHeal(call, done, { by: `its description (${LIST.format(found.signs)})`, was: selector });
    return done;
  } catch (error) {
    if (!isHealable(error)) throw error;
    call.progress.throwIfEnded();
    call.progress.log(`not healed by the description: ${error.message}`);
    return undefined;
  }
}

const LIST = new Intl.ListFormat('en');

function tellHeal({ context }: ActCall, done: DoneStep, { by, was }: { by: string; was: string }): void {
  const phrase = elementPhrase(done.outcome.element);
  context.log.write('act', 1, `Healed: ${phrase} found by ${by}; was ${was}, now ${done.action.selector}`);
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
