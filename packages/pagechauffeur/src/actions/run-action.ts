import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { DocumentOrigin, RoleAndName, PrepareAction } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { endStroke } from './input/editor-keys.ts';
import { heldInput } from './input/held-input.ts';
import { KeyShield } from './input/key-shield.ts';
import { ActionTrace } from './action-trace.ts';
import { dispatchError, type DispatchFailure, failureOf, type FailedInput } from './dispatch-failures.ts';
import { dispatchInput, type DispatchedInput, type PreparedAction } from './dispatch-input.ts';
import type { ActionOutcome, ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { frameXPath } from '../snapshot/xpaths.ts';
import { FrameObserver } from './frame-observer.ts';
import { type ActionMethod, actionMethod } from './methods.ts';
import { observeEffect, type ObservedEffect } from './observe-effect.ts';
import { disarm, ElementSearch } from './prepare-target.ts';
import { awaitsSuggestions, listensToText, settleSuggestions } from './suggestions.ts';

/**
 * Share of the remaining time for settling. The rest is for the report, so that a page that never settles does not time
 * out the call.
 */
const SETTLING_SHARE = 0.8;
/** Input can miss again and again, for example if the element moves away before each click. */
const MAX_ATTEMPTS = 3;

interface TargetedAction extends ElementAction {
  readonly target: ActionTarget;
}

/**
 * Runs one action. Its arguments contain variable values instead of placeholders (`verb/perform-step.ts`). Policy and
 * cache are the callers' task:
 *
 * 1. Acquire the page lock. In one call, find the element, check that it is actionable and install the action's guards
 *    in the page: listeners that report input and stop it at other elements. If the element is not actionable within
 *    100 ms, or at once if another call waits for the lock, wait for it without the lock and start again
 *    (`ElementSearch`). The page removes the guards when it settles (`injected/acting/settling/settle.ts`). If the input is not
 *    sent or fails, this file removes them (`disarm`).
 * 2. Check the origin of the document, if a value is bound to one (`checkDocument`).
 * 3. If this element needs the checks of another kind of action, such as a click for an upload button, start again with
 *    those.
 * 4. Send the input. Nothing is sent if the element already has the requested state (`isDone`).
 * 5. Wait until the page settles. Actions of handlers that run meanwhile, such as those for dialogs, use this turn.
 * 6. Decide from the evidence whether the input reached the element. There are six ways to miss it
 *    (`dispatch-failures.ts`): `misdirected`, `lost`, `replaced`, `unfocused`, `late` and `locked`. The last four are
 *    about text: the field does not have it after it was sent. Then start again, up to 3 times in all. Each attempt
 *    finds the element again and has the full `elementTimeout`; the timeout of `progress` covers all of them.
 * 7. Confirm the result if the method requires it (`check` and `uncheck`), and report the effect.
 */
export async function runAction(
  progress: Progress,
  page: PageTarget,
  { target, ...action }: TargetedAction,
): Promise<ActionOutcome> {
  const method = actionMethod(action.method, action.arguments);
  method.check?.(action.arguments);
  let attempt: Attempt = { target, requiredRoleAndName: action.requiredRoleAndName, checks: method.checks };
  for (let failures = 0; ;) {
    const end = await runAttempt({ progress, page, method, action }, attempt);
    if (end.kind === 'done') return end.outcome;
    if (end.kind === 'failed') {
      failures += 1;
      progress.log(end.failure.describe(end));
      if (failures >= MAX_ATTEMPTS) throw await dispatchError(progress, end.failure, { ...end, attempts: failures });
    }
    attempt = nextAttempt(attempt, end);
  }
}

interface Attempt {
  readonly target: ActionTarget;
  /** The attempt runs only on an element with this role and name. */
  readonly requiredRoleAndName: RoleAndName | undefined;
  readonly checks: PrepareAction;
}

/** `needs-other-checks`: nothing was sent, because this element needs the checks of another kind of action. */
type AttemptEnd =
  | { readonly kind: 'done'; readonly outcome: ActionOutcome }
  | { readonly kind: 'needs-other-checks'; readonly checks: PrepareAction }
  | ({ readonly kind: 'failed'; readonly failure: DispatchFailure } & FailedInput);

function nextAttempt(last: Attempt, end: Exclude<AttemptEnd, { readonly kind: 'done' }>): Attempt {
  if (end.kind === 'needs-other-checks') return { ...last, checks: end.checks };
  const target = { element: last.target.element, requiredRoleAndName: last.requiredRoleAndName };
  const { element, requiredRoleAndName } = end.failure.nextElement?.(target, end.ready.element) ?? target;
  return { ...last, target: { ...last.target, element }, requiredRoleAndName };
}

type ActionCall = Pick<PreparedAction, 'progress' | 'page' | 'method' | 'action'>;

/**
 * The steps 1 to 7 of `runAction`, once. Keeps the page lock from the last check of the element until the effect is
 * reported.
 */
function runAttempt(call: ActionCall, attempt: Attempt): Promise<AttemptEnd> {
  const { page, method, action } = call;
  const keys = method.keys?.(action.arguments, heldInput(page).modifiers);
  const search = searchFor(call, attempt, keys);
  return search.inTurns<AttemptEnd>(`${action.method} on ${attempt.target.label}`, async (turn) => {
    using observers = startObservers(turn, call, attempt.target);
    const ready = await search.makeReady(turn);
    // `inTurns` calls again once the element may be actionable.
    if (!ready) return undefined;
    try {
      action.checkDocument?.(originOf(ready));
      // Changes at most once: the other checks are the same for every element that needs them.
      const checks = method.otherChecks?.(ready) ?? attempt.checks;
      if (checks !== attempt.checks) {
        disarm(page, ready);
        return { value: { kind: 'needs-other-checks', checks } };
      }
      await untilReadyToSend(call, observers);
      return { value: await runPrepared({ ...call, ready, keys, entry: entryOf(method, action, ready) }, observers) };
    } catch (error) {
      disarm(page, ready);
      throw error;
    }
  });
}

/** The search requests the origin if the action checks it (`needsOrigin`). Without an origin, nothing is sent. */
function originOf({ document, target }: ReadyElement): DocumentOrigin {
  if (!document) throw new TypeError(`the page did not report the origin of ${target.label}`);
  return document;
}

function searchFor(
  { progress, page, method, action }: ActionCall,
  { target, requiredRoleAndName, checks }: Attempt,
  keys: PreparedAction['keys'],
): ElementSearch {
  return new ElementSearch(progress, page, {
    target,
    action: checks,
    timeout: action.elementTimeout,
    force: action.force ?? false,
    isReported: action.isReported,
    position: action.pointer?.position ?? method.position?.(action.arguments),
    findFrame: action.findFrame,
    part: method.part?.(action.arguments),
    text: method.entry?.(action.arguments).text,
    strokes: keys?.strokes,
    endStroke: method.checks === 'type' ? endStroke(page.session) : undefined,
    expected: action.expected,
    requiredRoleAndName,
    identification: action.identification,
    needsOrigin: action.checkDocument !== undefined,
  });
}

/** Started while the element is still being searched, so that they cost no extra round trip. */
interface Observers extends Disposable {
  readonly otherFrames: FrameObserver | undefined;
  /** Blocks keys in other frames. `undefined` for methods without keys. */
  readonly shield: KeyShield | undefined;
  /** The result of {@link listensToText}. `undefined` if the action does not wait for suggestions. */
  readonly listens: Promise<boolean | undefined> | undefined;
}

function startObservers({ owner }: Turn, { page, method, action }: ActionCall, target: ActionTarget): Observers {
  const listens = awaitsSuggestions(action) ? listensToText(target) : undefined;
  listens?.catch(ignoreRejection);
  const shield = method.usesKeys ? new KeyShield(page, owner.token) : undefined;
  return {
    otherFrames: action.settleTimeout > 0 ? new FrameObserver(page, owner) : undefined,
    listens,
    shield,
    [Symbol.dispose]: () => shield?.lower(),
  };
}

async function untilReadyToSend({ progress, action }: ActionCall, observers: Observers): Promise<void> {
  await observers.otherFrames?.started(progress);
  await observers.shield?.raised(progress);
  await progress.race(action.inputAfter ?? Promise.resolve());
  progress.throwIfEnded();
}

/** For an edit, the text to enter is the text that replaces the selection. */
function entryOf(
  method: ActionMethod,
  { arguments: args }: ElementAction,
  ready: ReadyElement,
): PreparedAction['entry'] {
  return ready.insertion === undefined ? method.entry?.(args) : { text: ready.insertion };
}

/**
 * Sends the input, waits until the page settles, and decides from the evidence whether the input has reached the
 * element.
 */
async function runPrepared(call: PreparedAction, observers: Observers): Promise<AttemptEnd> {
  const { progress, page, ready, method } = call;
  const settleTimeout = Math.min(call.action.settleTimeout, progress.remaining * SETTLING_SHARE);
  const action = { ...call.action, settleTimeout };
  const prepared = { ...call, action };
  using trace = new ActionTrace(page);
  const path = frameXPath(progress, ready.frame);
  // Avoids an unhandled rejection if the input fails before `path` is awaited.
  path.catch(ignoreRejection);
  const { frame, element, turn } = ready;
  const scope = {
    trace,
    frame,
    element,
    turn,
    owner: turn.owner,
    otherFrames: observers.otherFrames,
    isFocusing: method.checks === 'focus',
    timeout: settleTimeout,
    requiredSettle: action.requiredSettle,
  };
  const sentAt = performance.now();
  const observed = await observeEffect(progress, page, scope, async () => ({
    ...(await dispatchInput(prepared, trace)),
    settleMore: (settled) =>
      settleSuggestions(settled, { progress, page, ready, trace, action, listens: observers.listens, sentAt }),
  }));
  const { hasNavigated } = trace;
  const evidence = { reports: observed.settled.reports, isFirstEarly: observed.sent.isFirstEarly, hasNavigated };
  const failure = failureOf(evidence);
  if (failure) return { kind: 'failed', failure, evidence, ready, action };
  const isDone = method.isDone?.(ready) ?? false;
  if (!isDone && !hasNavigated) await method.confirm?.(progress, { ready, ...observed, ...observed.settled });
  return { kind: 'done', outcome: outcomeOf(ready, await path, observed) };
}

function outcomeOf(
  { frame, element, fingerprint }: ReadyElement,
  path: string,
  { effect, notes, sent }: ObservedEffect & { readonly sent: DispatchedInput },
): ActionOutcome {
  return {
    element,
    xpath: path + element.xpath,
    effect,
    notes,
    values: valuesOf(sent.answer),
    fingerprint,
    frameUrl: frame.parent ? frame.url : '',
  };
}

/** Only `select`, and `fill` on a control that is not typed into, return values. */
function valuesOf(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((value) => typeof value === 'string') : [];
}
