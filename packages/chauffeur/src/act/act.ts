import { ActTimeoutError, DriverInvalidArgumentError } from '../errors.ts';
import { settlePage } from '../page/action/settle-page.ts';
import { checkString, checkStrings } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../verb/action.ts';
import { VariableTable } from '../verb/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { type ActCall, readPage } from './act-call.ts';
import { actOnAction } from './act-on-action.ts';
import { askForStep } from './act-question.ts';
import { recall } from './act-memory.ts';
import { type ActResult, cachedResult, resultOf } from './act-result.ts';
import { performHealing } from './heal.ts';
import { lastStep } from './last-step.ts';
import { noStep } from './no-step.ts';
import { replay } from './replay.ts';
import { secondStep } from './second-step.ts';

/** How to carry out an `act()`. */
export type ActOptions = InstructionOptions;

/** Carries out an instruction with one model call, or a given action without any. */
export async function act(context: VerbContext, input: string | Action, options: ActOptions = {}): Promise<ActResult> {
  const variables = new VariableTable(options.variables);
  const { timeout = VERB_TIMEOUT_MS, signal } = options;
  using progress = new Progress({
    operation: 'act',
    timeout,
    signals: [signal, context.signal],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ActTimeoutError,
  });
  const call: ActCall = { progress, context, variables, model: options.model, done: [] };
  if (typeof input !== 'object' || input === null) {
    checkString('instruction', input);
    variables.check(input, 'The instruction');
    return await actOrReplay(call, input);
  }
  checkAction(input, variables);
  return await actOnAction(call, input);
}

function checkAction(action: Action, variables: VariableTable): void {
  if (action.selector === undefined)
    throw new DriverInvalidArgumentError(
      "action.selector is missing: an action is an object that observe() gives. A sentence stands by itself: act('press Save', options).",
      { argument: 'action.selector' },
    );
  checkString('action.selector', action.selector);
  if (action.method !== undefined) checkString('action.method', action.method);
  const { arguments: args = [] } = action;
  checkStrings('action.arguments', args);
  for (const argument of args) variables.check(argument, 'action.arguments');
}

/** Does again what the cache knows; asks a model for what it does not know, or what the page no longer has. */
async function actOrReplay(call: ActCall, instruction: string): Promise<ActResult> {
  const memory = await recall(call, instruction);
  const replayed = memory && (await replay(call, memory));
  if (replayed?.isComplete) return cachedResult(instruction, replayed.done);
  if (replayed) call.done.push(...replayed.done);
  const result = replayed
    ? await lastStep(call, { instruction, first: replayed.done[0], snapshot: await readPage(call, { instruction }) })
    : await actOnInstruction(call, instruction);
  if (result.success) await memory?.keep(call.done);
  return result;
}

async function actOnInstruction(call: ActCall, instruction: string): Promise<ActResult> {
  const { progress, context } = call;
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const answer = await askForStep(progress, context, {
    ...call,
    instruction,
    snapshot: await readPage(call, { instruction }),
  });
  const { snapshot } = answer;
  if (!answer.action) return noStep(instruction, answer, snapshot);
  const first = await performHealing(call, { instruction, snapshot, proposed: answer.action });
  if (!answer.twoStep) return resultOf(instruction, [first]);
  return secondStep(call, { instruction, first, shown: snapshot, mayExpand: !answer.hasExpanded });
}
