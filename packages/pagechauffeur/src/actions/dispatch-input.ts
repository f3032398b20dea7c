import type { PageTarget } from '../cdp/page-target.ts';
import type { ActionSettling, SentEntry, SettleReport } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { heldInput } from './input/held-input.ts';
import type { KeySequence } from './input/key-events.ts';
import { moveMouse } from './input/mouse-events.ts';
import type { ActionTrace } from './action-trace.ts';
import type { ElementAction, ReadyElement } from './element-action.ts';
import { typeInstead } from './enter-text.ts';
import type { ActionMethod } from './methods.ts';
import type { SentInput } from './observe-effect.ts';
import { settleDocument } from './settle-page.ts';
import { decide, type InputState } from './settle-rules.ts';

/** Time in ms that the page waits for the trusted event to reach the element. */
const EVENT_TIMEOUT_MS = 1000;

export interface PreparedAction {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly method: ActionMethod;
  readonly action: ElementAction;
  /** Set for methods that press keys. */
  readonly keys: KeySequence | undefined;
  /** Set for methods that enter text. The page reports whether the field accepted it. */
  readonly entry: SentEntry | undefined;
}

export interface DispatchedInput extends SentInput {
  readonly isFirstEarly: boolean;
  /** What `ActionMethod.run` resolved to. */
  readonly answer: unknown;
}

/**
 * Sends the input and, in the same round trip, the settle request. Resolves once the browser has acknowledged the input
 * and, for text, the page has reported whether the field accepted it.
 */
export async function dispatchInput(prepared: PreparedAction, trace: ActionTrace): Promise<DispatchedInput> {
  const dispatch = new Dispatch(prepared, trace);
  for (;;) {
    const { kind } = dispatch.state;
    if (kind === 'dispatched') await dispatch.nextEvent();
    else if (kind === 'overdue') dispatch.probe();
    else if (kind === 'awaits-keys') await dispatch.typeInstead();
    else return dispatch.result;
  }
}

/** Tracks one dispatch. After each event, {@link dispatchInput} decides on the next step from `state`. */
class Dispatch {
  readonly #prepared: PreparedAction;
  readonly #trace: ActionTrace;
  readonly #events = new Set<Promise<void>>();
  #first: Promise<SettleReport | undefined>;
  #input: InputState = 'sent';
  #isProbed = false;
  #isFirstEarly = false;
  #reports: readonly SettleReport[] = [];
  #waits = 0;
  #answer: unknown;

  constructor(prepared: PreparedAction, trace: ActionTrace) {
    this.#prepared = prepared;
    this.#trace = trace;
    const { progress, method, ready, action, entry } = prepared;
    const isDone = method.isDone?.(ready) ?? false;
    const eventTimeout = method.sendsInput && !isDone ? EVENT_TIMEOUT_MS : 0;
    const send = (): Promise<unknown> => (isDone ? Promise.resolve() : progress.race(method.run(prepared)));
    const settle = (): Promise<SettleReport | undefined> => this.#settle({ eventTimeout, ...(entry && { entry }) });
    const { sent, first } = inOrder(send, settle, orderOf({ method, ready, action, entry }));
    this.#first = first;
    this.#follow(trace.ignoreIfNavigated(sent), (answer) => {
      this.#answer = answer;
      this.#input = 'acknowledged';
    });
    this.#followReport(first);
  }

  get state(): ReturnType<typeof decide> {
    const evidence = {
      input: this.#input,
      isProbed: this.#isProbed,
      needsReport: this.#prepared.entry !== undefined,
      reports: this.#reports,
      waits: this.#waits,
      isAnswered: this.#reports.length > 0,
      requests: [],
      navigations: [],
      deadline: Number.POSITIVE_INFINITY,
    };
    return decide(evidence, performance.now());
  }

  get result(): DispatchedInput {
    // Lost input is never acknowledged, so there is no point in a second report.
    const isFirstEarly = this.#isFirstEarly && this.#input !== 'overtaken';
    return { first: this.#first, isFirstEarly, answer: this.#answer };
  }

  async nextEvent(): Promise<void> {
    await Promise.race(this.#events);
  }

  /**
   * Sends a mouse move after the overdue input. The browser acknowledges input in order, so if it acknowledges the move
   * first, the earlier input is lost.
   */
  probe(): void {
    const { progress, page, ready } = this.#prepared;
    this.#isProbed = true;
    const moved = moveMouse(ready.world.session, ready.point, { modifiers: heldInput(page).modifiers });
    this.#follow(this.#trace.ignoreIfNavigated(progress.race(moved)), () => {
      if (this.#input === 'sent') this.#input = 'overtaken';
    });
  }

  /** Some pages ignore inserted text, so type it key by key. */
  async typeInstead(): Promise<void> {
    const { progress, page, ready, entry } = this.#prepared;
    if (!entry) return;
    await this.#trace.ignoreIfNavigated(progress.race(typeInstead(progress, { page, ready }, entry)));
    this.#first = this.#settle({ eventTimeout: 0, entry: { ...entry, isOver: true } });
    [this.#reports, this.#waits] = [[], 0];
    this.#followReport(this.#first);
  }

  #settle(late: Pick<ActionSettling, 'eventTimeout' | 'entry'>): Promise<SettleReport | undefined> {
    const { progress, ready } = this.#prepared;
    return settleDocument(progress, ready.world, {
      ...settlingOf(this.#prepared, late.eventTimeout),
      ...late,
      owner: ready.turn.owner,
    });
  }

  #followReport(report: Promise<SettleReport | undefined>): void {
    this.#follow(report, (known) => {
      this.#reports = known ? [known] : [];
      this.#waits = 1;
      this.#isFirstEarly = this.#input === 'sent';
    });
  }

  #follow<T>(promise: Promise<T>, note: (value: T) => void): void {
    const follow = async (): Promise<void> => {
      note(await promise);
      this.#events.delete(event);
    };
    const event = follow();
    // A rejected promise stays in the set, so that `nextEvent` rethrows its error.
    event.catch(ignoreRejection);
    this.#events.add(event);
  }
}

/**
 * Settle options for the action's document. With a `settleTimeout` of 0, waits only for the event, not for quiet
 * frames.
 */
function settlingOf(
  { action: { settleTimeout, requiredSettle }, method }: PreparedAction,
  eventTimeout: number,
): Omit<ActionSettling, 'owner' | 'eventTimeout'> {
  // A checkbox changes in the click event, which fires after the button is released.
  const awaitsListeners = method.confirm !== undefined;
  if (settleTimeout === 0) return { timeout: eventTimeout, frames: 0, ...(awaitsListeners && { awaitsListeners }) };
  return { timeout: settleTimeout, keepsWatching: true, ...(method.isLate && { isLate: true }), ...requiredSettle };
}

/**
 * `awaited`: the settle request is sent before the input. `together`: right after the input. `after`: once the browser
 * has acknowledged the input.
 */
type Order = 'awaited' | 'together' | 'after';

/**
 * If the browser enters the text and no quiet frames are awaited, the settle request goes first, so that the page can
 * report as soon as the text has arrived.
 */
function orderOf({
  method,
  ready,
  action,
  entry,
}: Pick<PreparedAction, 'method' | 'ready' | 'action' | 'entry'>): Order {
  if (method.isMultiStep) return 'after';
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
