import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionToken } from '../injected/contract.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { onSharedAbort } from '../util/on-abort.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/**
 * Time in ms that a failed action may take to clean up, or to have its input acknowledged. After that, the page counts
 * as hung, and the next action starts.
 */
const CLEANUP_TIMEOUT_MS = 2000;

export interface TurnRequest {
  readonly progress: Progress;
  /** Name of the action in the call logs of waiting calls, such as `click on #save`. Must not contain values. */
  readonly label: string;
  /** Aborts when the page is gone, with a `DriverClosedError` as the reason. */
  readonly gone: AbortSignal;
  /** Returns the oldest input that the browser has not acknowledged. */
  readonly inputInFlight: () => Promise<unknown> | undefined;
}

/**
 * Where code runs. `part`: in the action that holds the turn. `handler`: in an event handler that was called during
 * this action.
 */
interface TurnContext {
  readonly turn: Turn;
  readonly role: 'part' | 'handler';
}

const turnContext = new AsyncLocalStorage<TurnContext>();

/**
 * Runs the actions of a page one at a time, in the order of their requests. Actions of an event handler run inside the
 * turn during which the handler was called, so that neither blocks the other.
 */
export class PageLock {
  readonly #queue: Queue = new Queue(this, undefined);
  #isPageStopped = false;
  #lastOrder = 0;

  async run<T>(request: TurnRequest, work: (turn: Turn) => Promise<T>): Promise<T> {
    const { progress } = request;
    const turn = await this.#turn(request);
    const working = startWork(progress, turn, work);
    progress.race(working).catch(() => turn.endAfter(working, request));
    const result = await working;
    turn.end();
    return result;
  }

  /** Calls a user's event handler. Its actions run inside the current turn, if there is one. */
  asHandler<T>(call: () => T): T {
    const turn = this.#queue.innermost;
    return turn ? turnContext.run({ turn, role: 'handler' }, call) : call();
  }

  /** Set while a dialog is open. The action that the dialog blocks sends nothing, so handlers may act immediately. */
  set isPageStopped(isStopped: boolean) {
    this.#isPageStopped = isStopped;
    this.#queue.innermost?.nested.next();
  }

  get isPageStopped(): boolean {
    return this.#isPageStopped;
  }

  /** True while an action runs on the page. */
  get isTaken(): boolean {
    return this.#queue.isTaken;
  }

  /** Resolves when no action runs on the page. */
  async whenFree(): Promise<void> {
    while (this.isTaken) await this.#queue.nextEnd();
  }

  async #turn({ progress, label, gone }: TurnRequest): Promise<Turn> {
    progress.throwIfEnded();
    gone.throwIfAborted();
    this.#lastOrder += 1;
    const parent = turnContext.getStore();
    const granted = deferred<Turn>();
    const { queue, isPart } = this.#queueFor(parent);
    const waiting: Waiting = { order: this.#lastOrder, label, parent, isPart, granted, queue };
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

  #queueFor(parent: TurnContext | undefined): { readonly queue: Queue; readonly isPart: boolean } {
    for (let ancestor = parent; ancestor; ancestor = ancestor.turn.parent)
      if (ancestor.turn.lock === this && !ancestor.turn.isOver)
        return { queue: ancestor.turn.nested, isPart: ancestor.role === 'part' };
    return { queue: this.#queue, isPart: false };
  }
}

/** Does not use the grace period, which is for the page's report: the page has not been called yet. */
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

/** The exclusive right to act on a page for the duration of one action. */
export class Turn {
  readonly lock: PageLock;
  readonly label: string;
  /** Its token identifies the action's guards in the injected script. */
  readonly owner: ActionToken;
  /** Where the turn was requested: in another turn on this or another page, or `undefined`. */
  readonly parent: TurnContext | undefined;
  /** Actions that run inside this turn, including those of event handlers. */
  readonly nested: Queue;
  readonly #queue: Queue;
  #state: 'running' | 'ending' | 'over' = 'running';
  readonly #leftovers: Promise<unknown>[] = [];
  #yields = 0;

