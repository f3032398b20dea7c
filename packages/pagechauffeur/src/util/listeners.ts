import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from './check-argument.ts';
import { deferred } from './deferred.ts';
import type { Log } from './log.ts';
import type { Progress } from './progress.ts';

/** A user's listener. Its return value is ignored; a returned promise is not awaited. */
export type Listener<Payload> = (payload: Payload) => unknown;

/** Starts to observe one kind of event. Returns a function that stops it. */
type Source<Payload> = (emit: (payload: Payload) => void) => () => void;

/**
 * Per event, the function that starts observing it, or `null` if events arrive through `emit`. Events without a
 * listener are not observed.
 */
export type Sources<Events> = { readonly [E in keyof Events]: Source<Events[E]> | null };

interface Entry {
  readonly listener: Listener<never>;
  readonly isOnce: boolean;
}

/** User listeners. If one throws, the error is logged and the other listeners still run. */
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

  /** Removes the most recently added entry of this listener. */
  off<E extends keyof Events & string>(event: E, listener: Listener<Events[E]>): void {
    this.#check(event, listener);
    const entries = this.#entriesOf(event);
    const last = entries.findLastIndex((entry) => entry.listener === listener);
    if (last >= 0) this.#keep(event, entries.toSpliced(last, 1));
  }

  /** True if the event has listeners. */
  has(event: keyof Events): boolean {
    return this.#entriesOf(event).length > 0;
  }

  /** Calls the listeners in the order they were added. `onFailure` is called for each one that throws or rejects. */
  emit<E extends keyof Events & string>(event: E, payload: Events[E], onFailure?: () => void): void {
    for (const entry of this.#entriesOf(event) as readonly (Entry & { listener: Listener<Events[E]> })[]) {
      if (entry.isOnce) this.#remove(event, entry);
      void this.#call(event, () => entry.listener(payload), onFailure);
    }
  }

  /** Waits for the first event that the predicate accepts. */
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
      this.#log.write('page', 0, `A listener of ${JSON.stringify(event)} threw: ${reason}`);
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

  /** Throws if the event name is unknown. */
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
