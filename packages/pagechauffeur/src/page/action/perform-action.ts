import type { PageTarget } from '../../cdp/page-target.ts';
import { DriverClickError, type DriverError, DriverLocatorError } from '../../errors.ts';
import type { PrepareAction, SentEntry, SettleReport } from '../../injected/contract.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { heldInput } from '../input/held-input.ts';
import type { KeySequence } from '../input/key-events.ts';
import { KeyShield } from '../input/key-shield.ts';
import { moveMouse } from '../input/mouse-events.ts';
import { effectOf, entryFateOf, notesOf, type Observed } from './action-effect.ts';
import { ActionWatch } from './action-watch.ts';
import type { ActionOutcome, ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import { typeInstead } from './enter-text.ts';
import { frameXPath } from './frame-xpath.ts';
import { type ActionMethod, actionMethod } from './methods.ts';
import { OtherFrames } from './other-frames.ts';
import { disarm, ElementSearch } from './prepare-target.ts';
import { type DocumentSettling, settleAfterAction, settleDocument, type SettleOutcome } from './settle-page.ts';
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
    const others = action.settleTimeout > 0 ? new OtherFrames(page, turn.owner) : undefined;
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
  await others?.begun(progress);
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
  readonly others: OtherFrames | undefined;
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

/** Input, the wait for quiet and the XPath go out together: one round trip on a page that stays as it is. */
async function carryOut(attempt: Attempt): Promise<Outcome> {
  const { progress, page, ready, method, action, others, entry, listens } = attempt;
  using watch = new ActionWatch(page);
  const { owner } = ready.turn;
  const pathToFrame = frameXPath(progress, ready.frame);
  const isDone = method.isDone?.(ready) ?? false;
  const send = (): Promise<unknown> => (isDone ? Promise.resolve() : progress.race(method.run(attempt)));
  const eventTimeout = method.sendsInput && !isDone ? EVENT_TIMEOUT_MS : 0;
  const settling = settlingOf(action, { method, eventTimeout });
  const settle = (late: Pick<DocumentSettling, 'eventTimeout' | 'entry'>): Promise<SettleReport | undefined> =>
    settleDocument(progress, ready.world, { ...settling, ...late, owner });
  const settleFirst = (): Promise<SettleReport | undefined> => settle({ eventTimeout, ...(entry && { entry }) });
  const sentAt = performance.now();
  const { sent, first } = inOrder(send, settleFirst, orderOf({ method, ready, action, entry }));
  const settledOnce = entry
    ? first.then(async (report) => {
        if (!report?.awaitsKeys) return report;
        await sentUnlessGone(progress.race(typeInstead(progress, { page, ready }, entry)), watch);
        return settle({ eventTimeout: 0, entry: { ...entry, isOver: true } });
      })
    : first;
  const taken = sentUnlessGone(sent, watch);
  const isOutrun = outruns(settledOnce, sent);
  const forsaken = isForsaken({ progress, page, ready, watch, taken, isOutrun, settled: settledOnce });
  const isFirstEarly = isOutrun.then(async (isSo) => isSo && !(await forsaken));
  // When the input fails, nobody asks for the others any more.
  for (const other of [settledOnce, pathToFrame, isFirstEarly]) other.catch(ignoreRejection);
  const answer = await Promise.race([taken, forsaken.then((isSo) => (isSo ? undefined : taken))]);
  // Of text that the page takes no notice of, more is sent when that is known.
  if (entry) await settledOnce;
  const settled = await ready.turn.yielding(async () => {
    const settledFirst = await settleAfterAction(progress, {
      page,
      frame: ready.frame,
      watch,
      owner,
      first: settledOnce,
      isFirstEarly,
      timeout: action.settleTimeout,
      rest: action.rest,
    });
    return settleSuggestions(settledFirst, { progress, page, ready, watch, action, listens, sentAt });
  });
  page.throwIfLost();
  const observed = await lookAround({ progress, ready, method, watch, settled, others });
  const miss = missOf(settled, watch, await isFirstEarly);
  const notes = notesOf(observed, action.settleTimeout > 0);
  if (!isDone && !miss && !watch.hasNavigated) await method.confirm?.(progress, { ready, notes, ...settled });
  return {
    miss,
    outcome: {
      element: ready.element,
      xpath: (await pathToFrame) + ready.element.xpath,
      effect: effectOf(observed),
      notes,
      values: valuesOf(answer),
      fingerprint: ready.fingerprint,
      frameUrl: ready.frame.parent ? ready.frame.url : '',
    },
  };
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

/** Whether a wait is over before its input has all been taken: a busy page may come to rest between two clicks or keys. */
async function outruns(settled: Promise<unknown>, sent: Promise<unknown>): Promise<boolean> {
  let isUnderWay = true;
  const taken = (): void => {
    isUnderWay = false;
  };
  sent.then(taken, taken);
  await settled.catch(ignoreRejection);
  return isUnderWay;
}

/**
 * Whether the browser will never say what became of input, as of what it gave to a process that its frame was just leaving:
 * the document has heard of nothing, and a move of the pointer to where it should be is taken before what was sent earlier.
 */
async function isForsaken({
  progress,
  page,
  ready,
  watch,
  taken,
  isOutrun,
  settled,
}: Pick<Attempt, 'progress' | 'page' | 'ready'> & {
  readonly watch: ActionWatch;
  /** When the browser has taken the input. */
  readonly taken: Promise<unknown>;
  readonly isOutrun: Promise<boolean>;
  readonly settled: Promise<SettleReport | undefined>;
}): Promise<boolean> {
  if (!(await isOutrun) || !(await settled)?.lost) return false;
  const moved = moveMouse(ready.world.session, ready.point, { modifiers: heldInput(page).modifiers });
  const overtaken = sentUnlessGone(progress.race(moved), watch).then(() => true);
  return Promise.race([taken.then(() => false), overtaken]);
}

/** Other frames are asked only when nothing was seen where the action was done. */
async function lookAround({
  progress,
  ready,
  method,
  others,
  ...seen
}: Pick<Attempt, 'progress' | 'ready' | 'method' | 'others'> & Pick<Observed, 'watch' | 'settled'>): Promise<Observed> {
  const observed = {
    ...seen,
    elsewhere: [],
    element: ready.element,
    frame: ready.frame,
    isFocusing: method.prepare === 'focus',
  };
  if (!others || effectOf(observed) !== 'none-observed') return observed;
  return { ...observed, elsewhere: await others.reports(progress, ready.frame) };
}

/** What a report that came before the browser had taken all of the input did not see, may have come since. */
function missOf({ reports }: SettleOutcome, watch: ActionWatch, isEarly: boolean): Miss | undefined {
  const hit = reports[0]?.misdirected;
  if (hit !== undefined) return { kind: 'misdirected', hit };
  if (reports[0]?.lost && !isEarly && !watch.hasNavigated) return { kind: 'lost' };
  const fate = watch.hasNavigated ? undefined : entryFateOf(reports);
  return fate === 'replaced' || fate === 'unfocused' ? { kind: fate } : undefined;
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
