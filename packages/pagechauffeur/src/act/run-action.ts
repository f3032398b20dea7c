import type { ElementCall } from '../injected/contract.ts';
import type { ActionTarget, FindFrame } from '../actions/element-action.ts';
import { canonicalMethod } from '../actions/methods.ts';
import { settlePage } from '../actions/settle-page.ts';
import { placeOnPage, type TriedPlace } from '../policy/healed-value.ts';
import { findInFrames, isInMainFrame } from '../snapshot/find-in-frames.ts';
import { isAbsoluteXPath } from '../snapshot/selector-kind.ts';
import type { Action } from '../replay/action.ts';
import { type DoneStep, performStep, stepOf } from '../verb/perform-step.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { placeholdersIn } from '../util/placeholders.ts';
import type { Progress } from '../util/progress.ts';
import type { StoredStep } from '../replay/stored-step.ts';
import type { ActCall } from './act-call.ts';
import { ActionMemory } from './action-memory.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { performDescribed } from './by-description.ts';
import { heal } from './heal.ts';
import { isHealable, isStale } from '../util/error-codes.ts';
import {
  isSameTarget,
  type ReplayedStep,
  replayOn,
  replayAtPath,
  recognizedElements,
  logIfMoved,
} from '../verb/replay-step.ts';

/**
 * Carries out an action that the caller gives. One that was handed out by this driver, or stands in its cache, is done to the element
 * that it was handed out for, wherever that is now; without that knowledge, or where nothing is known for certain, it is done where its
 * selector leads. A selector that leads nowhere is healed, by what is known of its element, by its description, or by a model.
 */
export async function actOnAction(call: ActCall, action: Action): Promise<ActResult> {
  const memory = await ActionMemory.for(call, action);
  // An absolute XPath means the element it was handed out for; other selectors mean what they find.
  const known = isAbsoluteXPath(action.selector) ? await playKnown(call, action, memory) : undefined;
  const { done, stored, isMoved } = known ?? (await playAsGiven(call, action, memory));
  await memory.keep({ done, stored, isMoved });
  return resultOf(action.description, [done]);
}

/** An action that was carried out, and by what its element is to be known from now on. */
interface Played {
  readonly done: DoneStep;
  readonly stored: StoredStep | undefined;
  /** Whether its element was not where the selector says. */
  readonly isMoved: boolean;
}

async function playKnown(call: ActCall, action: Action, { steps }: ActionMemory): Promise<Played | undefined> {
  const [first] = steps;
  if (!first || !call.context.selfHeal) return undefined;
  const played = await replayAtPath(call, withRequestedMethod(first, action), 0);
  return played
    ? { ...played, isMoved: played.stored.action.selector !== action.selector }
    : playRecognized(call, action, steps);
}

/** Looks for what the action was handed out for all over the page; nothing when it may have meant different elements. */
async function playRecognized(
  call: ActCall,
  action: Action,
  steps: readonly StoredStep[],
): Promise<Played | undefined> {
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

/** What is known of the element, with what is to be done to it now. */
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

/** A selector that leads nowhere is waited for so long before its element is looked for elsewhere. */
const FIRST_WAIT_MS = 1000;

/** Does it where the selector leads; elsewhere when that is nowhere. */
async function playAsGiven(call: ActCall, action: Action, { steps }: ActionMemory): Promise<Played> {
  const given = {
    patience: ELEMENT_TIMEOUT_MS,
    calledAs: meantFor(call, action, steps),
    tried: placeOnPage(call.context.page.target.frames.main),
  };
  // A drag that finds nothing to drop on has begun, and is not begun twice.
  const isOnce = !call.context.selfHeal || canonicalMethod(action.method ?? 'click') === 'dragAndDrop';
  if (isOnce) return playPatiently(call, action, given);
  try {
    return unmoved(await performAsGiven(call, action, { ...given, patience: FIRST_WAIT_MS }));
  } catch (error) {
    if (!isHealable(error)) throw error;
    call.progress.throwIfEnded();
    const known = isStale(error) ? await replayByFingerprint(call, action, { steps, ...given }) : undefined;
    return known ?? (await playPatiently(call, action, { ...given, patience: ELEMENT_TIMEOUT_MS - FIRST_WAIT_MS }));
  }
}

/** How an action is carried out where its selector leads. */
interface AsGiven {
  /** Milliseconds to wait for the element. */
  readonly patience: number;
  readonly calledAs: ElementCall | undefined;
  readonly tried: TriedPlace;
}

/** What the element must be called that gets the value of a variable, if the action was handed out for one: another may be in its place. */
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

function unmoved(done: DoneStep): Played {
  return { done, stored: undefined, isMoved: false };
}

/** Runs the action where its selector leads: in the page's own document, or in the first frame that has such an element. */
async function performAsGiven(
  { progress, context, variables }: ActCall,
  action: Action,
  { patience, calledAs }: AsGiven,
): Promise<DoneStep> {
  let where: string | undefined;
  const findFrame: FindFrame = async (search, selector) => {
    const found = await findElsewhere(search, context, { selector, patience });
    if (!found) return undefined;
    const { url } = found.frame;
    context.log.write('act', 1, `${selector} was found in the frame ${url}.`);
    if (selector === action.selector) where = ` in the frame ${url}`;
    return found;
  };
  const step = { ...stepOf(action, context), patience, calledAs, findFrame };
  const done = await performStep(progress, context, { step, variables });
  return where === undefined ? done : { ...done, where };
}

/** A page that still loads may bring the element itself; one at rest will not. */
async function findElsewhere(
  progress: Progress,
  { page, domSettleTimeout }: VerbContext,
  { selector, patience }: { readonly selector: string; readonly patience: number },
): Promise<ActionTarget | undefined> {
  if (isAbsoluteXPath(selector)) return undefined;
  await settlePage(progress, page.target, Math.min(domSettleTimeout, patience));
  if (await isInMainFrame(progress, page.target, selector)) return undefined;
  const found = await findInFrames(progress, page.target, selector);
  return found && { frame: found.frame, element: { selector: found.rest || 'html' }, label: selector };
}

/** Does it to the element that is known by what was handed out, or by the description. */
async function replayByFingerprint(
  call: ActCall,
  action: Action,
  { steps, tried }: Pick<ActionMemory, 'steps'> & Pick<AsGiven, 'tried'>,
): Promise<Played | undefined> {
  const isUntried = steps.length > 0 && !isAbsoluteXPath(action.selector);
  const known = isUntried ? await playRecognized(call, action, steps) : undefined;
  if (known || !action.description) return known;
  const done = await performDescribed(call, action, tried);
  return done && { done, stored: undefined, isMoved: true };
}

/** Waits for the selector's element as long as for any; then a model is asked. */
async function playPatiently(call: ActCall, action: Action, given: AsGiven): Promise<Played> {
  try {
    return unmoved(await performAsGiven(call, action, given));
  } catch (error) {
    const { description, method = 'click', arguments: args = [] } = action;
    if (!description) throw error;
    const intent = { kind: 'heal', method, arguments: args, description } as const;
    const done = await heal(call, { intent, error, failed: action, tried: given.tried });
    return { done, stored: undefined, isMoved: true };
  }
}
