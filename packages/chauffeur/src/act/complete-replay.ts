import type { DoneStep } from '../verb/perform-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { askForStep } from './act-question.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { performHealing } from './heal.ts';
import { noStep } from './no-step.ts';

/** Asks a model for the step that is left when only the first of those that were done before could be done again. */
export async function completeReplay(call: ActCall, instruction: string, first: DoneStep): Promise<ActResult> {
  const snapshot = await readPage(call, { instruction });
  const before = {
    happened: `Already done: ${first.action.description}.`,
    task: 'Choose the step that completes the instruction now; twoStep is false.',
  };
  const answer = await askForStep(call.progress, call.context, { ...call, instruction, snapshot, before });
  if (answer.action) {
    const proposal = { instruction, snapshot: answer.snapshot, proposed: answer.action };
    return resultOf(instruction, [first, await performHealing(call, proposal)]);
  }
  const { message } = noStep(instruction, answer, answer.snapshot);
  const opened = resultOf(instruction, [first]);
  return { ...opened, success: false, message: `${opened.message} ${message}` };
}
