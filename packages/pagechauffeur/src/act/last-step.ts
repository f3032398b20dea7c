import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { type ActCall, intentOf, type Sentence } from './act-call.ts';
import { askForStep } from './act-question.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { performHealing } from './heal.ts';
import { noStep } from './no-step.ts';

/** An act of which the first step is done, and the page after it. */
interface BegunAct {
  readonly sentence: Sentence;
  readonly first: DoneStep;
  readonly snapshot: Snapshot;
  /** What of the page the model is shown, and how to read it; default all of it. */
  readonly look?: { readonly snapshot: Snapshot; readonly note: string };
  /** Whether the model may ask for what is folded away; default true. */
  readonly mayExpand?: boolean;
}

/** Asks a model for the step that is left, and carries it out. */
export async function lastStep(call: ActCall, { sentence, first, snapshot, ...rest }: BegunAct): Promise<ActResult> {
  const { look = { snapshot, note: '' }, mayExpand = true } = rest;
  const before = {
    happened: `Already done: ${first.action.description}.`,
    task: `${look.note}Choose the step that completes the instruction now; twoStep is false.`,
  };
  const { written } = sentence;
  const intent = intentOf(sentence);
  const question = { ...call, intent, snapshot: look.snapshot, before, mayExpand };
  const answer = await askForStep(call.progress, call.context, question);
  const page = answer.hasExpanded ? answer.snapshot : snapshot;
  if (!answer.action) return unfinished(resultOf(written, [first]), noStep(written, answer, page).message);
  const proposal = { intent, snapshot: page, proposed: answer.action };
  return resultOf(written, [first, await performHealing(call, proposal)]);
}

/** Only the first of two steps was carried out. */
export function unfinished(opened: ActResult, why: string): ActResult {
  return { ...opened, success: false, message: `${opened.message} ${why}` };
}
