import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry, SettleReport } from '../injected/contract.ts';
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
import { type DocumentSettling, settleDocument } from './settle-page.ts';
import { decide, type InputState } from './settle-rules.ts';

/** Time in ms for a trusted event to reach its element. Later events count as lost. */
const EVENT_TIMEOUT_MS = 1000;

/** An action whose element is actionable. */
export interface PreparedAction {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly method: ActionMethod;
  readonly action: ElementAction;
  readonly keys: KeySequence | undefined;
  readonly entry: SentEntry | undefined;
}

/** Input that the browser has acknowledged or lost. */
export interface DispatchedInput extends SentInput {
  readonly isFirstEarly: boolean;
  /** The result of the method's commands. */
  readonly answer: unknown;
}

/**
 * Sends the input of an action and, in the same round trip, the settle request. Resolves when the browser has
 * acknowledged the input. For text, also waits until the page has reported whether it accepted the text.
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

/** Sent input, and the settle request for its effect. */
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
    // If the browser lost the input, the report cannot be too early for it.
    const isFirstEarly = this.#isFirstEarly && this.#input !== 'overtaken';
    return { first: this.#first, isFirstEarly, answer: this.#answer };
  }

  /** Waits until the browser acknowledges input or the page sends a report. */
  async nextEvent(): Promise<void> {
    await Promise.race(this.#events);
  }

  /**
   * Sends a mouse move to the action's point. If the browser acknowledges the move first, it has lost the earlier
   * input.
   */
  probe(): void {
    const { progress, page, ready } = this.#prepared;
    this.#isProbed = true;
    const moved = moveMouse(ready.world.session, ready.point, { modifiers: heldInput(page).modifiers });
    this.#follow(this.#trace.ignoreIfNavigated(progress.race(moved)), () => {
      if (this.#input === 'sent') this.#input = 'overtaken';
    });
  }

  /** Types the text key by key, because the page ignored the inserted text. */
  async typeInstead(): Promise<void> {
    const { progress, page, ready, entry } = this.#prepared;
    if (!entry) return;
    await this.#trace.ignoreIfNavigated(progress.race(typeInstead(progress, { page, ready }, entry)));
    this.#first = this.#settle({ eventTimeout: 0, entry: { ...entry, isOver: true } });
    [this.#reports, this.#waits] = [[], 0];
    this.#followReport(this.#first);
  }

  #settle(late: Pick<DocumentSettling, 'eventTimeout' | 'entry'>): Promise<SettleReport | undefined> {
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
    // Keeps the rejected promise in the set, so that `nextEvent` throws its error.
    event.catch(ignoreRejection);
    this.#events.add(event);
  }
}

/** How to settle the action's document. With a `settleTimeout` of 0, does not wait for quiet frames. */
function settlingOf(
  { action: { settleTimeout, rest }, method }: PreparedAction,
  eventTimeout: number,
): Omit<DocumentSettling, 'eventTimeout'> {
  // The state changes in the click event, which the browser fires after the button is released.
  const awaitsListeners = method.confirm !== undefined;
  if (settleTimeout === 0) return { timeout: eventTimeout, frames: 0, ...(awaitsListeners && { awaitsListeners }) };
  return { timeout: settleTimeout, keepsWatching: true, ...(method.isLate && { isLate: true }), ...rest };
}

/**
 * The order of commands. `awaited`: the settle request, then the input. `together`: the input, then the settle request,
 * without waiting. `after`: the settle request is sent once the browser has acknowledged the input.
 */
type Order = 'awaited' | 'together' | 'after';

/**
 * Chooses the order of commands. If the settle request arrives before the text, the page can report at the input event,
 * one frame earlier than for a request after the text. This does not apply to a control that is set by script.
 */
function orderOf({
  method,
  ready,
  action,
  entry,
}: Pick<PreparedAction, 'method' | 'ready' | 'action' | 'entry'>): Order {
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
