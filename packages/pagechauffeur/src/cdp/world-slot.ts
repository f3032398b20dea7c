import { DriverClosedError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

/** A world that ends with its document. */
interface DocumentBound {
  end(): void;
}

/** Finds a world and passes it on, in the order of the browser's events. */
type Search<W> = (found: (world: W) => void) => Promise<void>;

/**
 * Holds one kind of world of a frame. The search starts on first use. If the document goes away meanwhile, waiting
 * calls get the
 * next document's world.
 */
export class WorldSlot<W extends DocumentBound> {
  readonly #find: Search<W>;
  #promise: Deferred<W> = deferred();
  #current: W | undefined;
  /**
   * `missed`: the search failed because the frame was changing. The next frame event or the next call starts it again.
   */
  #state: 'empty' | 'sought' | 'missed' | 'found' | 'failed' = 'empty';
  /** Number of the current search. Results of older searches belong to earlier documents. */
  #search = 0;

  constructor(find: Search<W>) {
    this.#find = find;
  }

  /** The world of the current or the next document. */
  get world(): Promise<W> {
    if (this.#state === 'empty' || this.#state === 'missed') this.#seek();
    return this.#promise.promise;
  }

  /** The document is gone. */
  empty(): void {
    const isWanted = this.#state === 'sought' || this.#state === 'missed';
    if (!isWanted) this.#renew();
    this.#search += 1;
    this.#state = 'empty';
    if (isWanted) this.#seek();
  }

  /** A call has shown that the world is gone. */
  lose(world: W): void {
    if (this.#current === world) this.empty();
  }

  /** There will be no world. */
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

/** A frame that changes its document or process is unknown for a moment. Removal is reported separately. */
function isOfPassingFrame(error: unknown): boolean {
  return [ProtocolError, DriverClosedError, DocumentGoneError].some((kind) => error instanceof kind);
}
