import { shorten } from '../util/truncate.ts';
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

export interface StepCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
}

export interface ReplayedStep {
  readonly done: DoneStep;
  /** The step to store from now on. Its XPath can differ from the old one. */
  readonly stored: StoredStep;
  /** Set if the element was found by its fingerprint. `was` is the step as stored. */
  readonly recognition?: Recognized & { readonly was: StoredStep };
}

export interface Recognized {
  readonly element: Recognition<LiveCandidate>;
  /** The drop target of a drag. */
  readonly goal?: Recognition<LiveCandidate>;
}

export interface SearchOptions {
  readonly instruction: string;
  /** Masks variable values, so that page text can be compared with stored text. */
  readonly mask: (text: string) => string;
}

/** The page has settled, so an element that is not actionable yet is unlikely to become so. */
const TIMEOUT_MS = 1000;
/** The step succeeded before, and the next one waits for its own element. So one frame is enough. */
const ONE_FRAME = { frames: 1 };

/**
 * Runs a stored step at its XPath if the element there matches the fingerprint. The page checks this in the same round
 * trip. Returns `undefined` if the element received no input, and for a drag with a stored drop target. `timeout` in ms
 * limits the wait for the element.
 */
export async function replayAtPath(
  call: StepCall,
  stored: StoredStep,
  { timeout }: { readonly timeout: number },
): Promise<ReplayedStep | undefined> {
  // Both elements must match before the button is pressed, which takes a search.
  if (stored.goal) return undefined;
  const { selector } = stored.action;
  const { main } = call.context.page.target.frames;
  const target = { frame: main, element: { selector }, label: shorten(selector) };
  const url = call.context.mask(call.context.page.url());
  const done = await tryStep(call, { ...stored.action, target, expected: stored.fingerprint, timeout });
  if (done) call.context.known.remember(url, done.action.selector, stored);
  return done && { done: withFingerprints(done, stored), stored };
}

/**
 * Searches the page for the elements of a stored step and runs it. Returns `undefined` if no match is certain, or if
 * the element received no input.
 */
export async function replayByFingerprint(
  call: StepCall,
  step: StoredStep,
  by: SearchOptions,
): Promise<ReplayedStep | undefined> {
  const [recognized] = await recognizedElements(call, [step], by);
  return recognized && replayOn(call, step, recognized);
}

/** Finds the elements of stored steps. With `selfHeal: false`, accepts only elements at their stored XPath. */
export async function recognizedElements(
  { progress, context }: StepCall,
  steps: readonly StoredStep[],
  { instruction, mask }: SearchOptions,
): Promise<readonly (Recognized | undefined)[]> {
  const page = context.page.target;
  await settlePage(progress, page, context.domSettleTimeout);
  const ends = steps.flatMap((step) => (step.goal ? [step, goalAsStep(step, step.goal)] : [step]));
  const { recognitions } = await findStored(progress, { page, steps: ends, instruction, mask });
  const found = new Map(ends.map((end, index) => [end, recognitions[index]]));
  const known = (end: StoredStep | undefined): Recognition<LiveCandidate> | undefined => {
    const recognition = end && found.get(end);
    return context.selfHeal || recognition?.reasons.includes('place') ? recognition : undefined;
  };
  return steps.map((step) => {
    const element = known(step);
    if (!element || !step.goal) return element && { element };
    const goal = known(ends[ends.indexOf(step) + 1]);
    return goal && { element, goal };
  });
}

/**
 * Runs a step on elements that {@link recognizedElements} found. Returns `undefined` if the element received no input
 * within 1 s.
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
  const done = await tryStep(call, { ...action, target, dropTarget: goal?.candidate.target, timeout: TIMEOUT_MS });
  const stored = {
    action: { ...action, selector: `xpath=${path}` },
    frame,
    fingerprint: was.fingerprint.isOn === undefined ? withoutState(fingerprint) : fingerprint,
    ...(goal && { goal: { frame: goal.candidate.frame, fingerprint: withoutState(goal.candidate.fingerprint) } }),
  };
  return done && { done: withFingerprints(done, stored), stored, recognition: { ...recognized, was } };
}

/** Adds the stored fingerprints, because `performStep` requests none for a step with `expected`. */
function withFingerprints(done: DoneStep, { fingerprint, goal }: StoredStep): DoneStep {
  return { ...done, outcome: { ...done.outcome, fingerprint }, ...(goal && { goal }) };
}

/**
 * Returns `undefined` if the element received no input. Invalid arguments count as such, because cache files can be
 * edited.
 */
async function tryStep({ progress, context, variables }: StepCall, step: Step): Promise<DoneStep | undefined> {
  try {
    return await performStep(progress, context, { step: { ...step, requiredSettle: ONE_FRAME }, variables });
  } catch (error) {
    if (!isHealable(error) && !(error instanceof DriverInvalidArgumentError)) throw error;
    progress.throwIfEnded();
    progress.log(`not replayed: ${error.message}`);
    return undefined;
  }
}

export function isSameTarget(one: Recognized, other: Recognized): boolean {
  return isSameElement(one.element, other.element) && isSameElement(one.goal, other.goal);
}

function isSameElement(one?: Recognition<LiveCandidate>, other?: Recognition<LiveCandidate>): boolean {
  const [a, b] = [one?.candidate, other?.candidate];
  return a?.path === b?.path && a?.target.frame === b?.target.frame;
}

/** Logs the old and new XPath of elements that have moved. */
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
  { reasons }: Recognition<LiveCandidate>,
  [was, now]: readonly [string, string],
): string | undefined {
  if (reasons.includes('place')) return undefined;
  return `${phrase} found by ${new Intl.ListFormat('en').format(reasons)}; was ${was}, now ${now}`;
}

function phraseOf({ candidate: { fingerprint } }: Recognition<LiveCandidate>): string {
  return `${fingerprint.role} ${JSON.stringify(fingerprint.name)}`;
}
