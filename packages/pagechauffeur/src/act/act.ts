import { ActTimeoutError, DriverInvalidArgumentError } from '../errors.ts';
import { actionMethod } from '../page/action/methods.ts';
import { settlePage } from '../page/action/settle-page.ts';
import { checkSpelling, checkString, checkStrings } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../verb/action.ts';
import { VariableTable } from '../verb/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { type ActCall, intentOf, readPage, type Sentence } from './act-call.ts';
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
export interface ActOptions extends InstructionOptions {
  /**
   * Paths of files and folders that may be uploaded though the instruction does not name them: `['/home/ada/cv.pdf']`. A path in the
   * instruction needs a separator or an extension, or quotation marks after a word such as "upload".
   */
  files?: readonly string[];
}

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
    const { files } = options;
    if (files !== undefined) checkStrings('files', files);
    return await actOrReplay(call, { written: input, text: variables.readInstruction(input), files });
  }
  checkAction(input, variables);
  return await actOnAction(call, input);
}

const ACTION_FIELDS: ReadonlySet<string> = new Set(['selector', 'description', 'method', 'arguments']);

/** Throws if a field of an action is wrong, before anything is done. */
function checkAction(action: Action, variables: VariableTable): void {
  if (action.selector === undefined)
    throw new DriverInvalidArgumentError(
      "action.selector is missing: an action is an object that observe() gives. A sentence stands by itself: act('press Save', options).",
      { argument: 'action.selector' },
    );
  const { selector, description, method = 'click', arguments: args = [] } = action;
  checkString('action.selector', selector);
  checkString('action.method', method);
  checkStrings('action.arguments', args);
  checkSpelling(Object.keys(action), ACTION_FIELDS, 'action.');
  actionMethod(method, args);
  checkString('action.description', description, { mayBeEmpty: true });
  for (const argument of args) variables.check(argument, 'action.arguments');
}

/** Does again what the cache knows; asks a model for what it does not know, or what the page no longer has. */
async function actOrReplay(call: ActCall, sentence: Sentence): Promise<ActResult> {
  const { written, text } = sentence;
  const memory = await recall(call, written);
  const replayed = memory && (await replay(call, memory, sentence));
  if (replayed?.isComplete) return cachedResult(written, replayed.done);
  if (replayed) call.done.push(...replayed.done);
  const result = replayed
    ? await lastStep(call, {
        sentence,
        first: replayed.done[0],
        snapshot: await readPage(call, { instruction: text }),
      })
    : await actOnInstruction(call, sentence);
  if (result.success) await memory?.keep(call.done);
  return result;
}

async function actOnInstruction(call: ActCall, sentence: Sentence): Promise<ActResult> {
  const { progress, context } = call;
  const { written, text } = sentence;
  const intent = intentOf(sentence);
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const answer = await askForStep(progress, context, {
    ...call,
    intent,
    snapshot: await readPage(call, { instruction: text }),
  });
  const { snapshot } = answer;
  if (!answer.action) return noStep(written, answer, snapshot);
  const first = await performHealing(call, { intent, snapshot, proposed: answer.action });
  if (!answer.twoStep) return resultOf(written, [first]);
  return secondStep(call, { sentence, first, shown: snapshot, mayExpand: !answer.hasExpanded });
}
