import {
  logIfMoved,
  replayAtPath,
  replayByFingerprint,
  type ReplayedStep,
  type StepCall,
} from '../../verb/replay-step.ts';
import { DriverError } from '../../errors.ts';
import { ActionTrace } from '../../actions/action-trace.ts';
import type { ActionEffect } from '../../actions/element-action.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import { followingPages } from '../../tools/follow-pages.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { errorSentence } from '../../util/error-facts.ts';
import type { Progress } from '../../util/progress.ts';
import { framePlace, type StoredStep } from '../../replay/stored-step.ts';
import { recordedCallFault, type RecordedTask, recordedToolFault } from '../../policy/recorded-calls.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Task } from '../task.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { framesAround } from '../script/find-locating.ts';
import { isSaidBy } from '../script/locating.ts';
import { byPath } from './element-steps.ts';
import { CALLED_AGAIN, phraseOfStep, recordedCall, type RecordedElement, type RecordedStep } from './recorded-step.ts';
import { canonicalMethod } from '../../actions/methods.ts';
import { FrameObserver } from '../../actions/frame-observer.ts';
import { observeEffect } from '../../actions/observe-effect.ts';
import { settleDocument } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';

/** A step to replay, and its context. */
export interface StepToPlay {
  readonly task: Task;
  readonly context: ToolContext;
  readonly step: RecordedStep;
  /** Pages of the run so far, in order of first use. */
  readonly pages: readonly ToolContext['page'][];
  /** The task. Its words help to tell similar elements apart. */
  readonly instruction: string;
}

/** Result of a step: `done` with the step to store from now on, or `unfit` with the reason. */
export type PlayedAgain =
  | { readonly kind: 'done'; readonly step: RecordedStep; readonly outcome: ToolOutcome }
  /** Has `done` if the step ran, but with another effect than recorded. */
  | {
      readonly kind: 'unfit';
      readonly why: string;
      readonly done?: { readonly step: RecordedStep; readonly outcome: ToolOutcome };
    };

/** Replays a step if the page still has its element, and checks that the effect is the recorded one. */
export async function playRecorded(run: Progress, play: StepToPlay): Promise<PlayedAgain> {
  const { step, context } = play;
  using trace = new ActionTrace(context.page.target);
  try {
    const { outcome, element } = step.element
      ? await playOnElement(play, step.element)
      : { outcome: await callAgain(play), element: undefined };
    if (outcome.isError) return { kind: 'unfit', why: outcome.text };
    const effect = await effectOf(play, outcome, trace);
    const done = { step: { ...step, ...(element && { element }) }, outcome };
    if (!effectFits(step.effect, effect, methodOf(step)))
      return { kind: 'unfit', why: `its recorded effect was "${step.effect}", and is "${effect}" now`, done };
    return { kind: 'done', ...done };
  } catch (error) {
    run.throwIfEnded();
    if (!(error instanceof DriverError)) throw error;
    return { kind: 'unfit', why: errorSentence(error).replace(/\.$/, '') };
  }
}

/** Methods that set a state. They have no effect if the element already has that state. */
const SETTING: ReadonlySet<string> = new Set(
  'fill check uncheck select hover focus scrollTo scrollBy nextChunk prevChunk'.split(' '),
);

/**
 * True if the observed effect of a step matches the recorded one. The observed effect can also be a change that came
 * too late for the recording. A field that already has the value has no effect.
 */
export function effectFits(was: ActionEffect | undefined, now: ActionEffect | undefined, method: string): boolean {
  if (was === undefined || was === now) return true;
  if (was === 'none-observed') return now === 'changed';
  return was === 'changed' && now === 'none-observed' && SETTING.has(canonicalMethod(method) ?? method);
}

/** Returns the observed effect of a step. If an expected effect is missing, waits longer for it. */
async function effectOf(
  { step, context }: StepToPlay,
  { effect }: ToolOutcome,
  trace: ActionTrace,
): Promise<ActionEffect | undefined> {
  const { progress, page, verbs } = context;
  const isMissing = effect === 'none-observed' && !effectFits(step.effect, effect, methodOf(step));
  if (!isMissing || page.isClosed()) return effect;
  const late = await lateEffect(progress, { page, trace, settleTimeout: verbs.domSettleTimeout });
  // Whether a change opens something can only be observed while it happens.
  return late === 'changed' && step.effect === 'opened' ? 'opened' : late;
}

