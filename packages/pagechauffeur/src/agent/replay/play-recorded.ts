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
import { normalizedFrameUrl, type StoredStep } from '../../replay/stored-step.ts';
import { recordedCallFault, type RecordedTask, recordedToolFault } from '../../policy/recorded-calls.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Task } from '../task.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { framesAround } from '../script/find-locating.ts';
import { isConfirmedBy } from '../script/locating.ts';
import { byPath } from './element-steps.ts';
import {
  REPEATED_TOOLS,
  phraseOfStep,
  recordedCall,
  type RecordedElement,
  type RecordedStep,
} from './recorded-step.ts';
import { canonicalMethod } from '../../actions/methods.ts';
import { FrameObserver } from '../../actions/frame-observer.ts';
import { observeEffect } from '../../actions/observe-effect.ts';
import { settleDocument } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';

export interface StepReplay {
  readonly task: Task;
  readonly context: ToolContext;
  readonly step: RecordedStep;
  /** Pages of the run, in order of first use. */
  readonly pages: readonly ToolContext['page'][];
  /** The task. Its words help to tell similar elements apart. */
  readonly instruction: string;
}

/** `done`: the step ran; `step` has its current XPath. `unfit`: the page does not match the recording. */
export type StepReplayResult =
  | { readonly kind: 'done'; readonly step: RecordedStep; readonly outcome: ToolOutcome }
  /** `done` is set if the step ran with another effect than recorded. */
  | {
      readonly kind: 'unfit';
      readonly why: string;
      readonly done?: { readonly step: RecordedStep; readonly outcome: ToolOutcome };
    };

/** Runs a recorded step if the page still has its element, and compares the effect with the recorded one. */
export async function replayRecordedStep(run: Progress, play: StepReplay): Promise<StepReplayResult> {
  const { step, context } = play;
  using trace = new ActionTrace(context.page.target);
  try {
    const { outcome, element } = step.element
      ? await replayOnElement(play, step.element)
      : { outcome: await callTool(play), element: undefined };
    if (outcome.isError) return { kind: 'unfit', why: outcome.text };
    const effect = await effectOf(play, outcome, trace);
    const done = { step: { ...step, ...(element && { element }) }, outcome };
    if (!effectFits(step.effect, effect, methodOf(step)))
      return { kind: 'unfit', why: `its effect was "${step.effect}" in the recorded run and is "${effect}" now`, done };
    return { kind: 'done', ...done };
  } catch (error) {
    run.throwIfEnded();
    if (!(error instanceof DriverError)) throw error;
    return { kind: 'unfit', why: errorSentence(error).replace(/\.$/, '') };
  }
}

/** Methods without an effect if the element already has the requested value, state, focus or scroll position. */
const SETTING: ReadonlySet<string> = new Set(
  'fill check uncheck select hover focus scrollTo scrollBy nextChunk prevChunk'.split(' '),
);

/**
 * True if the effect matches the recording. Two differences are allowed: a change that came too late for the recording,
 * and no change because the element already had the state.
 */
export function effectFits(was: ActionEffect | undefined, now: ActionEffect | undefined, method: string): boolean {
  if (was === undefined || was === now) return true;
  if (was === 'none-observed') return now === 'changed';
  return was === 'changed' && now === 'none-observed' && SETTING.has(canonicalMethod(method) ?? method);
}

/** Returns the effect of a step. Waits longer if the recorded effect is missing. */
async function effectOf(
  { step, context }: StepReplay,
  { effect }: ToolOutcome,
  trace: ActionTrace,
): Promise<ActionEffect | undefined> {
  const { progress, page, verbs } = context;
  const isMissing = effect === 'none-observed' && !effectFits(step.effect, effect, methodOf(step));
  if (!isMissing || page.isClosed()) return effect;
  const late = await lateEffect(progress, { page, trace, settleTimeout: verbs.domSettleTimeout });
  // A late change cannot be classified as `opened`, so the recorded effect is assumed.
  return late === 'changed' && step.effect === 'opened' ? 'opened' : late;
}

/** Extra time in ms to wait for the recorded effect. */
const LATE_EFFECT_MS = 1500;

interface LateStep {
  readonly page: Page;
  readonly trace: ActionTrace;
  readonly settleTimeout: number;
}

function lateEffect(progress: Progress, { page, trace, settleTimeout }: LateStep): Promise<ActionEffect> {
  const { target } = page;
  return target.takeTurn(progress, 'waiting for a late effect', async (turn) => {
    const frame = target.frames.main;
    const otherFrames = new FrameObserver(target, turn.owner);
    const timeout = LATE_EFFECT_MS + settleTimeout;
    const scope = { trace, frame, otherFrames, turn, timeout };
    const { effect } = await observeEffect(progress, target, scope, async () => {
      const world = await progress.race(frame.worlds.isolated);
      // Without `owner`, the settle request reuses the observers of the step's action.
      const late = { timeout, eventTimeout: 0, isLate: true, lateTime: LATE_EFFECT_MS };
      return { first: settleDocument(progress, world, { ...late, until: trace.opening }) };
    });
    return effect;
  });
}

function methodOf({ tool, element }: RecordedStep): string {
  return element?.step.action.method ?? tool;
}

interface ElementResult {
  readonly outcome: ToolOutcome;
  readonly element: RecordedElement | undefined;
}

