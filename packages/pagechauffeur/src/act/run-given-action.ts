import { shorten } from '../util/truncate.ts';
import type { RoleAndName } from '../injected/contract.ts';
import type { ActionTarget, FindFrame } from '../actions/element-action.ts';
import { canonicalMethod } from '../actions/methods.ts';
import { settlePage } from '../actions/settle-page.ts';
import { healedValueIssues, placeOnPage, type TriedPlace } from '../policy/healed-value.ts';
import { findInFrames, isInMainFrame } from '../snapshot/find-in-frames.ts';
import { isAbsoluteXPath } from '../snapshot/xpaths.ts';
import type { Action } from '../replay/action.ts';
import { type DoneStep, performStep, stepOf } from '../verb/perform-step.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { placeholdersIn } from '../util/placeholders.ts';
import type { Progress } from '../util/progress.ts';
import type { StoredStep } from '../replay/stored-step.ts';
import { type ActCall, readPage } from './act-call.ts';
import { ActionMemory, type ActionRun } from './action-memory.ts';
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
 * Runs an action that the caller passes to `act()`. Tries these steps in order until one of them runs the action:
 *
 * 1. If the selector is an absolute XPath and a fingerprint is stored for this URL, XPath and description: the element
 *    at the XPath where this element was last, without waiting, if it matches the fingerprint; then the only element of
 *    the page that matches, once the page has settled, which then has 1 s to become actionable.
 * 2. The element at the selector, for 1 s.
 * 3. If the selector matches nothing: the only element of the settled page that matches a stored fingerprint, for 1 s,
 *    unless step 1 has searched for it; then the one that matches the description, for 5 s.
 * 4. The element at the selector, for another 4 s.
 * 5. The element that a model chooses by the description, for up to 5 s, if the action has one. It keeps the method or
 *    uses an equivalent one. If that fails too, throw the error of step 4.
 *
 * An absolute XPath is the only selector with step 1, because it refers to the element that it was returned for. Any
 * other selector refers to the element that it matches now. Fingerprints come from actions that this driver returned
 * or, if it returned none of them, from its cache, which it reads once. An edited description has none.
 *
 * Only a healable error leads to the next step: the element was missing, not actionable or of the wrong kind, or its
 * input did not reach it. After an attempt by fingerprint, an invalid argument does too, because cache files can be
 * edited. Any other error ends the call, so no element is clicked twice and no key is sent twice. Only text can be
 * entered again: if the page replaces the field before it has the whole text, and the new field does not have it
 * either. Step 3 also requires a stale error: the selector matches nothing, or not the element that `requiredForValue`
 * demands. A covered or hidden element exists and can become actionable, so step 4 waits for it.
 *
 * Unless the selector is an absolute XPath, steps 2 and 4 search the other frames if the main frame has no match. If an
 * argument contains a variable and a fingerprint is stored for the absolute XPath, the element must have its role and
 * name (`requiredForValue`), with `selfHeal: false` too.
 *
 * A drag skips steps 2 and 3, because step 3 would not find a drop target in another frame. Step 4 then waits for 5 s.
 * With `selfHeal: false`, only step 4 runs, also for 5 s, and its error is thrown.
 *
 * The policy does not check the caller's selector. It checks fingerprints from the cache before step 1
 * (`allowedSteps`), the element that matches the description if it would receive a variable value, and the model's
 * response in step 5. `performStep` checks variables that are bound to origins, in every attempt. Only step 5 calls a
 * model. Each attempt acquires the page lock again. After an attempt by fingerprint, one quiet animation frame is
 * enough; after the others, the page settles.
 *
 * Afterwards, the driver remembers the element's fingerprint for this selector. If the element was not at the selector,
 * it does so only if the page showed an effect, and also writes it to the cache (`ActionMemory.keep`).
 */
export async function runGivenAction(call: ActCall, action: Action): Promise<ActResult> {
  const memory = await ActionMemory.for(call, action);
  const run = await runOnFirstMatch(call, action, memory.storedSteps);
  await memory.keep(run);
  return resultOf(action.description, [run.done]);
}