/** Extra time in ms for the effect of a step that had one in the recorded run. */
const LATE_EFFECT_MS = 1500;

/** A step without an observed effect. */
interface LateStep {
  readonly page: Page;
  /** Records the changes of the page since the step started. */
  readonly trace: ActionTrace;
  /** Maximum time in ms for the page to settle. */
  readonly settleTimeout: number;
}

/** Waits longer for the effect of a step that had none yet. Counts all changes since the step started. */
function lateEffect(progress: Progress, { page, trace, settleTimeout }: LateStep): Promise<ActionEffect> {
  const { target } = page;
  return target.takeTurn(progress, 'waiting for a late effect', async (turn) => {
    const frame = target.frames.main;
    const others = new FrameObserver(target, turn.owner);
    const timeout = LATE_EFFECT_MS + settleTimeout;
    const scope = { trace, frame, others, turn, timeout };
    const { effect } = await observeEffect(progress, target, scope, async () => {
      const world = await progress.race(frame.worlds.isolated);
      // Without an `owner`, the wait uses the observers of the step's own action.
      const late = { timeout, eventTimeout: 0, keepsWatching: true, isLate: true, lateTime: LATE_EFFECT_MS };
      return { first: settleDocument(progress, world, { ...late, until: trace.opening }) };
    });
    return effect;
  });
}

function methodOf({ tool, element }: RecordedStep): string {
  return element?.step.action.method ?? tool;
}

interface ElementPlayed {
  readonly outcome: ToolOutcome;
  readonly element: RecordedElement | undefined;
}

async function playOnElement(play: StepToPlay, element: RecordedElement): Promise<ElementPlayed> {
  const { context, step } = play;
  const { verbs, variables, progress } = context;
  const { method, arguments: args } = element.step.action;
  const issues = method === 'upload' ? args.map((path) => context.fileIssue(path)) : [];
  const fault =
    (await recordedCallFault(recordedCall(step.tool, element), recordedTask(play))) ??
    variables.faultIn(args) ??
    issues.find((found) => found !== null);
  if (fault) return { outcome: failed(fault), element: undefined };
  const call: StepCall = { progress, context: verbs, variables };
  let played: ReplayedStep | undefined;
  const outcome = await followingPages(context, async () => {
    played = await playWhereverItIs(call, element.step, play);
    if (!played) return failed(`the page has no usable ${elementWords(element)} that matches the recorded one`);
    logIfMoved(call, played);
    const { effect } = played.done.outcome;
    return { text: `Done, cached: ${phraseOfStep(step)}.`, effect, step: played.done };
  });
  if (!played) return { outcome, element: undefined };
  return { outcome, element: await recordedElement(context.page.target, element, played) };
}

/** The task and the page for the policy. The page is read only if the policy needs it. */
function recordedTask({ task, context: { variables, progress, page } }: StepToPlay): RecordedTask {
  const readPage = (): Promise<Snapshot> => takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  return { instruction: task.instruction, variables, page: readPage };
}

/**
 * Returns the element to store. Keeps the recorded locator only if the page confirms it, because someone may have
 * edited the cache.
 */
async function recordedElement(
  page: PageTarget,
  { locating, goal }: RecordedElement,
  { stored, done }: ReplayedStep,
): Promise<RecordedElement> {
  const isInFrame = await hasFrames(page, locating.frames, done.outcome.frameUrl);
  const isOwn = isInFrame && isSaidBy({ ...locating, frames: [] }, stored.fingerprint);
  const found = { step: stored, locating: isOwn ? locating : byPath(done) };
  const [drop = ''] = stored.action.arguments;
  if (!goal || !stored.goal) return found;
  const isOwnGoal = stored.goal.frame === '' && isSaidBy(goal, stored.goal.fingerprint);
  return { ...found, goal: isOwnGoal ? goal : { frames: [], by: 'selector', value: drop } };
}

/** True if these selectors lead to the only frame with this URL. The URL `''` means the main frame. */
async function hasFrames({ frames }: PageTarget, recorded: readonly string[], url: string): Promise<boolean> {
  if (url === '') return recorded.length === 0;
  const [frame, ...others] = frames.frames.filter((one) => one.parent && one.url === url);
  if (!frame || others.length > 0) return false;
  return JSON.stringify(await framesAround(frame)) === JSON.stringify(recorded);
}

