import type { ElementCall } from '../injected/contract.ts';
import type { ActionTarget, FindFrame } from '../actions/element-action.ts';
import { canonicalMethod } from '../actions/methods.ts';
import { settlePage } from '../actions/settle-page.ts';
import { healedValueIssues, placeOnPage, type TriedPlace } from '../policy/healed-value.ts';
import { findInFrames, isInMainFrame } from '../snapshot/find-in-frames.ts';
import { isAbsoluteXPath } from '../snapshot/selector-kind.ts';
import type { Action } from '../replay/action.ts';
import { type DoneStep, performStep, stepOf } from '../verb/perform-step.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { placeholdersIn } from '../util/placeholders.ts';
import type { Progress } from '../util/progress.ts';
import type { StoredStep } from '../replay/stored-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { ActionMemory } from './action-memory.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { heal, logHeal } from './heal.ts';
import { isHealable, isStale } from '../util/error-codes.ts';
import {
  isSameTarget,
  logIfMoved,
  recognizedElements,
  replayAtPath,
  type ReplayedStep,
  replayOn,
} from '../verb/replay-step.ts';
import { describedElement } from '../replay/described-element.ts';
import { proposedStep } from './proposed-step.ts';

/**
 * Runs an action that the caller passes to `act()`. Tries these steps in order until one succeeds:
 *
 * 1. Only for an absolute XPath with a stored fingerprint: the element at the XPath if it matches the fingerprint, then
 *    an element that matches it anywhere on the page. The fingerprint comes from an action that this driver returned,
 *    or from its cache.
 * 2. The element at the selector, for 1 s.
 * 3. Only if the selector matches nothing: the element that matches a stored fingerprint, then the one that matches the
 *    description. An absolute XPath skips the fingerprint, because step 1 has already searched for it.
 * 4. The element at the selector, for another 4 s.
 * 5. The element that a model chooses by the description, if the action has one.
 *
 * `isHealable` is true if the element received no input: it was missing, not actionable, or of the wrong kind. Other
 * errors end the call, so the action never runs twice. `isStale` is stricter: the selector matches nothing. Only such
 * an error leads to step 3. A covered or hidden element is healable but not stale: it exists and can become actionable,
 * so step 4 waits for it.
 *
 * A drag skips steps 2 and 3; step 4 then waits for 5 s. With `selfHeal: false`, only step 4 runs, also for 5 s, and
 * throws its error. It still searches other frames for the selector, and checks the role and name of an element that
 * receives a variable.
 */
export async function actOnAction(call: ActCall, action: Action): Promise<ActResult> {
  const memory = await ActionMemory.for(call, action);
  // An absolute XPath refers to the element that it was returned for. Any other selector refers to the element that it
  // matches now.
  const known = isAbsoluteXPath(action.selector) ? await runOnKnownElement(call, action, memory) : undefined;
  const { done, stored, isMoved } = known ?? (await runAtSelector(call, action, memory));
  await memory.keep({ done, stored, isMoved });
  return resultOf(action.description, [done]);
}

/** An action that ran, and the step to store for it. */
interface ActionRun {
  readonly done: DoneStep;
  readonly stored: StoredStep | undefined;
  /** True if the element was not at the action's selector. */
  readonly isMoved: boolean;
}

/**
 * Runs the action on the element that its XPath was returned for: at the XPath without waiting, then by fingerprint.
 * Both `replayAtPath` and `replayOn` return `undefined` after a healable error, and throw any other error. Returns
 * `undefined` if both did, if no step is stored, or with `selfHeal: false`.
 */
async function runOnKnownElement(
  call: ActCall,
  action: Action,
  { steps }: ActionMemory,
): Promise<ActionRun | undefined> {
  const [first] = steps;
  if (!first || !call.context.selfHeal) return undefined;
  const played = await replayAtPath(call, withRequestedMethod(first, action), 0);
  return played
    ? { ...played, isMoved: played.stored.action.selector !== action.selector }
    : runOnRecognizedElement(call, action, steps);
}

