import { ActTimeoutError, DriverInvalidArgumentError } from '../errors.ts';
import { actionMethod } from '../actions/methods.ts';
import { checkSpelling, checkString, checkStrings } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { VariableTable } from '../policy/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import type { ActCall } from './act-call.ts';
import { runGivenAction } from './run-given-action.ts';
import type { ActResult } from './act-result.ts';
import { runInstruction } from './run-instruction.ts';

/** Options of `act()`. */
export interface ActOptions extends InstructionOptions {
  /**
   * Paths of files and folders that `act()` can upload even if the instruction does not name them:
   * `['/home/ada/cv.pdf']`. In the instruction, a path is recognized by a separator, an extension, or quotation marks
   * after a word such as "upload".
   */
  files?: readonly string[];
}

/**
 * Runs an instruction (`run-instruction.ts`) or an action that `observe()` or `act()` returned
 * (`run-given-action.ts`). An instruction needs a model unless it is cached; an action needs one only to heal.
 */
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
  const call: ActCall = { progress, context, variables, model: options.model };
  if (typeof input !== 'object' || input === null) {
    checkString('instruction', input);
    const { files } = options;
    if (files !== undefined) checkStrings('files', files);
    return await runInstruction(call, { written: input, text: variables.readInstruction(input), files });
  }
  checkAction(input, variables);
  return await runGivenAction(call, input);
}

const ACTION_FIELDS: ReadonlySet<string> = new Set(['selector', 'description', 'method', 'arguments']);

/** Throws if a field of the action is invalid. */
function checkAction(action: Action, variables: VariableTable): void {
  if (action.selector === undefined)
    throw new DriverInvalidArgumentError(
      "action.selector is missing. Pass an action from observe(), or the instruction as a string: act('press Save', options).",
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
