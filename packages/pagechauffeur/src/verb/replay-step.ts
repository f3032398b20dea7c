import { DriverInvalidArgumentError } from '../errors.ts';
import { elementPhrase } from '../actions/element-phrase.ts';
import { settlePage } from '../actions/settle-page.ts';
import { type DoneStep, performStep, type Step } from './perform-step.ts';
import { findStored, type LiveCandidate } from '../replay/find-stored.ts';
import type { Recognition } from '../replay/recognize.ts';
import { goalAsStep, type StoredStep, withoutState } from '../replay/stored-step.ts';
import type { Progress } from '../util/progress.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from './verb-context.ts';
import { isHealable } from '../util/error-codes.ts';

/** The call that runs a step. */
export interface StepCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
}

/** A stored step that ran. */
export interface ReplayedStep {
  readonly done: DoneStep;
  /** The step that replaces the stored one. */
  readonly stored: StoredStep;
  /**
   * The step as it was stored, and its recognized elements. `undefined` if the element was still at the stored XPath.
   */
  readonly recognition?: Recognized & { readonly was: StoredStep };
}

/** The current elements of a step. */
export interface Recognized {
  readonly element: Recognition<LiveCandidate>;
  /** The drop target of a drag. */
  readonly goal?: Recognition<LiveCandidate>;
}

/** Input for a fingerprint search. */
export interface SoughtBy {
  readonly instruction: string;
  /** Masks variable values in page text, so that it can be compared with stored text. */
  readonly mask: (text: string) => string;
}

/** Time in ms for a recognized element to become actionable on a settled page. */
const TIMEOUT_MS = 1000;
/** A replayed step succeeded before, so one frame is enough; the next step waits for its own element. */
const REST = { frames: 1 };

/**
 * Runs the step at its stored XPath if the element there still matches the fingerprint. The page checks this in the
 * same round trip. Returns `undefined` if the element received no input: it is missing, does not match, or was not
 * actionable within `timeout` ms. Also returns `undefined` for a drag with a stored drop target. Throws other errors.
 */
export async function replayAtPath(
  call: StepCall,
  stored: StoredStep,
  timeout: number,
): Promise<ReplayedStep | undefined> {
  // For a drag, both elements would have to match before the button is pressed.
  if (stored.goal) return undefined;
  const { selector } = stored.action;
  const { main } = call.context.page.target.frames;
  const target = { frame: main, element: { selector }, label: selector };
  const url = call.context.mask(call.context.page.url());
  const done = await performed(call, { ...stored.action, target, expected: stored.fingerprint, timeout });
  if (done) call.context.known.remember(url, done.action.selector, stored);
  return done && { done: identified(done, stored), stored };
}

/**
 * Searches the page for the step's elements and runs the step on them. Returns `undefined` if a match is not certain or
 * the element received no input.
 */
export async function replayByFingerprint(
  call: StepCall,
  step: StoredStep,
  by: SoughtBy,
): Promise<ReplayedStep | undefined> {
  const [recognized] = await recognizedElements(call, [step], by);
  return recognized && replayOn(call, step, recognized);
}

/**
 * Finds the elements of stored steps on the current page. With `selfHeal: false`, accepts only elements at their stored
 * XPath.
 */
export async function recognizedElements(
  { progress, context }: StepCall,
  steps: readonly StoredStep[],
  { instruction, mask }: SoughtBy,
): Promise<readonly (Recognized | undefined)[]> {
  const page = context.page.target;
  await settlePage(progress, page, context.domSettleTimeout);
  const ends = steps.flatMap((step) => (step.goal ? [step, goalAsStep(step, step.goal)] : [step]));
  const { recognitions } = await findStored(progress, { page, steps: ends, instruction, mask });
  const found = new Map(ends.map((end, index) => [end, recognitions[index]]));
  const known = (end: StoredStep | undefined): Recognition<LiveCandidate> | undefined => {
    const recognition = end && found.get(end);
    return context.selfHeal || recognition?.signs.includes('place') ? recognition : undefined;
  };
  return steps.map((step) => {
    const element = known(step);
    if (!element || !step.goal) return element && { element };
    const goal = known(ends[ends.indexOf(step) + 1]);
    return goal && { element, goal };
  });
}