/** Minimum time in ms for the element of a step to appear. */
const MIN_TIMEOUT_MS = 1000;
/** Maximum time in ms. If the recorded run waited longer, it waited for the model. */
const MAX_TIMEOUT_MS = 10_000;

/**
 * Replays the step at its stored XPath, then anywhere on the page. If the element is missing, waits for it as long as
 * the recorded run took.
 */
async function playWhereverItIs(
  call: StepCall,
  stored: StoredStep,
  { step: { waited }, instruction }: StepToPlay,
): Promise<ReplayedStep | undefined> {
  const by = { instruction, mask: call.context.mask };
  const timeout = Math.min(Math.max(waited, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS);
  return (
    (await replayAtPath(call, stored, 0)) ??
    (await replayByFingerprint(call, stored, by)) ??
    (await replayAtPath(call, stored, timeout)) ??
    (await replayByFingerprint(call, stored, by))
  );
}

function elementWords({ step: { fingerprint } }: RecordedElement): string {
  return fingerprint.name === '' ? fingerprint.role : `${fingerprint.role} ${JSON.stringify(fingerprint.name)}`;
}

/** Repeats a step without an element: calls its tool again. Some tools require a page with a similar URL. */
async function callAgain(play: StepToPlay): Promise<ToolOutcome> {
  const { task, context, step } = play;
  const tool = CALLED_AGAIN.has(step.tool) ? task.tools.find(({ name }) => name === step.tool) : undefined;
  if (!tool) return failed(`the tool ${step.tool} is excluded`);
  const { page, verbs } = context;
  if (ON_PAGE.has(step.tool) && !isSamePlace(verbs.mask(page.url()), step.url))
    return failed(`it was recorded on ${step.url}`);
  if (step.isFromPage && !(await showsAddress(step, context)))
    return failed(`the page has no link to ${String(step.input['url'])}`);
  const call = {
    ...step,
    focused: step.focused,
    openUrl: verbs.mask(page.url()),
    isAddressShown: step.isFromPage === true,
  };
  const fault = await recordedToolFault(call, recordedTask(play));
  if (fault !== null) return failed(fault);
  const input = step.tool === 'tabs' ? tabsInput(play) : step.input;
  return input ? tool.run(context, withServerOfNow(input, play)) : failed('the page to close is not open');
}

/** Replaces the index of the page to close with its current number. */
function tabsInput({ context, step, pages }: StepToPlay): RecordedStep['input'] | undefined {
  const { what, page } = step.input;
  if (what !== 'close') return step.input;
  const closed = pages[Number(page)];
  const number = closed ? context.browser.pages().indexOf(closed) + 1 : 0;
  return number > 0 ? { what, number } : undefined;
}

const ON_THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Uses the port of the current page for a URL on this machine, because a local server can have another port in each
 * run. A port in the task takes precedence.
 */
function withServerOfNow(input: RecordedStep['input'], { context, task }: StepToPlay): RecordedStep['input'] {
  const { url: address } = input;
  const here = context.page.url();
  if (typeof address !== 'string' || !URL.canParse(address) || !URL.canParse(here)) return input;
  const [url, { hostname, port }] = [new URL(address), new URL(here)];
  if (!ON_THIS_MACHINE.test(hostname) || url.hostname !== hostname || task.instruction.includes(url.host)) return input;
  url.port = port;
  return { ...input, url: url.href };
}

/** Tools whose effect depends on the current page. */
const ON_PAGE: ReadonlySet<string> = new Set(['press', 'scroll', 'back']);

/** True if a URL equals the recorded one, except for numbers and generated IDs. */
export function isSamePlace(url: string, place: string): boolean {
  return kindOfPlace(framePlace(url)) === kindOfPlace(place);
}

function kindOfPlace(place: string): string {
  return place.replace(/\d+|(?<=\/)[0-9a-f-]{8,}(?=\/|$)/gi, '#');
}

async function showsAddress({ input }: RecordedStep, { progress, page, variables }: ToolContext): Promise<boolean> {
  const { urls } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  return urls.includes(variables.expand(String(input['url']), 'driver'));
}