/**
 * Searches the whole page for the element this action came from. Returns `undefined` if none matches, if the stored
 * steps lead to different elements, or if `replayOn` returns `undefined` because the element received no input.
 */
async function runOnRecognizedElement(
  call: ActCall,
  action: Action,
  steps: readonly StoredStep[],
): Promise<ActionRun | undefined> {
  const asked = steps.map((step) => withRequestedMethod(step, action));
  const by = { instruction: action.description, mask: call.context.mask };
  const recognitions = await recognizedElements(call, asked, by);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [step, recognition] = [asked[index], recognitions[index]];
  if (!step || !recognition || recognitions.some((other) => other && !isSameTarget(other, recognition)))
    return undefined;
  const played = await replayOn(call, step, recognition);
  if (!played) return undefined;
  logIfMoved(call, played);
  return { ...played, isMoved: hasMoved(played, action) };
}

function hasMoved({ stored }: ReplayedStep, { selector }: Action): boolean {
  return stored.action.selector !== selector;
}

/**
 * Combines the stored element with the method and arguments of this call. Keeps the stored drop target only if the drag
 * still has the same one.
 */
function withRequestedMethod(
  step: StoredStep,
  { method = 'click', arguments: args = [], description }: Action,
): StoredStep {
  const { selector } = step.action;
  const { goal, ...element } = step;
  const isSameDrop = goal !== undefined && step.action.arguments[0] === args[0];
  return {
    ...element,
    ...(isSameDrop && { goal }),
    action: { selector, description, method, arguments: [...args] },
  };
}

/** Time in ms for the selector's element to become actionable before the search for other elements starts. */
const FIRST_WAIT_MS = 1000;

/**
 * Runs the action at its selector: for 1 s, then by fingerprint or description if the selector is stale, then for the
 * rest of 5 s.
 */
async function runAtSelector(call: ActCall, action: Action, { steps }: ActionMemory): Promise<ActionRun> {
  const given = {
    timeout: ELEMENT_TIMEOUT_MS,
    calledAs: meantFor(call, action, steps),
    tried: placeOnPage(call.context.page.target.frames.main),
  };
  // A drag presses the mouse button before it searches for the drop target. It must not start twice.
  const isOnce = !call.context.selfHeal || canonicalMethod(action.method ?? 'click') === 'dragAndDrop';
  if (isOnce) return runWithHealing(call, action, given);
  try {
    return unmoved(await performAsGiven(call, action, { ...given, timeout: FIRST_WAIT_MS }));
  } catch (error) {
    if (!isHealable(error)) throw error;
    call.progress.throwIfEnded();
    const known = isStale(error) ? await runOnElementFoundAgain(call, action, { steps, ...given }) : undefined;
    return known ?? (await runWithHealing(call, action, { ...given, timeout: ELEMENT_TIMEOUT_MS - FIRST_WAIT_MS }));
  }
}

interface AsGiven {
  /** Time in ms to wait for the element. */
  readonly timeout: number;
  /** The role and name that the element must have. */
  readonly calledAs: ElementCall | undefined;
  /** The main frame's site. A healed step enters variable values only on this site. */
  readonly tried: TriedPlace;
}

/**
 * The role and name that an element must have to receive a variable value, so that another element at the same XPath
 * does not. Returns `undefined` if no argument is a variable, if the selector is not an absolute XPath, or if no step
 * is stored for it.
 */
function meantFor(
  { variables }: ActCall,
  { selector, arguments: args = [] }: Action,
  [step]: readonly StoredStep[],
): ElementCall | undefined {
  const isValue = args.some((argument) => placeholdersIn(argument, variables).length > 0);
  if (!step || !isValue || !isAbsoluteXPath(selector)) return undefined;
  const { role, name } = step.fingerprint;
  return { role, name };
}

