import { settlePage } from '../actions/settle-page.ts';
import type { Action } from '../replay/action.ts';
import { healedValueIssues, type TriedPlace } from '../policy/healed-value.ts';
import { type DoneStep, performStep } from '../verb/perform-step.ts';
import { describedElement } from '../replay/described-element.ts';
import { type ActCall, readPage } from './act-call.ts';
import { isHealable } from '../util/error-codes.ts';
import { proposedStep } from './proposed-step.ts';
import { logHeal } from './tell-heal.ts';

const LIST = new Intl.ListFormat('en');

/**
 * Runs an action on the element that matches its description. Returns `undefined` if none matches, if the match is not certain, or if the
 * element got no input.
 */
export async function performDescribed(
  call: ActCall,
  action: Action,
  tried: TriedPlace,
): Promise<DoneStep | undefined> {
  const { progress, context, variables } = call;
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const snapshot = await readPage(call, { instruction: action.description });
  const found = describedElement(action, snapshot);
  if (!found) return undefined;
  const { method = 'click', arguments: args = [], description, selector } = action;
  const proposed = { ref: found.ref, method, arguments: args, description };
  const [issue] = healedValueIssues(proposed, { tried, words: description, snapshot, variables });
  if (issue) {
    progress.log(`not healed by the description: ${issue.message}`);
    return undefined;
  }
  const step = await proposedStep(call, proposed, snapshot);
  try {
    const done = await performStep(progress, context, { step, variables });
    logHeal(call, done, { by: `its description (${LIST.format(found.signs)})`, was: selector });
    return done;
  } catch (error) {
    if (!isHealable(error)) throw error;
    progress.throwIfEnded();
    progress.log(`not healed by the description: ${error.message}`);
    return undefined;
  }
}
