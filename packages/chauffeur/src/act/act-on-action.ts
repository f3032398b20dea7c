import { canonicalMethod } from '../page/action/methods.ts';
import type { Action } from '../verb/action.ts';
import { type DoneStep, performStep, stepOf } from '../verb/perform-step.ts';
import { ELEMENT_TIMEOUT_MS } from '../verb/verb-context.ts';
import type { StoredStep } from '../verb/replay/stored-step.ts';
import type { ActCall } from './act-call.ts';
import { ActionMemory } from './action-memory.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { performDescribed } from './by-description.ts';
import { heal } from './heal.ts';
import { isHealable, isStale } from './healable.ts';
import { isSameTarget, type PlayedStep, playFound, playInPlace, recognizedElements, tellIfMoved } from './play-step.ts';

/**
 * Carries out an action that the caller gives. One that was handed out by this driver, or stands in its cache, is done to the element
 * that it was handed out for, wherever that is now; without that knowledge, or where nothing is known for certain, it is done where its
 * selector leads. A selector that leads nowhere is healed, by what is known of its element, by its description, or by a model.
 */
export async function actOnAction(call: ActCall, action: Action): Promise<ActResult> {
  const memory = await ActionMemory.for(call, action);
  const known = isAbsolute(action.selector) ? await playKnown(call, action, memory) : undefined;
  const { done, stored, isMoved } = known ?? (await playAsGiven(call, action, memory));
  await memory.keep({ done, stored, isMoved });
  return resultOf(action.description, [done]);
}

/** A selector as the library gives it: it names one element, whatever the page is like. Others mean what they find. */
function isAbsolute(selector: string): boolean {
  return /^xpath=\/(?:\/?[^/[\]]+\[\d+\])+/.test(selector) && !selector.includes('>>');
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
  const played = await playInPlace(call, asAsked(first, action), 0);
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
  const asked = steps.map((step) => asAsked(step, action));
  const by = { instruction: action.description, mask: call.context.mask };
  const recognitions = await recognizedElements(call, asked, by);
  const index = recognitions.findIndex((recognition) => recognition !== undefined);
  const [step, recognition] = [asked[index], recognitions[index]];
  if (!step || !recognition || recognitions.some((other) => other && !isSameTarget(other, recognition)))
    return undefined;
  const played = await playFound(call, step, recognition);
  if (!played) return undefined;
  tellIfMoved(call, played);
  return { ...played, isMoved: hasMoved(played, action) };
}

function hasMoved({ stored }: PlayedStep, { selector }: Action): boolean {
  return stored.action.selector !== selector;
}

/** What is known of the element, with what is to be done to it now. */
function asAsked(step: StoredStep, { method = 'click', arguments: args = [], description }: Action): StoredStep {
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
  // A drag that finds nothing to drop on has begun, and is not begun twice.
  const isOnce = !call.context.selfHeal || canonicalMethod(action.method ?? 'click') === 'dragAndDrop';
  if (isOnce) return playPatiently(call, action, ELEMENT_TIMEOUT_MS);
  try {
    return unmoved(await performAsGiven(call, action, FIRST_WAIT_MS));
  } catch (error) {
    if (!isHealable(error)) throw error;
    call.progress.throwIfEnded();
    const known = isStale(error) ? await playElsewhere(call, action, steps) : undefined;
    return known ?? (await playPatiently(call, action, ELEMENT_TIMEOUT_MS - FIRST_WAIT_MS));
  }
}

function unmoved(done: DoneStep): Played {
  return { done, stored: undefined, isMoved: false };
}

function performAsGiven(
  { progress, context, variables }: ActCall,
  action: Action,
  patience: number,
): Promise<DoneStep> {
  return performStep(progress, context, { step: { ...stepOf(action, context), patience }, variables });
}

/** Does it to the element that is known by what was handed out, or by the description. */
async function playElsewhere(call: ActCall, action: Action, steps: readonly StoredStep[]): Promise<Played | undefined> {
  const isUntried = steps.length > 0 && !isAbsolute(action.selector);
  const known = isUntried ? await playRecognized(call, action, steps) : undefined;
  if (known || !action.description) return known;
  const done = await performDescribed(call, action);
  return done && { done, stored: undefined, isMoved: true };
}

/** Waits for the selector's element as long as for any; then a model is asked. */
async function playPatiently(call: ActCall, action: Action, patience: number): Promise<Played> {
  try {
    return unmoved(await performAsGiven(call, action, patience));
  } catch (error) {
    const instruction = healingInstruction(action);
    if (instruction === '') throw error;
    return { done: await heal(call, { instruction, error, failed: action }), stored: undefined, isMoved: true };
  }
}

/** The sentence by which a model finds the element of an action whose selector no longer does. */
function healingInstruction({ description, method = 'click', arguments: args = [] }: Action): string {
  if (!description) return '';
  return `${method} ${args.map((argument) => JSON.stringify(argument)).join(' ')} on: ${description}`;
}
