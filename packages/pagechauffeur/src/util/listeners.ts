import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from './check-argument.ts';
import { deferred } from './deferred.ts';
import type { Log } from './log.ts';
import type { Progress } from './progress.ts';

/** A user's event listener. The driver ignores the return value and does not await a returned promise. */
export type Listener<Payload> = (payload: Payload) => unknown;

type Source<Payload> = (emit: (payload: Payload) => void) => () => void;

/** How each event is observed while it has listeners. `null` for events that the driver passes to `emit` itself. */
export type Sources<Events> = { readonly [E in keyof Events]: Source<Events[E]> | null };

interface Entry {
  readonly listener: Listener<never>;
  readonly isOnce: boolean;
}

/** Listeners added by users. An error in one is logged and does not affect the others. */
export class Listeners<Events extends object> {
  readonly #sources: Sources<Events>;
  readonly #log: Log;
  readonly #entries = new Map<keyof Events, Entry[]>();
  readonly #stops = new Map<keyof Events, () => void>();

  constructor(sources: Sources<Events>, log: Log) {
    this.#sources = sources;
    this.#log = log;
  }

  /** Adds a listener. A listener that is added twice is called twice. */
  on<E extends keyof Events & string>(event: E, listener: Listener<Events[E]>, isOnce = false): void {
    this.#check(event, listener);
    this.#entries.set(event, [...this.#entriesOf(event), { listener, isOnce }]);
    if (this.#stops.has(event)) return;
    const stop = this.#sources[event]?.((payload) => this.emit(event, payload));
    if (stop) this.#stops.set(event, stop);
  }

  /** Removes the most recent registration of the listener. */
  off<E extends keyof Events & string>(event: E, listener: Listener<Events[E]>): void {
    this.#check(event, listener);
    const entries = this.#entriesOf(event);
    const last = entries.findLastIndex((entry) => entry.listener === listener);
    if (last >= 0) this.#keep(event, entries.toSpliced(last, 1));
  }

  has(event: keyof Events): boolean {
    return this.#entriesOf(event).length > 0;
  }

  /** Calls the listeners in the order they were added. Calls `onFailure` for each one that throws or rejects. */
  emit<E extends keyof Events & string>(event: E, payload: Events[E], onFailure?: () => void): void {
    for (const entry of this.#entriesOf(event) as readonly (Entry & { listener: Listener<Events[E]> })[]) {
      if (entry.isOnce) this.#remove(event, entry);
      void this.#call(event, () => entry.listener(payload), onFailure);
    }
  }

  /** Resolves with the first payload that the predicate accepts. */
  async next<E extends keyof Events & string>(
    progress: Progress,
    event: E,
    predicate: ((payload: Events[E]) => unknown) | undefined,
  ): Promise<Events[E]> {
    const found = deferred<Events[E]>();
    const consider = async (payload: Events[E]): Promise<void> => {
      try {
        if (!predicate || (await predicate(payload))) found.resolve(payload);
      } catch (error) {
        found.reject(error);
      }
    };
    this.on(event, consider);
    try {
      return await progress.race(found.promise);
    } finally {
      this.off(event, consider);
    }
  }

  async #call(event: string, listener: () => unknown, onFailure?: () => void): Promise<void> {
    try {
      await listener();
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#log.write('page', 0, `A listener for ${JSON.stringify(event)} threw: ${reason}`);
      onFailure?.();
    }
  }

  #entriesOf(event: keyof Events): readonly Entry[] {
    return this.#entries.get(event) ?? [];
  }

  #remove(event: keyof Events, gone: Entry): void {
    this.#keep(
      event,
      this.#entriesOf(event).filter((entry) => entry !== gone),
    );
  }

  #keep(event: keyof Events, entries: Entry[]): void {
    if (entries.length > 0) return void this.#entries.set(event, entries);
    this.#entries.delete(event);
    this.#stops.get(event)?.();
    this.#stops.delete(event);
  }

  #check(event: unknown, listener: unknown): void {
    this.checkEvent(event);
    if (typeof listener === 'function') return;
    throw new DriverInvalidArgumentError(`listener must be a function. Received ${describeValue(listener)}.`, {
      argument: 'listener',
    });
  }

  checkEvent(event: unknown): void {
    const names = Object.keys(this.#sources);
    if (typeof event === 'string' && names.includes(event)) return;
    throw new DriverInvalidArgumentError(
      `event must be one of ${names.join(', ')}. Received ${describeValue(event)}.`,
      {
        argument: 'event',
      },
    );
  }
}
