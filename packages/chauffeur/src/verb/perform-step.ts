import type { ActionOutcome, ActionTarget } from '../page/action/element-action.ts';
import { performAction } from '../page/action/perform-action.ts';
import type { Progress } from '../util/progress.ts';
import type { Action } from './action.ts';
import { maskError, type VariableTable } from './variables.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from './verb-context.ts';

/** A step to carry out: where, and what with placeholders still in place. */
export interface Step {
  readonly target: ActionTarget;
  readonly method: string;
  readonly arguments: readonly string[];
  readonly description: string;
}

/** A step carried out, as a replayable action and with what it did. */
export interface DoneStep {
  readonly action: Required<Action>;
  readonly outcome: ActionOutcome;
}

/** Carries out one step; this is the only place where values take the place of placeholders. */
export async function performStep(
  progress: Progress,
  context: VerbContext,
  { step, variables }: { readonly step: Step; readonly variables: VariableTable },
): Promise<DoneStep> {
  const { method, description } = step;
  const action = {
    method,
    arguments: step.arguments.map((argument) => variables.expand(argument)),
    elementTimeout: ELEMENT_TIMEOUT_MS,
    settleTimeout: context.domSettleTimeout,
  };
  context.page.keepFromPictures(step.arguments.flatMap((argument) => variables.valuesIn(argument)));
  const outcome = await performAction(progress, context.page.target, step.target, action).catch((error: unknown) => {
    throw maskError(error, variables);
  });
  return {
    outcome,
    action: { selector: `xpath=${outcome.xpath}`, description, method, arguments: [...step.arguments] },
  };
}

/** The step that an action of the caller's describes. */
export function stepOf(action: Action, context: VerbContext): Step {
  const { selector, method = 'click', arguments: args = [], description } = action;
  return {
    target: { frame: context.page.target.frames.main, element: { selector }, label: selector },
    method,
    arguments: args,
    description,
  };
}