/** The steps 1 to 5 of `runGivenAction`. */
async function runOnFirstMatch(call: ActCall, action: Action, storedSteps: readonly StoredStep[]): Promise<ActionRun> {
  const { selfHeal, page } = call.context;
  const isXPath = isAbsoluteXPath(action.selector);

  if (selfHeal && isXPath) {
    const stored =
      (await runAtStoredXPath(call, action, storedSteps)) ?? (await runByFingerprint(call, action, storedSteps));
    if (stored) return stored;
  }

  const attempt = {
    timeout: ELEMENT_TIMEOUT_MS,
    requiredRoleAndName: requiredForValue(call, action, storedSteps),
    // Taken before the attempt, which can navigate. The site of the main frame, even if the selector leads into another.
    valueSite: placeOnPage(page.target.frames.main),
  };
  const isDrag = canonicalMethod(action.method ?? 'click') === 'dragAndDrop';
  if (!selfHeal || isDrag) return runAtSelectorOrHeal(call, action, attempt);

  const first = await tryAtSelector(call, action, { ...attempt, timeout: FIRST_WAIT_MS });
  if (first.kind === 'ran') return first.run;

  if (first.isStale) {
    const found =
      (isXPath ? undefined : await runByFingerprint(call, action, storedSteps)) ??
      (await runByDescription(call, action, attempt.valueSite));
    if (found) return found;
  }

  return runAtSelectorOrHeal(call, action, { ...attempt, timeout: ELEMENT_TIMEOUT_MS - FIRST_WAIT_MS });
}

/**
 * Runs the action on the element at the newest stored XPath, if it matches the stored fingerprint. Returns `undefined`
 * if it does not, or if the element received no input.
 */
async function runAtStoredXPath(
  call: ActCall,
  action: Action,
  [newest]: readonly StoredStep[],
): Promise<ActionRun | undefined> {
  const replayed = newest && (await replayAtPath(call, withRequestedMethod(newest, action), { timeout: 0 }));
  return replayed && { ...replayed, isMoved: hasMoved(replayed, action) };
}

/**
 * Runs the action on the only element of the page that matches a stored fingerprint. Returns `undefined` if no match is
 * certain, if two stored steps match different elements, or if the element received no input.
 */
async function runByFingerprint(
  call: ActCall,
  action: Action,
  storedSteps: readonly StoredStep[],
): Promise<ActionRun | undefined> {
  if (storedSteps.length === 0) return undefined;
  const requested = storedSteps.map((step) => withRequestedMethod(step, action));
  // The words of the description decide which changes of the element are accepted.
  const by = { instruction: action.description, mask: call.context.mask };
  const recognitions = await recognizedElements(call, requested, by);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [step, recognition] = [requested[index], recognitions[index]];
  if (!step || !recognition || recognitions.some((other) => other && !isSameTarget(other, recognition)))
    return undefined;
  const replayed = await replayOn(call, step, recognition);
  if (!replayed) return undefined;
  logIfMoved(call, replayed);
  return { ...replayed, isMoved: hasMoved(replayed, action) };
}

function hasMoved({ stored }: ReplayedStep, { selector }: Action): boolean {
  return stored.action.selector !== selector;
}

/**
 * Combines the stored element with the method and arguments of this call. Keeps the stored drop target only if this
 * call's drag has the same one.
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

/** How to run an action at its selector. */
interface SelectorAttempt {
  /** Time in ms for the element to become actionable. */
  readonly timeout: number;
  /** The element must have this role and name. */
  readonly requiredRoleAndName: RoleAndName | undefined;
  /**
   * Where the caller's action would enter variable values. A healed step enters them only on the same site, into a
   * field that the description names.
   */
  readonly valueSite: TriedPlace;
}

/**
 * The role and name that an element must have to receive a variable value. Otherwise the value could go to another
 * element that is now at the XPath. Returns `undefined` if no argument is a variable, if the selector is not an
 * absolute XPath, or if no step is stored for it.
 */
function requiredForValue(
  { variables }: ActCall,
  { selector, arguments: args = [] }: Action,
  [newest]: readonly StoredStep[],
): RoleAndName | undefined {
  const isValue = args.some((argument) => placeholdersIn(argument, variables).length > 0);
  if (!newest || !isValue || !isAbsoluteXPath(selector)) return undefined;
  const { role, name } = newest.fingerprint;
  return { role, name };
}

