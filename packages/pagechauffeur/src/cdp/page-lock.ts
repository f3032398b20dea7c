import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionToken } from '../injected/contract.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { onSharedAbort } from '../util/on-abort.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/**
 * How long the next action waits without any progress of a failed action's leftovers. After that the page counts as
 * hung.
 */
const LEFTOVER_TIMEOUT_MS = 2000;

/** An action that requests a turn on a page. */
export interface TurnRequest {
  readonly progress: Progress;
  /** Describes the action for the call logs of waiting calls, such as `click on #save`. Never contains values. */
  readonly label: string;
  /** Aborts with the reason when the page is gone. */
  readonly gone: AbortSignal;
  /** The oldest input that the browser has not acknowledged. */
  readonly inputInFlight: () => Promise<unknown> | undefined;
}

/** The turn in which code runs: as part of its action, or in an event handler that the action waits for. */
interface Surroundings {
  readonly turn: Turn;
  readonly role: 'part' | 'handler';
}

const surroundings = new AsyncLocalStorage<Surroundings>();

/**
 * Runs the actions of a page one at a time, in the order they were requested. Actions of event handlers belong to the
 * turn
 * that waits for them, so that neither blocks the other.
 */
export class PageLock {
  readonly #queue: Queue = new Queue(this, undefined);
  #isPageStopped = false;
  #lastOrder = 0;

  /** Runs `work` in its own turn. The turn ends when the work settles. */
  async run<T>(request: TurnRequest, work: (turn: Turn) => Promise<T>): Promise<T> {
    const { progress } = request;
    const turn = await this.#turn(request);
    const working = startWork(progress, turn, work);
    progress.race(working).catch(() => turn.endAfter(working, request));
    const result = await working;
    turn.end();
    return result;
  }

  /** Calls a user's event handler. Its actions become part of the current turn, if there is one. */
  asHandler<T>(call: () => T): T {
    const turn = this.#queue.innermost;
    return turn ? surroundings.run({ turn, role: 'handler' }, call) : call();
  }

  /** An open dialog blocks the page. The action that waits for it sends nothing, so handlers run at once. */
  set isPageStopped(isStopped: boolean) {
    this.#isPageStopped = isStopped;
    this.#queue.innermost?.nested.next();
  }

  get isPageStopped(): boolean {
    return this.#isPageStopped;
  }

  async #turn({ progress, label, gone }: TurnRequest): Promise<Turn> {
    progress.throwIfEnded();
    gone.throwIfAborted();
    this.#lastOrder += 1;
    const around = surroundings.getStore();
    const granted = deferred<Turn>();
    const { queue, isPart } = this.#queueFor(around);
    const waiting: Waiting = { order: this.#lastOrder, label, around, isPart, granted, queue };
    queue.enter(waiting);
    if (waiting.turn) return waiting.turn;
    progress.log(`waiting for the page lock: ${queue.holder?.label} is running`);
    const stop = onSharedAbort(gone, () => granted.reject(gone.reason));
    try {
      return await inTime(progress, granted.promise);
    } catch (error) {
      waiting.queue.leave(waiting);
      throw error;
    } finally {
      stop();
    }
  }

  #queueFor(around: Surroundings | undefined): { readonly queue: Queue; readonly isPart: boolean } {
    for (let place = around; place; place = place.turn.around)
      if (place.turn.lock === this && !place.turn.isOver)
        return { queue: place.turn.nested, isPart: place.role === 'part' };
    return { queue: this.#queue, isPart: false };
  }
}

/**
 * Waits for a turn until the call's limit. The grace period is skipped: only the page could report more, and it was not
 * asked yet.
 */
async function inTime(progress: Progress, granted: Promise<Turn>): Promise<Turn> {
  const turn = await progress.race(withTimeout(progress.remaining, granted));
  if (turn) return turn;
  progress.timeOut();
  return progress.race(granted);
}

async function startWork<T>(progress: Progress, turn: Turn, work: (turn: Turn) => Promise<T>): Promise<T> {
  progress.throwIfEnded();
  return work(turn);
}

/** The right to act on a page, from the last check of the element to the reported effect. */
export class Turn {
  readonly lock: PageLock;
  readonly label: string;
  /** Identifies the action's guards in the injected script. */
  readonly owner: ActionToken;
  /** The turn it was requested in, on this or another page. */
  readonly around: Surroundings | undefined;
  /** Actions that are part of this one, including those of handlers that it waits for. */
  readonly nested: Queue;
  readonly #queue: Queue;
  #state: 'running' | 'ending' | 'over' = 'running';
  readonly #leftovers: Promise<unknown>[] = [];
  #yields = 0;