async function replayOnElement(play: StepReplay, element: RecordedElement): Promise<ElementResult> {
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
    played = await replayAnywhere(call, element.step, play);
    if (!played) return failed(`no actionable ${elementText(element)} on the page matches the recorded one`);
    logIfMoved(call, played);
    const { effect } = played.done.outcome;
    return { text: `Done, cached: ${phraseOfStep(step)}.`, effect, step: played.done };
  });
  if (!played) return { outcome, element: undefined };
  return { outcome, element: await recordedElement(context.page.target, element, played) };
}

/** Input for the policy. Takes a snapshot only if the policy asks for one. */
function recordedTask({ task, context: { variables, progress, page } }: StepReplay): RecordedTask {
  const readPage = (): Promise<Snapshot> => takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  return { instruction: task.instruction, variables, page: readPage };
}

/**
 * Returns the element to store. Keeps the recorded locator only if the page confirms it, because cache files can be
 * edited.
 */
async function recordedElement(
  page: PageTarget,
  { locating, goal }: RecordedElement,
  { stored, done }: ReplayedStep,
): Promise<RecordedElement> {
  const isInFrame = await hasFrames(page, locating.frames, done.outcome.frameUrl);
  const isOwn = isInFrame && isConfirmedBy({ ...locating, frames: [] }, stored.fingerprint);
  const found = { step: stored, locating: isOwn ? locating : byPath(done) };
  const [drop = ''] = stored.action.arguments;
  if (!goal || !stored.goal) return found;
  const isOwnGoal = stored.goal.frame === '' && isConfirmedBy(goal, stored.goal.fingerprint);
  return { ...found, goal: isOwnGoal ? goal : { frames: [], by: 'selector', value: drop } };
}

/** True if the selectors lead to the only frame with this URL. `''` is the main frame. */
async function hasFrames({ frames }: PageTarget, recorded: readonly string[], url: string): Promise<boolean> {
  if (url === '') return recorded.length === 0;
  const [frame, ...others] = frames.frames.filter((one) => one.parent && one.url === url);
  if (!frame || others.length > 0) return false;
  return JSON.stringify(await framesAround(frame)) === JSON.stringify(recorded);
}

/** Minimum time in ms to wait for an element. */
const MIN_TIMEOUT_MS = 1000;
/** Maximum time in ms to wait for an element. Longer pauses in the recording were model calls. */
const MAX_TIMEOUT_MS = 10_000;

/**
 * Tries the stored XPath, then the whole page. If both fail, waits as long as the recorded run did and tries both
 * again.
 */
async function replayAnywhere(
  call: StepCall,
  stored: StoredStep,
  { step: { waited }, instruction }: StepReplay,
): Promise<ReplayedStep | undefined> {
  const by = { instruction, mask: call.context.mask };
  const timeout = Math.min(Math.max(waited, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS);
  return (
    (await replayAtPath(call, stored, { timeout: 0 })) ??
    (await replayByFingerprint(call, stored, by)) ??
    (await replayAtPath(call, stored, { timeout })) ??
    (await replayByFingerprint(call, stored, by))
  );
}

function elementText({ step: { fingerprint } }: RecordedElement): string {
  return fingerprint.name === '' ? fingerprint.role : `${fingerprint.role} ${JSON.stringify(fingerprint.name)}`;
}

/** Repeats a step without an element by calling its tool again. */
async function callTool(play: StepReplay): Promise<ToolOutcome> {
  const { task, context, step } = play;
  const tool = REPEATED_TOOLS.has(step.tool) ? task.tools.find(({ name }) => name === step.tool) : undefined;
  if (!tool) return failed(`the tool ${step.tool} is excluded`);
  const { page, verbs } = context;
  if (ON_PAGE.has(step.tool) && !isSameUrlPattern(verbs.mask(page.url()), step.url))
    return failed(`the step was recorded on another page, ${step.url}`);
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

/** Converts the recorded page index to the current number of the page. */
function tabsInput({ context, step, pages }: StepReplay): RecordedStep['input'] | undefined {
  const { what, page } = step.input;
  if (what !== 'close') return step.input;
  const closed = pages[Number(page)];
  const number = closed ? context.browser.pages().indexOf(closed) + 1 : 0;
  return number > 0 ? { what, number } : undefined;
}

const ON_THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Replaces the port of a localhost URL with that of the current page, because a test server can have another port in
 * each run. Keeps a port that the task names.
 */
function withServerOfNow(input: RecordedStep['input'], { context, task }: StepReplay): RecordedStep['input'] {
  const { url: address } = input;
  const pageUrl = context.page.url();
  if (typeof address !== 'string' || !URL.canParse(address) || !URL.canParse(pageUrl)) return input;
  const [url, { hostname, port }] = [new URL(address), new URL(pageUrl)];
  if (!ON_THIS_MACHINE.test(hostname) || url.hostname !== hostname || task.instruction.includes(url.host)) return input;
  url.port = port;
  return { ...input, url: url.href };
}

/** Tools that are only called on a page with a similar URL. */
const ON_PAGE: ReadonlySet<string> = new Set(['press', 'scroll', 'back']);

/** True if two URLs differ only in numbers and generated IDs. */
export function isSameUrlPattern(url: string, otherUrl: string): boolean {
  return urlPattern(normalizedFrameUrl(url)) === urlPattern(otherUrl);
}

function urlPattern(otherUrl: string): string {
  return otherUrl.replace(/\d+|(?<=\/)[0-9a-f-]{8,}(?=\/|$)/gi, '#');
}

async function showsAddress({ input }: RecordedStep, { progress, page, variables }: ToolContext): Promise<boolean> {
  const { urls } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  return urls.includes(variables.expand(String(input['url']), 'driver'));
}
