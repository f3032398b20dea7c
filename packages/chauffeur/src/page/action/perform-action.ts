import type { PageTarget } from '../../cdp/page-target.ts';
import { DriverClickError } from '../../errors.ts';
import type { SettleReport } from '../../injected/contract.ts';
import { handledElsewhere } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { ActionWatch } from './action-watch.ts';
import type { ActionEffect, ActionOutcome, ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import { frameXPath } from './frame-xpath.ts';
import { type ActionMethod, actionMethod } from './methods.ts';
import { prepareTarget } from './prepare-target.ts';
import { settleAfterAction, settleDocument, type SettleOutcome } from './settle-page.ts';

/** How long a trusted event may take from the browser to its element before it counts as lost. */
const EVENT_TIMEOUT_MS = 1000;
/** How often an action is aimed anew when the element moved away from under the pointer. */
const MAX_AIMS = 3;

/**
 * Carries out one action as a person would: waits for the element, sends trusted input, waits until the page
 * has come to rest, and says what changed.
 */
export async function performAction(
  progress: Progress,
  page: PageTarget,
  target: ActionTarget,
  action: ElementAction,
): Promise<ActionOutcome> {
  const method = actionMethod(action.method, action.arguments);
  for (let aim = 1; ; aim += 1) {
    const ready = await prepareTarget(progress, page, target, {
      action: method.prepare,
      timeout: action.elementTimeout,
      force: action.force ?? false,
      isReported: action.isReported,
      position: action.pointer?.position,
      expected: action.expected,
      isIdentified: action.isIdentified,
    });
    progress.throwIfEnded();
    const attempt = await carryOut({ progress, page, ready, method, action });
    if (attempt.misdirected === undefined) return attempt.outcome;
    progress.log(`the ${action.method} would have hit ${attempt.misdirected} and was stopped`);
    if (aim === MAX_AIMS) throw await missed(progress, ready, attempt.misdirected);
  }
}

interface Attempt {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly method: ActionMethod;
  readonly action: ElementAction;
}

/** Input, the wait for quiet and the XPath go out together: one round trip on a page that stays as it is. */
async function carryOut({
  progress,
  page,
  ready,
  method,
  action,
}: Attempt): Promise<{ misdirected: string | undefined; outcome: ActionOutcome }> {
  using watch = new ActionWatch(page);
  const frameUrl = ready.frame.parent ? ready.frame.url : '';
  const pathToFrame = frameXPath(progress, ready.frame);
  const isDone = method.isDone?.(ready) ?? false;
  const sent = isDone ? Promise.resolve() : progress.race(method.run({ progress, page, ready, action }));
  const eventTimeout = method.sendsInput && !isDone ? EVENT_TIMEOUT_MS : 0;
  const settling =
    action.settleTimeout > 0
      ? { timeout: action.settleTimeout, keepsWatching: true }
      : { timeout: eventTimeout, frames: 0 };
  const first = settleDocument(progress, ready.world, { ...settling, eventTimeout });
  // When the input fails, nobody asks for the other two any more.
  for (const other of [first, pathToFrame]) other.catch(handledElsewhere);
  const answer = await sentUnlessGone(sent, watch);
  const settled = await settleAfterAction(progress, {
    page,
    frame: ready.frame,
    watch,
    first,
    timeout: action.settleTimeout,
  });
  return {
    misdirected: settled.reports[0]?.misdirected,
    outcome: {
      element: ready.element,
      xpath: (await pathToFrame) + ready.element.xpath,
      effect: effectOf(settled, watch),
      notes: notesOf(settled, watch, action.settleTimeout),
      values: valuesOf(answer),
      fingerprint: ready.fingerprint,
      frameUrl,
    },
  };
}

/** A page that navigates or closes under the input may never acknowledge it; that is an effect, not a fault. */
async function sentUnlessGone(sent: Promise<unknown>, watch: ActionWatch): Promise<unknown> {
  try {
    return await sent;
  } catch (error) {
    if (!watch.hasEndedDocument(error)) throw error;
    return undefined;
  }
}

/** Commands answer with objects, or lists of them; only options are told by their values. */
function valuesOf(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((value) => typeof value === 'string') : [];
}

function effectOf({ reports }: SettleOutcome, watch: ActionWatch): ActionEffect {
  if (watch.hasNavigated) return 'navigated';
  if (watch.hasOpened || reports.some((report) => report.opened !== undefined)) return 'opened';
  return watch.hasMoved || reports.some(hasChanged) ? 'changed' : 'none-observed';
}

function hasChanged(report: SettleReport): boolean {
  return report.targetChanged || report.mutations > 0;
}

function notesOf({ reports, isQuiet }: SettleOutcome, watch: ActionWatch, settleTimeout: number): string[] {
  const notes = [...watch.notes];
  for (const { opened, announced } of reports) {
    if (opened) notes.push(`${opened} opened`);
    notes.push(...announced.map((text) => `the page says ${JSON.stringify(text)}`));
  }
  if (!isQuiet && settleTimeout > 0) notes.push('the page had not come to rest when the time for that was up');
  return [...new Set(notes)];
}

async function missed(
  progress: Progress,
  { world, element, target }: ReadyElement,
  other: string,
): Promise<DriverClickError> {
  const described = await progress.race(world.call('describe', { ref: element.ref }));
  const message = `Cannot hit ${taggedPhrase(described ?? element)}: at the moment of the event, ${other} was in its place.`;
  return new DriverClickError(message, { selector: target.label, cover: other, callLog: progress.callLog });
}