/**
 * Runs a step on recognized elements. Returns `undefined` if the element received no input: it has left the page, or
 * was not actionable within 1 s. Throws other errors.
 */
export async function replayOn(
  call: StepCall,
  was: StoredStep,
  recognized: Recognized,
): Promise<ReplayedStep | undefined> {
  const { target, path, frame, fingerprint } = recognized.element.candidate;
  const { goal } = recognized;
  const args = goal ? [`xpath=${goal.candidate.path}`] : was.action.arguments;
  const action = { ...was.action, arguments: args };
  const done = await performed(call, { ...action, target, dropTarget: goal?.candidate.target, timeout: TIMEOUT_MS });
  const stored = {
    action: { ...action, selector: `xpath=${path}` },
    frame,
    fingerprint: was.fingerprint.isOn === undefined ? withoutState(fingerprint) : fingerprint,
    ...(goal && { goal: { frame: goal.candidate.frame, fingerprint: withoutState(goal.candidate.fingerprint) } }),
  };
  return done && { done: identified(done, stored), stored, recognition: { ...recognized, was } };
}

/** Adds the stored fingerprints to a completed step, so that the page does not compute them again. */
function identified(done: DoneStep, { fingerprint, goal }: StoredStep): DoneStep {
  return { ...done, outcome: { ...done.outcome, fingerprint }, ...(goal && { goal }) };
}

/**
 * Runs the step. Returns `undefined` if its element received no input: the error is healable, or the method does not
 * accept the arguments, which someone may have edited.
 */
async function performed({ progress, context, variables }: StepCall, step: Step): Promise<DoneStep | undefined> {
  try {
    return await performStep(progress, context, { step: { ...step, rest: REST }, variables });
  } catch (error) {
    if (!isHealable(error) && !(error instanceof DriverInvalidArgumentError)) throw error;
    progress.throwIfEnded();
    progress.log(`not replayed: ${error.message}`);
    return undefined;
  }
}

/** True if two recognitions lead to the same elements. */
export function isSameTarget(one: Recognized, other: Recognized): boolean {
  return isSameElement(one.element, other.element) && isSameElement(one.goal, other.goal);
}

function isSameElement(one?: Recognition<LiveCandidate>, other?: Recognition<LiveCandidate>): boolean {
  const [a, b] = [one?.candidate, other?.candidate];
  return a?.path === b?.path && a?.target.frame === b?.target.frame;
}

/** Logs a step whose elements have moved. */
export function logIfMoved({ context }: StepCall, { done, stored, recognition }: ReplayedStep): void {
  if (!recognition) return;
  const { element, goal, was } = recognition;
  const [from = '', to = ''] = [was.action.arguments[0], stored.action.arguments[0]];
  const moves = [
    moveOf(elementPhrase(done.outcome.element), element, [was.action.selector, stored.action.selector]),
    ...(goal ? [moveOf(`the drop target, ${phraseOf(goal)},`, goal, [from, to])] : []),
  ].filter((move) => move !== undefined);
  if (moves.length > 0) context.log.write('act', 1, `Healed: ${moves.join('; ')}`);
}

function moveOf(
  phrase: string,
  { signs }: Recognition<LiveCandidate>,
  [was, now]: readonly [string, string],
): string | undefined {
  if (signs.includes('place')) return undefined;
  return `${phrase} found by ${new Intl.ListFormat('en').format(signs)}; was ${was}, now ${now}`;
}

function phraseOf({ candidate: { fingerprint } }: Recognition<LiveCandidate>): string {
  return `${fingerprint.role} ${JSON.stringify(fingerprint.name)}`;
}
