import { DriverClosedError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

interface DocumentBound {
  end(): void;
}

/** Calls `found` with the world. Rejects if there is none. */
type Search<W> = (found: (world: W) => void) => Promise<void>;

/**
 * Finds one world of a frame, main or isolated, on first use. If the document is replaced during the search, pending
 * calls get the next document's world.
 */
export class WorldSlot<W extends DocumentBound> {
  readonly #find: Search<W>;
  #promise: Deferred<W> = deferred();
  #current: W | undefined;
  /**
   * `sought`: the search is running. `missed`: it failed because the frame was changing, and starts again with the next
   * frame event or call. `failed`: there is no world until the next document.
   */
  #state: 'empty' | 'sought' | 'missed' | 'found' | 'failed' = 'empty';
  /** Identifies the current search. Results of earlier searches are discarded. */
  #search = 0;

  constructor(find: Search<W>) {
    this.#find = find;
  }

  /** Resolves to the world of the current document, or of a later one if that is replaced before its world is found. */
  get world(): Promise<W> {
    if (this.#state === 'empty' || this.#state === 'missed') this.#seek();
    return this.#promise.promise;
  }

  empty(): void {
    const isWanted = this.#state === 'sought' || this.#state === 'missed';
    if (!isWanted) this.#renew();
    this.#search += 1;
    this.#state = 'empty';
    if (isWanted) this.#seek();
  }

  /** Call when a call has shown that the world is gone. */
  lose(world: W): void {
    if (this.#current === world) this.empty();
  }

  /** Call when the frame has no world until its next document. Pending calls reject. */
  fail(reason: unknown): void {
    if (this.#state === 'found') this.#renew();
    this.#search += 1;
    this.#state = 'failed';
    this.#promise.reject(reason);
  }

  #renew(): void {
    this.#current?.end();
    this.#current = undefined;
    if (this.#state !== 'empty') this.#promise = deferred();
  }

  #seek(): void {
    this.#search += 1;
    const search = this.#search;
    this.#state = 'sought';
    this.#find((world) => this.#fill(search, world)).catch((error: unknown) => this.#miss(search, error));
  }

  #fill(search: number, world: W): void {
    if (search !== this.#search) return world.end();
    this.#state = 'found';
    this.#current = world;
    this.#promise.resolve(world);
  }

  #miss(search: number, error: unknown): void {
    if (search !== this.#search || this.#state !== 'sought') return;
    if (isOfPassingFrame(error)) this.#state = 'missed';
    else this.fail(error);
  }
}

/**
 * A frame that is changing its document or process is unknown to the browser for a moment. Its removal is reported
 * separately.
 */
function isOfPassingFrame(error: unknown): boolean {
  return [ProtocolError, DriverClosedError, DocumentGoneError].some((kind) => error instanceof kind);
}