  constructor(queue: Queue, { label, around }: Pick<Waiting, 'label' | 'around'>) {
    const { lock, turn: outer } = queue;
    this.lock = lock;
    this.label = label;
    this.around = around;
    this.#queue = queue;
    this.owner = { token: nextToken(), within: outer ? [...outer.owner.within, outer.owner.token] : [] };
    this.nested = new Queue(lock, this);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** True if other actions wait. */
  get isWanted(): boolean {
    return this.#queue.isWanted;
  }

  /** True if the action is not sending anything, so that handlers may act. */
  get isYielding(): boolean {
    return (this.#yields > 0 && this.#state === 'running') || this.lock.isPageStopped;
  }

  /** Waits for the page or the user. Meanwhile, handlers may act on the page. */
  async yielding<T>(wait: () => Promise<T>): Promise<T> {
    this.#yields += 1;
    this.nested.next();
    try {
      return await wait();
    } finally {
      this.#yields -= 1;
    }
  }

  /** Calls code whose actions on the page become part of this action. */
  inside<T>(call: () => T): T {
    return surroundings.run({ turn: this, role: 'part' }, call);
  }

  /** Ends the turn. */
  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'ending';
    this.finishWhenAlone();
  }

  /** Registers work that may outlive a failed call. The next action waits for it. */
  leave(leftover: Promise<unknown>): void {
    this.#leftovers.push(leftover);
  }

  /**
   * Ends the turn of a failed or abandoned action. The next action waits until this one has cleaned up and none of its
   * input is pending,
   * unless the page hangs.
   */
  endAfter(working: Promise<unknown>, { inputInFlight }: Pick<TurnRequest, 'inputInFlight'>): void {
    void this.#endWithout([working, ...this.#leftovers], inputInFlight);
  }

  async #endWithout(
    leftovers: readonly Promise<unknown>[],
    inputInFlight: TurnRequest['inputInFlight'],
  ): Promise<void> {
    const isCleanedUp = await isSettled(Promise.allSettled(leftovers));
    // Input to a page with an open dialog arrives after the dialog is answered.
    const mayCome = async (input: Promise<unknown>): Promise<boolean> =>
      (await isSettled(input)) || this.lock.isPageStopped;
    let input = isCleanedUp ? inputInFlight() : undefined;
    while (input && (await mayCome(input))) input = inputInFlight();
    this.end();
  }

  /** Starts the next turn once no handler is acting. */
  finishWhenAlone(): void {
    if (this.#state !== 'ending' || this.nested.isTaken) return;
    this.#state = 'over';
    this.#queue.pass(this.nested);
  }
}

/** True if something settles before the page counts as hung. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  return (await withTimeout(LEFTOVER_TIMEOUT_MS, Promise.allSettled([work]))) !== undefined;
}

let lastToken = 0;

function nextToken(): number {
  lastToken += 1;
  return lastToken;
}

/** A request that waits for a turn. */
interface Waiting {
  readonly order: number;
  readonly label: string;
  readonly around: Surroundings | undefined;
  /** True if it is part of the action whose turn surrounds it. */
  isPart: boolean;
  readonly granted: Deferred<Turn>;
  /** The queue it waits in. */
  queue: Queue;
  turn?: Turn;
}

/** Requests that wait for a turn on a page or inside another turn, and the current turn. */
class Queue {
  readonly lock: PageLock;
  /** The surrounding turn. */
  readonly turn: Turn | undefined;
  #current: Turn | undefined;
  #waiting: readonly Waiting[] = [];

  constructor(lock: PageLock, turn: Turn | undefined) {
    this.lock = lock;
    this.turn = turn;
  }

  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** True if a turn is active. */
  get isTaken(): boolean {
    return this.#current !== undefined;
  }

  /** The turn that the queue waits for: the active one, or the surrounding action while it sends input. */
  get holder(): Turn | undefined {
    return this.#current ?? this.turn;
  }

  /** The innermost active turn. */
  get innermost(): Turn | undefined {
    return this.#current ? this.#current.nested.innermost : this.turn;
  }

  enter(...entering: readonly Waiting[]): void {
    this.#waiting = [...this.#waiting, ...entering].toSorted((one, other) => one.order - other.order);
    this.next();
  }

  leave(leaving: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== leaving);
    // Its turn started at the moment the request was withdrawn.
    leaving.turn?.end();
  }

  /** Starts the next turn if one may start. */
  next(): void {
    if (this.#current) return;
    const next = this.#waiting.find(({ isPart }) => isPart || !this.turn || this.turn.isYielding);
    if (!next) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#current = new Turn(this, next);
    next.turn = this.#current;
    next.granted.resolve(this.#current);
  }

  /** Moves requests that waited inside an ended turn to this queue, in order. */
  pass(nested: Queue): void {
    this.#current = undefined;
    const left = nested.#waiting;
    nested.#waiting = [];
    for (const waiting of left) {
      waiting.queue = this;
      waiting.isPart = false;
    }
    this.enter(...left);
    this.turn?.finishWhenAlone();
  }
}

interface SharedLock {
  readonly lock: PageLock;
  users: number;
}

const lockByTarget = new Map<string, SharedLock>();

/** Returns the lock of a target. All connections of this process share it. Call `leave` when the page is gone. */
export function sharePageLock(targetId: string): { readonly lock: PageLock; readonly leave: () => void } {
  const shared = lockByTarget.get(targetId) ?? { lock: new PageLock(), users: 0 };
  shared.users += 1;
  lockByTarget.set(targetId, shared);
  const leave = (): void => {
    shared.users -= 1;
    if (shared.users === 0) lockByTarget.delete(targetId);
  };
  return { lock: shared.lock, leave };
}
