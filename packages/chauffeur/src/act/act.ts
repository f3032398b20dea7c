import { ActTimeoutError, DriverElementNotFoundError, DriverInvalidArgumentError } from '../errors.ts';
import type { ActAnswer, ProposedAction } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import { elementPhrase } from '../page/action/element-phrase.ts';
import { settlePage } from '../page/action/settle-page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { checkString, checkStrings } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../verb/action.ts';
import { type DoneStep, performStep, type Step, stepOf } from '../verb/perform-step.ts';
import { refXPaths } from '../verb/ref-xpaths.ts';
import { VariableTable } from '../verb/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { type ActQuestion, askForStep } from './act-question.ts';
import type { ActResult } from './act-result.ts';
import { isHealable } from './healable.ts';
import { reasonOf } from '../util/error-facts.ts';

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
  const call: ActCall = { progress, context, variables, model: options.model };
  if (typeof input !== 'object' || input === null) {
    checkString('instruction', input);
    variables.check(input, 'The instruction');
    return await actOnInstruction(call, input);
  }
  checkAction(input, variables);
  return await actOnAction(call, input);
}

interface ActCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
  readonly model: ModelConfiguration | undefined;
}

function checkAction(action: Action, variables: VariableTable): void {
  checkString('action.selector', action.selector);
  if (action.method !== undefined) checkString('action.method', action.method);
  const { arguments: args = [] } = action;
  checkStrings('action.arguments', args);
  for (const argument of args) variables.check(argument, 'action.arguments');
}

async function actOnInstruction(call: ActCall, instruction: string): Promise<ActResult> {
  const { progress, context } = call;
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const snapshot = await readPage(call);
  const answer = await askForStep(progress, context, { ...call, instruction, snapshot });
  if (!answer.action) return nothingFits(instruction, answer, snapshot);
  const first = await performHealing(call, { instruction, snapshot, proposed: answer.action });
  if (!answer.twoStep) return result(instruction, [first]);
  return result(instruction, [first, ...(await secondStep(call, { instruction, first, shown: snapshot }))]);
}

/** The page as the model that will be asked reads it. */
async function readPage({ progress, context, model }: ActCall): Promise<Snapshot> {
  const withTree = await context.desk.readsTree(progress, model);
  return takeSnapshot(progress, context.page.target, { withTree });
}

/** After a step that only opened something: the page is read again for the step it was opened for. */
async function secondStep(
  call: ActCall,
  { instruction, first, shown }: { instruction: string; first: DoneStep; shown: Snapshot },
): Promise<DoneStep[]> {
  const { progress, context } = call;
  const snapshot = await snapshotWithNews(call, shown);
  const before = {
    happened: `Already done: ${first.action.description}.`,
    task: 'Choose the step that completes the instruction now; twoStep is false.',
  };
  const answer = await askForStep(progress, context, { ...call, instruction, snapshot, before });
  return answer.action ? [await performHealing(call, { instruction, snapshot, proposed: answer.action })] : [];
}

/** What opens may be built a moment after the click: the page is read until it shows an element that was not there. */
async function snapshotWithNews(call: ActCall, shown: Snapshot): Promise<Snapshot> {
  const { progress, context } = call;
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    const snapshot = await readPage(call);
    const hasNews = [...snapshot.refs.keys()].some((ref) => !shown.refs.has(ref));
    if (hasNews || performance.now() > deadline) return snapshot;
    // Ends with the page's next two quiet frames, so a page that stays as it is is read about 30 times a second.
    await settlePage(progress, context.page.target, context.domSettleTimeout);
  }
}

const OPENING_TIMEOUT_MS = 1000;

interface Proposal {
  readonly instruction: string;
  readonly snapshot: Snapshot;
  readonly proposed: ProposedAction;
}

/** Carries out a proposed step; when it cannot be done and self-heal is on, asks once more on the page as it is now. */
async function performHealing(call: ActCall, { instruction, snapshot, proposed }: Proposal): Promise<DoneStep> {
  try {
    const step = await proposedStep(call, proposed, snapshot);
    return await performStep(call.progress, call.context, { step, variables: call.variables });
  } catch (error) {
    const healed = await heal(call, { instruction, error, failed: proposed });
    if (!healed) throw error;
    return healed;
  }
}

interface Failure {
  readonly instruction: string;
  readonly error: unknown;
  readonly failed: { readonly description: string; readonly ref?: string; readonly method?: string };
}