function unmoved(done: DoneStep): ActionRun {
  return { done, stored: undefined, isMoved: false };
}

/** Runs the action at its selector: in the main frame, or in the first frame that has a matching element. */
async function performAsGiven(
  { progress, context, variables }: ActCall,
  action: Action,
  { timeout, calledAs }: AsGiven,
): Promise<DoneStep> {
  let where: string | undefined;
  const findFrame: FindFrame = async (search, selector) => {
    const found = await findElsewhere(search, context, { selector, timeout });
    if (!found) return undefined;
    const { url } = found.frame;
    context.log.write('act', 1, `Found ${selector} in the frame ${url}.`);
    if (selector === action.selector) where = ` in the frame ${url}`;
    return found;
  };
  const step = { ...stepOf(action, context), timeout, calledAs, findFrame };
  const done = await performStep(progress, context, { step, variables });
  return where === undefined ? done : { ...done, where };
}

/**
 * Searches the other frames for a selector. Waits until the page settles first, because a page that is still loading
 * can add the element to the main frame. Returns `undefined` if the main frame has the element, and for absolute
 * XPaths, which include their frames.
 */
async function findElsewhere(
  progress: Progress,
  { page, domSettleTimeout }: VerbContext,
  { selector, timeout }: { readonly selector: string; readonly timeout: number },
): Promise<ActionTarget | undefined> {
  if (isAbsoluteXPath(selector)) return undefined;
  await settlePage(progress, page.target, Math.min(domSettleTimeout, timeout));
  if (await isInMainFrame(progress, page.target, selector)) return undefined;
  const found = await findInFrames(progress, page.target, selector);
  return found && { frame: found.frame, element: { selector: found.rest || 'html' }, label: selector };
}

/**
 * Runs the action on the element that matches a stored fingerprint, or else on the one that matches its description.
 * Skips the fingerprints for an absolute XPath, because `runOnKnownElement` has already searched for them. Returns
 * `undefined` if no match is certain, or if the element received no input.
 */
async function runOnElementFoundAgain(
  call: ActCall,
  action: Action,
  { steps, tried }: Pick<ActionMemory, 'steps'> & Pick<AsGiven, 'tried'>,
): Promise<ActionRun | undefined> {
  const isUntried = steps.length > 0 && !isAbsoluteXPath(action.selector);
  const known = isUntried ? await runOnRecognizedElement(call, action, steps) : undefined;
  if (known || !action.description) return known;
  const done = await performDescribed(call, action, tried);
  return done && { done, stored: undefined, isMoved: true };
}

const SIGN_LIST = new Intl.ListFormat('en');

/**
 * Runs an action on the element that matches its description. Returns `undefined` if none matches, if the match is not
 * certain, or if the element received no input.
 */
async function performDescribed(call: ActCall, action: Action, tried: TriedPlace): Promise<DoneStep | undefined> {
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
    logHeal(call, done, { by: `its description (${SIGN_LIST.format(found.signs)})`, was: selector });
    return done;
  } catch (error) {
    if (!isHealable(error)) throw error;
    progress.throwIfEnded();
    progress.log(`not healed by the description: ${error.message}`);
    return undefined;
  }
}

/**
 * Runs the action at its selector, for `timeout` ms. After a healable error, asks a model for another element. Rethrows
 * the error with `selfHeal: false` or without a description.
 */
async function runWithHealing(call: ActCall, action: Action, given: AsGiven): Promise<ActionRun> {
  try {
    return unmoved(await performAsGiven(call, action, given));
  } catch (error) {
    const { description, method = 'click', arguments: args = [] } = action;
    if (!description) throw error;
    const intent = { kind: 'heal', method, arguments: args, description } as const;
    const { done } = await heal(call, { intent, error, failed: action, tried: given.tried });
    return { done, stored: undefined, isMoved: true };
  }
}