/** The end of an attempt, unless it ended with an error that is not healable. */
type AttemptEnd =
  | { readonly kind: 'ran'; readonly run: ActionRun }
  | { readonly kind: 'no-input'; readonly isStale: boolean };

async function tryAtSelector(call: ActCall, action: Action, attempt: SelectorAttempt): Promise<AttemptEnd> {
  try {
    return { kind: 'ran', run: ranAtSelector(await performAtSelector(call, action, attempt)) };
  } catch (error) {
    if (!isHealable(error)) throw error;
    call.progress.throwIfEnded();
    return { kind: 'no-input', isStale: isStale(error) };
  }
}

function ranAtSelector(done: DoneStep): ActionRun {
  return { done, stored: undefined, isMoved: false };
}

/** Runs the action at its selector: in the main frame, or in the first frame that has a matching element. */
async function performAtSelector(
  { progress, context, variables }: ActCall,
  action: Action,
  { timeout, requiredRoleAndName }: SelectorAttempt,
): Promise<DoneStep> {
  let where: string | undefined;
  // `performStep` calls this if the main frame has no match: for the selector of the action, and for the one of a drop
  // target, whose frame the result does not mention.
  const findFrame: FindFrame = async (searching, selector) => {
    const found = await findElsewhere(searching, context, { selector, timeout });
    if (!found) return undefined;
    const { url } = found.frame;
    context.log.write('act', 1, `Found ${selector} in the frame ${url}.`);
    if (selector === action.selector) where = ` in the frame ${url}`;
    return found;
  };
  const step = { ...stepOf(action, context), timeout, requiredRoleAndName, findFrame };
  const done = await performStep(progress, context, { step, variables });
  return where === undefined ? done : { ...done, where };
}

/**
 * Searches the other frames for a selector. First waits until the page settles, because a page that is still loading
 * can add the element to the main frame. Returns `undefined` if no other frame has a match, or the main frame has one
 * by then. Does not search for absolute XPaths, which include their frames.
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
  return found && { frame: found.frame, element: { selector: found.rest || 'html' }, label: shorten(selector) };
}

const REASON_LIST = new Intl.ListFormat('en');

/**
 * Runs the action on the only element of the page that matches its description. Returns `undefined` if no match is
 * certain, if the element must not receive a variable value, or if it received no input.
 */
async function runByDescription(call: ActCall, action: Action, valueSite: TriedPlace): Promise<ActionRun | undefined> {
  if (!action.description) return undefined;
  const { progress, context, variables } = call;
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const snapshot = await readPage(call, { instruction: action.description });
  const found = describedElement(action, snapshot);
  if (!found) return undefined;
  const { method = 'click', arguments: args = [], description, selector } = action;
  const proposed = { ref: found.ref, method, arguments: args, description };
  const [issue] = healedValueIssues(proposed, {
    tried: valueSite,
    words: description,
    snapshot,
    variables,
  });
  if (issue) {
    progress.log(`cannot use the element that matches the description: ${issue.message}`);
    return undefined;
  }
  const step = { ...(await proposedStep(call, proposed, snapshot)), timeout: ELEMENT_TIMEOUT_MS };
  try {
    const done = await performStep(progress, context, { step, variables });
    logHeal(call, done, { by: `its description (${REASON_LIST.format(found.reasons)})`, was: selector });
    return { done, stored: undefined, isMoved: true };
  } catch (error) {
    if (!isHealable(error)) throw error;
    progress.throwIfEnded();
    progress.log(`the action failed on the element that matches the description: ${error.message}`);
    return undefined;
  }
}

/**
 * Runs the action at its selector. After a healable error, a model chooses another element by the description. Rethrows
 * the error if it is not healable, if the action has no description, or with `selfHeal: false`.
 */
async function runAtSelectorOrHeal(call: ActCall, action: Action, attempt: SelectorAttempt): Promise<ActionRun> {
  try {
    return ranAtSelector(await performAtSelector(call, action, attempt));
  } catch (error) {
    const { description, method = 'click', arguments: args = [] } = action;
    if (!description) throw error;
    const intent = { kind: 'heal', method, arguments: args, description } as const;
    const { done } = await heal(call, { intent, error, failed: action, tried: attempt.valueSite });
    return { done, stored: undefined, isMoved: true };
  }
}
