import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionToken } from '../injected/contract.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { onSharedAbort } from '../util/on-abort.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** The next action waits for what a failed one has left in flight until nothing of it comes to its end for this long: the page hangs then. */
const LEFTOVER_TIMEOUT_MS = 2000;

/** An action that wants a turn on a page. */
export interface TurnRequest {
  readonly progress: Progress;
  /** What it does, for the call logs of those that wait, such as `click on #save`. Never a value. */
  readonly label: string;
  /** Aborted, with the reason, when the page is gone. */
  readonly gone: AbortSignal;
  /** The oldest input that the browser has yet to take. */
  readonly inputInFlight: () => Promise<unknown> | undefined;
}

/** In whose turn code runs: as a part of its action, or as a handler of something that the action waits for. */
interface Surroundings {
  readonly turn: Turn;
  readonly role: 'part' | 'handler';
}

const surroundings = new AsyncLocalStorage<Surroundings>();

/**
 * Gives the actions of a page their turns: one at a time, first come first served. What handlers do meanwhile belongs to the turn that
 * waits for them, so that neither waits for the other.
 */
export class PageLock {
  readonly #queue: Queue = new Queue(this, undefined);
  #isPageStopped = false;
  #lastOrder = 0;

  /** Does `work` in a turn of its own. The turn is over when the work is, however it ends. */
  async run<T>(request: TurnRequest, work: (turn: Turn) => Promise<T>): Promise<T> {
    const { progress } = request;
    const turn = await this.#turn(request);
    const working = startWork(progress, turn, work);
    progress.race(working).catch(() => turn.endAfter(working, request));
    const result = await working;
    turn.end();
    return result;
  }

  /** Calls users' handlers of what has happened to the page: what they do to it is part of the action that has its turn now, if one has. */
  asHandler<T>(call: () => T): T {
    const turn = this.#queue.innermost;
    return turn ? surroundings.run({ turn, role: 'handler' }, call) : call();
  }

  /** While a dialog is open the page stands still: the action that waits for it sends nothing, so handlers need not wait for it. */
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
    progress.log(`waiting for the page's lock: ${queue.holder?.label} is running`);
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

/** Waits for a turn until the call's limit. A grace is for who can tell more of an element; nobody can here. */
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

/** The right to act on a page: from the last check of the element to the reported effect. */
export class Turn {
  readonly lock: PageLock;
  readonly label: string;
  /** By what the program in the page knows the action's guards. */
  readonly owner: ActionToken;
  /** In whose turn it was asked for, on this page or another one. */
  readonly around: Surroundings | undefined;
  /** Actions that are parts of this one, or done by handlers that it waits for. */
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

  /** Whether others wait for their turn. */
  get isWanted(): boolean {
    return this.#queue.isWanted;
  }

  /** Whether nothing of the action is being sent, so that handlers may act. */
  get isYielding(): boolean {
    return (this.#yields > 0 && this.#state === 'running') || this.lock.isPageStopped;
  }

  /** Waits for what the page or somebody else does; handlers may act on the page meanwhile. */
  async yielding<T>(wait: () => Promise<T>): Promise<T> {
    this.#yields += 1;
    this.nested.next();
    try {
      return await wait();
    } finally {
      this.#yields -= 1;
    }
  }

  /** Calls what acts on the page by calls of its own, which are parts of this action. */
  inside<T>(call: () => T): T {
    return surroundings.run({ turn: this, role: 'part' }, call);
  }

  /** The action is over. */
  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'ending';
    this.finishWhenAlone();
  }

  /** Something of the action that may go on in the page when its call has failed; the next action comes after it. */
  leave(leftover: Promise<unknown>): void {
    this.#leftovers.push(leftover);
  }

  /**
   * The action has failed or was given up. The next one waits until it has cleaned up and nothing that it sent is on its way any more, but
   * not for a page that hangs.
   */
  endAfter(working: Promise<unknown>, { inputInFlight }: Pick<TurnRequest, 'inputInFlight'>): void {
    void this.#endWithout([working, ...this.#leftovers], inputInFlight);
  }

  async #endWithout(
    leftovers: readonly Promise<unknown>[],
    inputInFlight: TurnRequest['inputInFlight'],
  ): Promise<void> {
    const isCleanedUp = await isSettled(Promise.allSettled(leftovers));
    // What is sent to a page that shows a dialog comes when that is answered.
    const mayCome = async (input: Promise<unknown>): Promise<boolean> =>
      (await isSettled(input)) || this.lock.isPageStopped;
    let input = isCleanedUp ? inputInFlight() : undefined;
    while (input && (await mayCome(input))) input = inputInFlight();
    this.end();
  }

  /** The next one has its turn when no handler acts any more. */
  finishWhenAlone(): void {
    if (this.#state !== 'ending' || this.nested.isTaken) return;
    this.#state = 'over';
    this.#queue.pass(this.nested);
  }
}

/** Whether something comes to its end before the page counts as one that hangs. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  return (await withTimeout(LEFTOVER_TIMEOUT_MS, Promise.allSettled([work]))) !== undefined;
}

let lastToken = 0;

function nextToken(): number {
  lastToken += 1;
  return lastToken;
}

/** Somebody who waits for a turn. */
interface Waiting {
  readonly order: number;
  readonly label: string;
  readonly around: Surroundings | undefined;
  /** Whether it is a part of the action that has the turn around. */
  isPart: boolean;
  readonly granted: Deferred<Turn>;
  /** Where it waits. */
  queue: Queue;
  turn?: Turn;
}

/** Those who wait for a turn on a page, or within somebody's turn, and the one who has it. */
class Queue {
  readonly lock: PageLock;
  /** Within whose turn it is. */
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

  /** Whether somebody has the turn. */
  get isTaken(): boolean {
    return this.#current !== undefined;
  }

  /** Whom the others wait for: who has the turn, or the action within which they wait while it sends input. */
  get holder(): Turn | undefined {
    return this.#current ?? this.turn;
  }

  /** The turn within all others. */
  get innermost(): Turn | undefined {
    return this.#current ? this.#current.nested.innermost : this.turn;
  }

  enter(...entering: readonly Waiting[]): void {
    this.#waiting = [...this.#waiting, ...entering].toSorted((one, other) => one.order - other.order);
    this.next();
  }

  leave(leaving: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== leaving);
    // Its turn came just as it left.
    leaving.turn?.end();
  }

  /** Gives a turn to the first who may have it now. */
  next(): void {
    if (this.#current) return;
    const next = this.#waiting.find(({ isPart }) => isPart || !this.turn || this.turn.isYielding);
    if (!next) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#current = new Turn(this, next);
    next.turn = this.#current;
    next.granted.resolve(this.#current);
  }

  /** A turn is over: those who waited within it wait here, in the order in which they came. */
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

/** The lock of a target: one in this process, whoever is attached to it. `leave` is to be called when the page is gone. */
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
