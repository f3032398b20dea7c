import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { ElementCall, PrepareAction } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { heldInput } from './input/held-input.ts';
import { KeyShield } from './input/key-shield.ts';
import { ActionTrace } from './action-trace.ts';
import { dispatchError, type DispatchFailure, failureOf, type FailedInput } from './dispatch-failures.ts';
import { dispatchInput, type DispatchedInput, type PreparedAction } from './dispatch-input.ts';
import type { ActionOutcome, ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { frameXPath } from '../snapshot/frame-xpath.ts';
import { FrameObserver } from './frame-observer.ts';
import { type ActionMethod, actionMethod } from './methods.ts';
import { observeEffect, type ObservedEffect } from './observe-effect.ts';
import { disarm, ElementSearch } from './prepare-target.ts';
import { awaitsSuggestions, listensToText, settleSuggestions } from './suggestions.ts';

/**
 * Share of the remaining time for settling. The rest is reserved for the report, so that a page that never settles does
 * not cause a timeout.
 */
const SETTLING_SHARE = 0.8;
/** Maximum number of attempts, for example if the element moves away before each click. */
const MAX_ATTEMPTS = 3;

/** An action and its target. */
interface TargetedAction extends ElementAction {
  readonly target: ActionTarget;
}

/**
 * Runs one action: waits until the element is actionable, sends trusted input, waits until the page settles, and
 * reports the effect.
 */
export async function runAction(
  progress: Progress,
  page: PageTarget,
  { target, ...action }: TargetedAction,
): Promise<ActionOutcome> {
  const method = actionMethod(action.method, action.arguments);
  method.check?.(action.arguments);
  let aim: Aim = { target, calledAs: action.calledAs, prepare: method.prepare };
  for (let attempts = 1; ; attempts += 1) {
    const end = await attempt({ progress, page, method, action }, aim);
    if (end.kind === 'done') return end.outcome;
    if (end.kind === 'failed') {
      progress.log(end.failure.describe(end));
      if (attempts >= MAX_ATTEMPTS) throw await dispatchError(progress, end.failure, { ...end, attempts });
    }
    aim = nextAim(aim, end);
  }
}

/** The target of an attempt, and the checks that it must pass. */
interface Aim {
  readonly target: ActionTarget;
  /** The role and name that the element must have. */
  readonly calledAs: ElementCall | undefined;
  readonly prepare: PrepareAction;
}

/** The end of an attempt. `reprepare`: the element needs other checks than those it has passed. */
type AttemptEnd =
  | { readonly kind: 'done'; readonly outcome: ActionOutcome }
  | { readonly kind: 'reprepare'; readonly prepare: PrepareAction }
  | ({ readonly kind: 'failed'; readonly failure: DispatchFailure } & FailedInput);

function nextAim(aim: Aim, end: Exclude<AttemptEnd, { readonly kind: 'done' }>): Aim {
  if (end.kind === 'reprepare') return { ...aim, prepare: end.prepare };
  const sought = { element: aim.target.element, calledAs: aim.calledAs };
  const { element, calledAs } = end.failure.nextElement?.(sought, end.ready.element) ?? sought;
  return { ...aim, target: { ...aim.target, element }, calledAs };
}

type ActionCall = Pick<PreparedAction, 'progress' | 'page' | 'method' | 'action'>;

/** Runs one attempt. Holds the page lock from the last check of the element until the effect is reported. */
function attempt(call: ActionCall, aim: Aim): Promise<AttemptEnd> {
  const { page, method, action } = call;
  const keys = method.keys?.(action.arguments, heldInput(page).modifiers);
  const search = searchFor(call, aim, keys);
  return search.inTurns<AttemptEnd>(`${action.method} on ${aim.target.label}`, async (turn) => {
    using observers = startObservers(turn, call, aim.target);
    const ready = await search.makeReady(turn);
    if (!ready) return undefined;
    try {
      const prepare = await guard({ ...call, ready, observers, prepare: aim.prepare });
      if (prepare !== aim.prepare) return { value: { kind: 'reprepare', prepare } };
      return { value: await runPrepared({ ...call, ready, keys, entry: entryOf(method, action, ready) }, observers) };
    } catch (error) {
      disarm(page, ready);
      throw error;
    }
  });
}

function searchFor(
  { progress, page, method, action }: ActionCall,
  { target, calledAs, prepare }: Aim,
  keys: PreparedAction['keys'],
): ElementSearch {
  return new ElementSearch(progress, page, {
    target,
    action: prepare,
    timeout: action.elementTimeout,
    force: action.force ?? false,
    isReported: action.isReported,
    position: action.pointer?.position,
    findFrame: action.findFrame,
    part: method.part?.(action.arguments),
    text: keys ? undefined : method.entry?.(action.arguments).text,
    strokes: keys?.strokes,
    expected: action.expected,
    calledAs,
    identification: action.identification,
    tellsOrigin: action.checkDocument !== undefined,
  });
}

/** Observers and guards that start together with the search for the element. */
interface Observers extends Disposable {
  /** `undefined` if the caller does not read the effect. */
  readonly others: FrameObserver | undefined;
  /** Blocks keys in other frames. `undefined` if the method sends none. */
  readonly shield: KeyShield | undefined;
  /**
   * Resolves to true if the page listens to the element's text. `undefined` if the action does not wait for
   * suggestions.
   */
  readonly listens: Promise<boolean | undefined> | undefined;
}

function startObservers({ owner }: Turn, { page, method, action }: ActionCall, target: ActionTarget): Observers {
  const listens = awaitsSuggestions(action) ? listensToText(target) : undefined;
  listens?.catch(ignoreRejection);
  const shield = method.usesKeys ? new KeyShield(page, owner.token) : undefined;
  return {
    others: action.settleTimeout > 0 ? new FrameObserver(page, owner) : undefined,
    listens,
    shield,
    [Symbol.dispose]: () => shield?.lower(),
  };
}

interface GuardedAction extends ActionCall {
  readonly ready: ReadyElement;
  readonly observers: Observers;
  readonly prepare: PrepareAction;
}

/**
 * Runs everything that can reject or delay the action on an actionable element. Input is not sent before this resolves.
 * Returns the checks that the element needs. If they differ from those that it has passed, the caller must prepare the
 * element again.
 */
async function guard({ progress, method, action, ready, observers, prepare }: GuardedAction): Promise<PrepareAction> {
  if (ready.document) action.checkDocument?.(ready.document);
  const needed = method.prepareInstead?.(ready) ?? prepare;
  if (needed !== prepare) return needed;
  await observers.others?.started(progress);
  await observers.shield?.raised(progress);
  await progress.race(action.inputAfter ?? Promise.resolve());
  progress.throwIfEnded();
  return needed;
}

/** The text to enter. For an edit, this is the text that replaces the selection. */
function entryOf(
  method: ActionMethod,
  { arguments: args }: ElementAction,
  ready: ReadyElement,
): PreparedAction['entry'] {
  return ready.insertion === undefined ? method.entry?.(args) : { text: ready.insertion };
}

/**
 * Sends the input, waits until the page settles, and reports the effect. Takes one round trip if the page does not
 * change.
 */
async function runPrepared(call: PreparedAction, observers: Observers): Promise<AttemptEnd> {
  const { progress, page, ready, method } = call;
  const settleTimeout = Math.min(call.action.settleTimeout, progress.remaining * SETTLING_SHARE);
  const action = { ...call.action, settleTimeout };
  const prepared = { ...call, action };
  using trace = new ActionTrace(page);
  const path = frameXPath(progress, ready.frame);
  // If the input fails, the path is never awaited.
  path.catch(ignoreRejection);
  const { frame, element, turn } = ready;
  const isFocusing = method.prepare === 'focus';
  const limits = { timeout: settleTimeout, rest: action.rest };
  const scope = { trace, frame, element, turn, owner: turn.owner, others: observers.others, isFocusing, ...limits };
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

/** Only `select` returns strings: the values of the selected options. */
function valuesOf(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((value) => typeof value === 'string') : [];
}
