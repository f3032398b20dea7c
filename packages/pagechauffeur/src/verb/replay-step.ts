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

/** The call that a step belongs to. */
export interface StepCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
}

/** A stored step that was carried out. */
export interface ReplayedStep {
  readonly done: DoneStep;
  /** The step as it is to be stored from now on. */
  readonly stored: StoredStep;
  /** The step as it was stored, and what told that these were the right elements; undefined when they were where they had been. */
  readonly recognition?: Recognized & { readonly was: StoredStep };
}

/** The elements of a step as they are on the page now. */
export interface Recognized {
  readonly element: Recognition<LiveCandidate>;
  /** Of a drag, what is dropped on. */
  readonly goal?: Recognition<LiveCandidate>;
}

/** What stored elements are looked for by, besides themselves. */
export interface SoughtBy {
  readonly instruction: string;
  /** A text of the page as stored texts are written. */
  readonly mask: (text: string) => string;
}

/** An element that was found on a page at rest and cannot be acted on now is not waited for any longer. */
const PATIENCE_MS = 1000;
/** What is done again is known to have been enough; the next step waits for its own element. */
const REST = { frames: 1 };

/** Carries out a step where it was, when the element there is the one that is meant, which the page itself finds out. */
export async function replayAtPath(
  call: StepCall,
  stored: StoredStep,
  patience: number,
): Promise<ReplayedStep | undefined> {
  // Two ends would have to be compared before the drag begins.
  if (stored.goal) return undefined;
  const { selector } = stored.action;
  const { main } = call.context.page.target.frames;
  const target = { frame: main, element: { selector }, label: selector };
  const url = call.context.mask(call.context.page.url());
  const done = await performed(call, { ...stored.action, target, expected: stored.fingerprint, patience });
  if (done) call.context.known.remember(url, done.action.selector, stored);
  return done && { done: identified(done, stored), stored };
}

/** Carries out a step where its elements are now, when they are known for certain. */
export async function replayByFingerprint(
  call: StepCall,
  step: StoredStep,
  by: SoughtBy,
): Promise<ReplayedStep | undefined> {
  const [recognized] = await recognizedElements(call, [step], by);
  return recognized && replayOn(call, step, recognized);
}

/** Which elements of the page the steps were done to; without self-heal only those that are where they were. */
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

/** Carries out a step on elements that were recognized; nothing when they cannot be acted on. */
export async function replayOn(
  call: StepCall,
  was: StoredStep,
  recognized: Recognized,
): Promise<ReplayedStep | undefined> {
  const { target, path, frame, fingerprint } = recognized.element.candidate;
  const { goal } = recognized;
  const args = goal ? [`xpath=${goal.candidate.path}`] : was.action.arguments;
  const action = { ...was.action, arguments: args };
  const done = await performed(call, { ...action, target, dropTarget: goal?.candidate.target, patience: PATIENCE_MS });
  const stored = {
    action: { ...action, selector: `xpath=${path}` },
    frame,
    fingerprint: was.fingerprint.isOn === undefined ? withoutState(fingerprint) : fingerprint,
    ...(goal && { goal: { frame: goal.candidate.frame, fingerprint: withoutState(goal.candidate.fingerprint) } }),
  };
  return done && { done: identified(done, stored), stored, recognition: { ...recognized, was } };
}

/** The step with what its elements are known by, which need not be asked for again. */
function identified(done: DoneStep, { fingerprint, goal }: StoredStep): DoneStep {
  return { ...done, outcome: { ...done.outcome, fingerprint }, ...(goal && { goal }) };
}

/** The step carried out; undefined when its element is not there or cannot be acted on. */
async function performed({ progress, context, variables }: StepCall, step: Step): Promise<DoneStep | undefined> {
  try {
    return await performStep(progress, context, { step: { ...step, rest: REST }, variables });
  } catch (error) {
    if (!isHealable(error)) throw error;
    progress.throwIfEnded();
    progress.log(`not done again: ${error.message}`);
    return undefined;
  }
}

/** Whether two recognitions mean the same elements. */
export function isSameTarget(one: Recognized, other: Recognized): boolean {
  return isSameElement(one.element, other.element) && isSameElement(one.goal, other.goal);
}

function isSameElement(one?: Recognition<LiveCandidate>, other?: Recognition<LiveCandidate>): boolean {
  const [a, b] = [one?.candidate, other?.candidate];
  return a?.path === b?.path && a?.target.frame === b?.target.frame;
}

/** One line of the log for a step whose elements are no longer where they were. */
export function logIfMoved({ context }: StepCall, { done, stored, recognition }: ReplayedStep): void {
  if (!recognition) return;
  const { element, goal, was } = recognition;
  const [from = '', to = ''] = [was.action.arguments[0], stored.action.arguments[0]];
  const moves = [
    moveOf(elementPhrase(done.outcome.element), element, [was.action.selector, stored.action.selector]),
    ...(goal ? [moveOf(`the place to drop it, ${phraseOf(goal)},`, goal, [from, to])] : []),
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