/** Finds the element anew and tries once more; nothing when that is not allowed, not possible, or leads to the same element. */
async function heal(call: ActCall, { instruction, error, failed }: Failure): Promise<DoneStep | undefined> {
  const { progress, context } = call;
  if (!context.selfHeal || !isHealable(error)) return undefined;
  const snapshot = await readPage(call);
  const before = {
    happened: `This was tried and failed: ${failed.description}. ${call.variables.mask(error.message)}`,
    task: 'Choose another way, or none.',
  };
  const answer = await askOrGiveUp(call, { instruction, snapshot, before });
  const { action } = answer ?? {};
  if (!action || (action.ref === failed.ref && action.method === failed.method)) return undefined;
  const step = await proposedStep(call, action, snapshot);
  const done = await performStep(progress, context, { step, variables: call.variables });
  context.log.write('act', 1, `Healed: ${failed.description} → ${done.action.description} at ${done.action.selector}`);
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

async function proposedStep({ progress }: ActCall, proposed: ProposedAction, snapshot: Snapshot): Promise<Step> {
  const { ref, method, description } = proposed;
  const place = snapshot.refs.get(ref);
  if (!place) throw new DriverInvalidArgumentError(`The ref ${ref} does not stand in the page.`, { argument: 'ref' });
  const { frame, world } = place;
  const args = method === 'dragAndDrop' ? await dropTargetPath(progress, proposed, snapshot) : proposed.arguments;
  return {
    target: {
      frame,
      world,
      element: { ref: place.ref },
      label: `${ref} (${place.role} ${JSON.stringify(place.name)})`,
    },
    method,
    arguments: args,
    description,
  };
}

async function dropTargetPath(
  progress: Progress,
  proposed: ProposedAction,
  snapshot: Snapshot,
): Promise<readonly string[]> {
  const goal = snapshot.refs.get(proposed.arguments[0] ?? '');
  if (!goal) return proposed.arguments;
  const xpath = (await refXPaths(progress, [goal])).get(goal);
  if (xpath === undefined)
    throw new DriverElementNotFoundError(
      `The element to drop on (${goal.role} ${JSON.stringify(goal.name)}) has left the page.`,
      { selectors: [] },
    );
  return [`xpath=${xpath}`];
}

async function actOnAction(call: ActCall, action: Action): Promise<ActResult> {
  const { progress, context, variables } = call;
  try {
    return result(action.description, [
      await performStep(progress, context, { step: stepOf(action, context), variables }),
    ]);
  } catch (error) {
    const instruction = healingInstruction(action);
    const healed =
      instruction && (await heal(call, { instruction, error, failed: { description: action.description } }));
    if (!healed) throw error;
    return result(action.description, [healed]);
  }
}

/** The sentence by which a model finds the element of an action whose selector no longer does. */
function healingInstruction({ description, method = 'click', arguments: args = [] }: Action): string {
  if (!description) return '';
  return `${method} ${args.map((argument) => JSON.stringify(argument)).join(' ')} on: ${description}`;
}

function result(actionDescription: string, steps: readonly DoneStep[]): ActResult {
  const effect = steps.at(-1)?.outcome.effect ?? 'none-observed';
  const sentences = steps.map(({ action, outcome }) =>
    [`${action.method} on ${elementPhrase(outcome.element)}`, ...outcome.notes].join('; '),
  );
  return {
    success: true,
    message: `Done: ${sentences.join(', then ')}. ${EFFECT_SENTENCE[effect]}`,
    actionDescription,
    actions: steps.map(({ action }) => action),
    effect,
  };
}

const EFFECT_SENTENCE = {
  navigated: 'The page navigated.',
  changed: 'The page changed.',
  opened: 'Something opened.',
  'none-observed': 'No change was observed.',
} as const;

function nothingFits(instruction: string, { reason, candidates }: ActAnswer, snapshot: Snapshot): ActResult {
  const nearest = candidates.flatMap((ref) => {
    const place = snapshot.refs.get(ref);
    return place ? [`${place.role} ${JSON.stringify(place.name)}`] : [];
  });
  const hint = nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : '';
  return {
    success: false,
    message: `Nothing on the page fits ${JSON.stringify(instruction)}: ${reason}${hint}`,
    actionDescription: instruction,
  };
}