  constructor(queue: Queue, { label, parent }: Pick<Waiting, 'label' | 'parent'>) {
    const { lock, turn: outer } = queue;
    this.lock = lock;
    this.label = label;
    this.parent = parent;
    this.#queue = queue;
    this.owner = { token: nextToken(), within: outer ? [...outer.owner.within, outer.owner.token] : [] };
    this.nested = new Queue(lock, this);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get isWanted(): boolean {
    return this.#queue.isWanted;
  }

  /** True while the action sends nothing, so that handlers may act. */
  get isYielding(): boolean {
    return (this.#yields > 0 && this.#state === 'running') || this.lock.isPageStopped;
  }

  /** Runs a wait during which handlers may act on the page. */
  async yielding<T>(wait: () => Promise<T>): Promise<T> {
    this.#yields += 1;
    this.nested.next();
    try {
      return await wait();
    } finally {
      this.#yields -= 1;
    }
  }

  /** Calls code whose actions on the page run inside this turn. */
  inside<T>(call: () => T): T {
    return turnContext.run({ turn: this, role: 'part' }, call);
  }

  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'ending';
    this.finishWhenAlone();
  }

  /** Registers work that may continue after the call has failed. The next action waits for it, at most 2 s. */
  leave(leftover: Promise<unknown>): void {
    this.#leftovers.push(leftover);
  }

  /**
   * Ends the turn of a failed or abandoned action, after it has cleaned up and its input is acknowledged, or when the
   * page counts as hung. Until then, no other action starts.
   */
  endAfter(working: Promise<unknown>, { inputInFlight }: Pick<TurnRequest, 'inputInFlight'>): void {
    void this.#endWithout([working, ...this.#leftovers], inputInFlight);
  }

  async #endWithout(
    leftovers: readonly Promise<unknown>[],
    inputInFlight: TurnRequest['inputInFlight'],
  ): Promise<void> {
    const isCleanedUp = await isSettled(Promise.allSettled(leftovers));
    // Input to a page with an open dialog is acknowledged after the dialog is answered.
    const mayCome = async (input: Promise<unknown>): Promise<boolean> =>
      (await isSettled(input)) || this.lock.isPageStopped;
    let input = isCleanedUp ? inputInFlight() : undefined;
    while (input && (await mayCome(input))) input = inputInFlight();
    this.end();
  }

  /** Ends the turn if its own action has ended and no action runs inside it. */
  finishWhenAlone(): void {
    if (this.#state !== 'ending' || this.nested.isTaken) return;
    this.#state = 'over';
    this.#queue.pass(this.nested);
  }
}

/** False if the work takes so long that the page counts as hung. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  return (await withTimeout(CLEANUP_TIMEOUT_MS, Promise.allSettled([work]))) !== undefined;
}

let lastToken = 0;

function nextToken(): number {
  lastToken += 1;
  return lastToken;
}

interface Waiting {
  readonly order: number;
  readonly label: string;
  readonly parent: TurnContext | undefined;
  /** True if the surrounding action made the request itself, rather than a handler. */
  isPart: boolean;
  readonly granted: Deferred<Turn>;
  queue: Queue;
  turn?: Turn;
}

/** A page's queue, or the queue inside a turn: the current turn and the requests that wait. */
class Queue {
  readonly lock: PageLock;
  /** The turn around this queue. `undefined` for the page's queue. */
  readonly turn: Turn | undefined;
  #current: Turn | undefined;
  #waiting: readonly Waiting[] = [];
  #end: Deferred<void> | undefined;

  constructor(lock: PageLock, turn: Turn | undefined) {
    this.lock = lock;
    this.turn = turn;
  }

  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  get isTaken(): boolean {
    return this.#current !== undefined;
  }

  /** The turn that the requests wait for: the current one, or the surrounding one while it sends input. */
  get holder(): Turn | undefined {
    return this.#current ?? this.turn;
  }

  /** The innermost turn that is running in this queue, else the turn around the queue. */
  get innermost(): Turn | undefined {
    return this.#current ? this.#current.nested.innermost : this.turn;
  }

  enter(...entering: readonly Waiting[]): void {
    this.#waiting = [...this.#waiting, ...entering].toSorted((one, other) => one.order - other.order);
    this.next();
  }

  leave(leaving: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== leaving);
    // The turn can start in the same moment in which the request is withdrawn.
    leaving.turn?.end();
  }

  /** Starts the next turn if none is active and the surrounding one permits it. */
  next(): void {
    if (this.#current) return;
    const next = this.#waiting.find(({ isPart }) => isPart || !this.turn || this.turn.isYielding);
    if (!next) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#current = new Turn(this, next);
    next.turn = this.#current;
    next.granted.resolve(this.#current);
  }

  /** Resolves when a turn of this queue ends. */
  nextEnd(): Promise<void> {
    this.#end ??= deferred();
    return this.#end.promise;
  }

  /** When a turn ends, requests that still wait inside it continue in this queue, in order. */
  pass(nested: Queue): void {
    this.#current = undefined;
    const left = nested.#waiting;
    nested.#waiting = [];
    for (const waiting of left) {
      waiting.queue = this;
      waiting.isPart = false;
    }
    this.enter(...left);
    this.#end?.resolve();
    this.#end = undefined;
    this.turn?.finishWhenAlone();
  }
}

interface SharedLock {
  readonly lock: PageLock;
  users: number;
}

const lockByTarget = new Map<string, SharedLock>();

/** Returns the lock of a target, which all connections of this process share. Call `leave` when the page is gone. */
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
