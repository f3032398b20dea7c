import type { PageTarget } from '../../cdp/page-target.ts';
import { DriverClickError, type DriverError, DriverLocatorError } from '../../errors.ts';
import type { PrepareAction, SentEntry, SettleReport } from '../../injected/contract.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { heldInput } from '../input/held-input.ts';
import type { KeySequence } from '../input/key-events.ts';
import { KeyShield } from '../input/key-shield.ts';
import { moveMouse } from '../input/mouse-events.ts';
import { entryFateOf } from './action-effect.ts';
import { ActionTrace } from './action-trace.ts';
import type { ActionOutcome, ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import { typeInstead } from './enter-text.ts';
import { frameXPath } from './frame-xpath.ts';
import { type ActionMethod, actionMethod } from './methods.ts';
import { FrameObserver } from './frame-observer.ts';
import { observeEffect, type SentInput } from './observe-effect.ts';
import { disarm, ElementSearch } from './prepare-target.ts';
import { type DocumentSettling, settleDocument, type SettleOutcome } from './settle-page.ts';
import { awaitsSuggestions, listensToText, settleSuggestions } from './suggestions.ts';

/** How long a trusted event may take from the browser to its element before it counts as lost. */
const EVENT_TIMEOUT_MS = 1000;
/** Settling takes at most this share of the remaining time, so a page that never settles does not turn a sent action into a timeout. */
const SETTLING_SHARE = 0.8;
/** How often an action is aimed anew when the element moved away from under the pointer, or was replaced. */
const MAX_AIMS = 3;

/** An action, and what it is done to. */
interface TargetedAction extends ElementAction {
  readonly target: ActionTarget;
}

/**
 * Carries out one action as a person would: waits for the element, sends trusted input, waits until the page
 * has come to rest, and says what changed. From the last check of the element on it has the page to itself.
 */
export async function performAction(
  progress: Progress,
  page: PageTarget,
  { target, ...action }: TargetedAction,
): Promise<ActionOutcome> {
  const method = actionMethod(action.method, action.arguments);
  method.check?.(action.arguments);
  let place = target;
  let prepare = method.prepare;
  for (let aim = 1; ; aim += 1) {
    const tried = await tryAt(place, { progress, page, method, action, prepare });
    if ('prepare' in tried) {
      ({ prepare } = tried);
      continue;
    }
    const { ready, miss, outcome } = tried;
    if (miss === undefined) return outcome;
    progress.log(logOf(miss, ready, action));
    if (aim === MAX_AIMS) throw await missed(progress, ready, miss);
    if (miss.kind === 'replaced') place = successorOf(place, ready);
  }
}

interface Trying extends Pick<Attempt, 'progress' | 'page' | 'method' | 'action'> {
  readonly prepare: PrepareAction;
}

/** What came of it, or for what else the element has to be prepared. */
type Tried = (Outcome & { readonly ready: ReadyElement }) | { readonly prepare: PrepareAction };

/** One try in a turn of the page. */
async function tryAt(target: ActionTarget, { prepare, ...trying }: Trying): Promise<Tried> {
  const { progress, page, method, action } = trying;
  const keys = method.keys?.(action.arguments, heldInput(page).modifiers);
  const search = new ElementSearch(progress, page, {
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
    identification: action.identification,
    tellsOrigin: action.checkDocument !== undefined,
  });
  return search.inTurns<Tried>(`${action.method} on ${target.label}`, async (turn) => {
    const others = action.settleTimeout > 0 ? new FrameObserver(page, turn.owner) : undefined;
    const listens = awaitsSuggestions(action) ? listensToText(target) : undefined;
    listens?.catch(ignoreRejection);
    const shield = method.usesKeys ? new KeyShield(page, turn.owner.token) : undefined;
    try {
      const ready = await search.makeReady(turn);
      if (!ready) return undefined;
      return await actOnReady(ready, { ...trying, prepare, others, keys, shield, listens });
    } finally {
      shield?.lower();
    }
  });
}

/** Acts on the element, unless it has to be prepared for something else. */
async function actOnReady(
  ready: ReadyElement,
  { prepare, ...trying }: Trying & Pick<Attempt, 'others' | 'keys' | 'shield' | 'listens'>,
): Promise<{ readonly value: Tried }> {
  try {
    if (ready.document) trying.action.checkDocument?.(ready.document);
    const other = trying.method.prepareInstead?.(ready) ?? prepare;
    if (other !== prepare) return { value: { prepare: other } };
    const outcome = await carryOutReady({ ...trying, ready });
    return { value: { ready, ...outcome } };
  } catch (error) {
    disarm(trying.page, ready);
    throw error;
  }
}

async function carryOutReady(attempt: Omit<Attempt, 'entry'>): Promise<Outcome> {
  const { progress, others, shield, method, action } = attempt;
  await others?.started(progress);
  await shield?.raised(progress);
  await progress.race(action.inputAfter ?? Promise.resolve());
  progress.throwIfEnded();
  const { insertion } = attempt.ready;
  const entry = insertion === undefined ? method.entry?.(action.arguments) : { text: insertion };
  const settleTimeout = Math.min(action.settleTimeout, progress.remaining * SETTLING_SHARE);
  return carryOut({ ...attempt, action: { ...action, settleTimeout }, entry });
}

/**
 * Why an action has to be tried again: its event would have hit something else, the browser took it and it never came, as
 * while a frame goes over to another process, or its field was replaced while text came.
 */
type Miss =
  | { readonly kind: 'misdirected'; readonly hit: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unfocused' }
  | { readonly kind: 'replaced' };

interface Attempt {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly method: ActionMethod;
  readonly action: ElementAction;
  /** Undefined when nobody asks for the effect. */
  readonly others: FrameObserver | undefined;
  readonly keys: KeySequence | undefined;
  /** Keeps keys from other frames; undefined when none are pressed. */
  readonly shield: KeyShield | undefined;
  readonly entry: SentEntry | undefined;
  /** Whether the page listens to the text of the element; undefined when nobody asks what text brings. */
  readonly listens: Promise<boolean | undefined> | undefined;
}

interface Outcome {
  readonly miss: Miss | undefined;
  readonly outcome: ActionOutcome;
}

/** Sends the input, waits until the page settles, and reports the effect. On a page that stays as it is this is one round trip. */
async function carryOut(attempt: Attempt): Promise<Outcome> {
  const { progress, page, ready, method, action, others } = attempt;
  using trace = new ActionTrace(page);
  const pathToFrame = frameXPath(progress, ready.frame);
  // When the input fails, nobody asks for the path.
  pathToFrame.catch(ignoreRejection);
  const { settleTimeout: timeout, rest } = action;
  const isFocusing = method.prepare === 'focus';
  const { frame, element, turn } = ready;
  const scope = { trace, frame, element, turn, owner: turn.owner, others, isFocusing, timeout, rest };
  const observed = await observeEffect(progress, page, scope, () => dispatch(attempt, trace));
  const { effect, notes, settled, sent } = observed;
  const miss = missOf(settled, trace, await sent.isFirstEarly);
  const isDone = method.isDone?.(ready) ?? false;
  if (!isDone && !miss && !trace.hasNavigated) await method.confirm?.(progress, { ready, notes, ...settled });
  return {
    miss,
    outcome: {
      element,
      xpath: (await pathToFrame) + element.xpath,
      effect,
      notes,
      values: valuesOf(sent.answer),
      fingerprint: ready.fingerprint,
      frameUrl: frame.parent ? frame.url : '',
    },
  };
}

/** Input of a method that was sent, with the browser's answer. */
interface MethodInput extends SentInput {
  readonly isFirstEarly: Promise<boolean>;
  readonly answer: unknown;
}

/** Sends the input and, in the same round trip, the request to settle. Resolves when the browser has acknowledged the input. */
async function dispatch(attempt: Attempt, trace: ActionTrace): Promise<MethodInput> {
  const { progress, page, ready, method, action, entry, listens } = attempt;
  const { owner } = ready.turn;
  const isDone = method.isDone?.(ready) ?? false;
  const sendInput = (): Promise<unknown> => (isDone ? Promise.resolve() : progress.race(method.run(attempt)));
  const eventTimeout = method.sendsInput && !isDone ? EVENT_TIMEOUT_MS : 0;
  const settling = settlingOf(action, { method, eventTimeout });
  const settle = (late: Pick<DocumentSettling, 'eventTimeout' | 'entry'>): Promise<SettleReport | undefined> =>
    settleDocument(progress, ready.world, { ...settling, ...late, owner });
  const settleFirst = (): Promise<SettleReport | undefined> => settle({ eventTimeout, ...(entry && { entry }) });
  const sentAt = performance.now();
  const order = orderOf({ method, ready, action, entry });
  const { sent, first: firstReport } = inOrder(sendInput, settleFirst, order);
  const first = entry
    ? firstReport.then(async (report) => {
        if (!report?.awaitsKeys) return report;
        await trace.ignoreIfNavigated(progress.race(typeInstead(progress, { page, ready }, entry)));
        return settle({ eventTimeout: 0, entry: { ...entry, isOver: true } });
      })
    : firstReport;
  const taken = trace.ignoreIfNavigated(sent);
  const isEarly = settledBeforeInput(first, sent);
  const isLost = isInputLost({ progress, page, ready, trace, taken, isEarly, settled: first });
  const isFirstEarly = isEarly.then(async (isSo) => isSo && !(await isLost));
  // When the input fails, nobody asks for the others any more.
  for (const other of [first, isFirstEarly]) other.catch(ignoreRejection);
  const answer = await Promise.race([taken, isLost.then((isSo) => (isSo ? undefined : taken))]);
  // Of text that the page takes no notice of, more is sent when that is known.
  if (entry) await first;
  const settleMore = (settled: SettleOutcome): Promise<SettleOutcome> =>
    settleSuggestions(settled, { progress, page, ready, trace, action, listens, sentAt });
  return { first, isFirstEarly, answer, settleMore };
}

/** How to wait in the document that is acted in; not for quiet where nobody wants to know what the action did. */
function settlingOf(
  { settleTimeout, rest }: ElementAction,
  { method, eventTimeout }: { readonly method: ActionMethod; readonly eventTimeout: number },
): Omit<DocumentSettling, 'eventTimeout'> {
  // What is to be confirmed is seen only when the click has come, which follows the button's going up.
  const awaitsListeners = method.confirm !== undefined;
  if (settleTimeout === 0) return { timeout: eventTimeout, frames: 0, ...(awaitsListeners && { awaitsListeners }) };
  return { timeout: settleTimeout, keepsWatching: true, ...(method.isLate && { isLate: true }), ...rest };
}

/** Which goes out first; `awaited`: the input only when the wait for it is there, `after`: the wait when the input was taken. */
type Order = 'awaited' | 'together' | 'after';

/**
 * A wait that is there before the text answers as soon as the page has heard of it, and not after the frame that shows it.
 * What a control is set to by a call is not awaited.
 */
function orderOf({ method, ready, action, entry }: Pick<Attempt, 'method' | 'ready' | 'action' | 'entry'>): Order {
  if (method.goesOn) return 'after';
  return entry && ready.textEntry === 'keys' && action.settleTimeout === 0 ? 'awaited' : 'together';
}

function inOrder<Sent, Settled>(
  send: () => Promise<Sent>,
  settle: () => Promise<Settled>,
  order: Order,
): { readonly sent: Promise<Sent>; readonly first: Promise<Settled> } {
  if (order === 'awaited') {
    const first = settle();
    return { first, sent: send() };
  }
  const sent = send();
  return { sent, first: order === 'after' ? sent.then(settle, settle) : settle() };
}

/** True if the page settled before the browser acknowledged all input. This happens on busy pages between two clicks or keys. */
async function settledBeforeInput(settled: Promise<unknown>, sent: Promise<unknown>): Promise<boolean> {
  let isUnderWay = true;
  const taken = (): void => {
    isUnderWay = false;
  };
  sent.then(taken, taken);
  await settled.catch(ignoreRejection);
  return isUnderWay;
}

interface UnacknowledgedInput extends Pick<Attempt, 'progress' | 'page' | 'ready'> {
  readonly trace: ActionTrace;
  /** Resolves when the browser has acknowledged the input. */
  readonly taken: Promise<unknown>;
  readonly isEarly: Promise<boolean>;
  readonly settled: Promise<SettleReport | undefined>;
}

/**
 * True if the browser will never acknowledge the input, for example because it went to a process that the frame was leaving. The
 * document saw no event, and the browser acknowledges a later move of the pointer first.
 */
async function isInputLost(input: UnacknowledgedInput): Promise<boolean> {
  const { progress, page, ready, trace, taken, isEarly, settled } = input;
  if (!(await isEarly) || !(await settled)?.lost) return false;
  const moved = moveMouse(ready.world.session, ready.point, { modifiers: heldInput(page).modifiers });
  const overtaken = trace.ignoreIfNavigated(progress.race(moved)).then(() => true);
  return Promise.race([taken.then(() => false), overtaken]);
}

/** What a report that came before the browser had taken all of the input did not see, may have come since. */
function missOf({ reports }: SettleOutcome, trace: ActionTrace, isEarly: boolean): Miss | undefined {
  const hit = reports[0]?.misdirected;
  if (hit !== undefined) return { kind: 'misdirected', hit };
  if (reports[0]?.lost && !isEarly && !trace.hasNavigated) return { kind: 'lost' };
  const fate = trace.hasNavigated ? undefined : entryFateOf(reports);
  return fate === 'replaced' || fate === 'unfocused' ? { kind: fate } : undefined;
}

/** Commands answer with objects, or lists of them; only options are told by their values. */
function valuesOf(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((value) => typeof value === 'string') : [];
}

function logOf(miss: Miss, { element }: ReadyElement, { method }: ElementAction): string {
  if (miss.kind === 'misdirected') return `the ${method} would have hit ${miss.hit} and was stopped`;
  if (miss.kind === 'lost') return `the browser took the ${method}, and it did not come to ${element.tag}`;
  if (miss.kind === 'unfocused') return `something else took the focus from ${element.tag} before the text came`;
  return `the page put another field in the place of ${element.tag} while the text came`;
}

/** What is in the place of a field now: what its selector finds, or what is where the element of a ref was. */
function successorOf(target: ActionTarget, { element }: ReadyElement): ActionTarget {
  const isByRef = 'ref' in target.element && element.xpath !== '';
  return isByRef ? { ...target, element: { selector: `xpath=${element.xpath}` } } : target;
}

async function missed(progress: Progress, ready: ReadyElement, miss: Miss): Promise<DriverError> {
  const selector = ready.target.label;
  const described = await progress.race(ready.world.call('describe', { ref: ready.element.ref }));
  const phrase = described ? taggedPhrase(described) : ready.element.tag;
  const { callLog } = progress;
  if (miss.kind === 'misdirected')
    return new DriverClickError(`Cannot hit ${phrase}: at the moment of the event, ${miss.hit} was in its place.`, {
      selector,
      cover: miss.hit,
      callLog,
    });
  if (miss.kind === 'lost')
    return new DriverClickError(
      `Cannot hit ${phrase}: the browser took the event each time, and it did not come to the page. Something else of the browser may have it, such as a frame of another page that lies over it.`,
      { selector, callLog },
    );
  if (miss.kind === 'unfocused')
    return new DriverLocatorError(
      `Cannot fill ${phrase}: ${MAX_AIMS} times something else of the page took the focus, and nothing more was sent. Close what takes the focus first, such as a dialog or an advertisement.`,
      { selector, callLog },
    );
  return new DriverLocatorError(
    `Cannot fill ${phrase}: each time the text came, the page put another field in its place. Wait until the page is done with that, then fill it again.`,
    { selector, callLog },
  );
}
