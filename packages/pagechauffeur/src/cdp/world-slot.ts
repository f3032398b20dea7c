import { DriverClosedError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

/** What knows when its document has gone away. */
interface Mortal {
  end(): void;
}

/** Looks for a world and hands it over, in the order of the browser's events. */
type Search<W> = (found: (world: W) => void) => Promise<void>;

/**
 * The place of one kind of world of a frame. It is looked for when it is first asked for; who waits when the document
 * goes away gets the world of the next.
 */
export class WorldSlot<W extends Mortal> {
  readonly #find: Search<W>;
  #promise: Deferred<W> = deferred();
  #current: W | undefined;
  /** `missed`: it is waited for, but the browser could not tell it; the next event of the frame or the next to ask has it looked for anew. */
  #state: 'empty' | 'sought' | 'missed' | 'found' | 'failed' = 'empty';
  /** Which search counts; what others find belongs to documents that have gone. */
  #search = 0;

  constructor(find: Search<W>) {
    this.#find = find;
  }

  /** The world of the document that is there, or of the next to come. */
  get world(): Promise<W> {
    if (this.#state === 'empty' || this.#state === 'missed') this.#seek();
    return this.#promise.promise;
  }

  /** The document has gone away. */
  empty(): void {
    const isWanted = this.#state === 'sought' || this.#state === 'missed';
    if (!isWanted) this.#renew();
    this.#search += 1;
    this.#state = 'empty';
    if (isWanted) this.#seek();
  }

  /** This world turned out to be gone. */
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

/** A frame between two documents or processes is not known for a moment; that it has left for good is told elsewhere. */
function isOfPassingFrame(error: unknown): boolean {
  return [ProtocolError, DriverClosedError, DocumentGoneError].some((kind) => error instanceof kind);
}
