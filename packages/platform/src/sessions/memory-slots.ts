import { noCapacity, type Place, type SlotLimits, type SlotRequest, type Slots } from './slots.ts';

interface Waiting {
  readonly project: string;
  readonly take: () => void;
}

/** Polling interval: nothing reports that a Grid node joined and added slots. */
const POLL_INTERVAL_MS = 1000;

/** Session slots of one server, counted in memory. */
export class MemorySlots implements Slots {
  readonly isShared = false;
  readonly #limits: SlotLimits;
  readonly #takenByProject = new Map<string, number>();
  readonly #queue: Waiting[] = [];
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get counts(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#queue.length };
  }

  async take({ project }: SlotRequest, signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    // Queued requests get new slots first.
    this.#wake();
    if (!this.#hasPlace(project)) await this.#wait(project, signal);
    else this.#count(project, 1);
    return this.#place(project);
  }

  hold({ project }: SlotRequest): Place {
    this.#count(project, 1);
    return this.#place(project);
  }

  offer(): void {
    // Slots are not shared with other servers.
  }

  async withdraw(): Promise<void> {
    // Slots are not shared with other servers.
  }

  async close(): Promise<void> {
    // All state is in memory.
  }

  #place(project: string): Place {
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      this.#count(project, -1);
      this.#wake();
    };
    return { free, leave: free };
  }

  #hasPlace(project: string): boolean {
    return this.#taken < this.#limits.capacity && this.#hasQuota(project);
  }

  #hasQuota(project: string): boolean {
    return (this.#takenByProject.get(project) ?? 0) < this.#limits.perProject;
  }

  #count(project: string, change: 1 | -1): void {
    const taken = (this.#takenByProject.get(project) ?? 0) + change;
    if (taken > 0) this.#takenByProject.set(project, taken);
    else this.#takenByProject.delete(project);
    this.#taken += change;
  }

  async #wait(project: string, signal: AbortSignal): Promise<void> {
    const queued = this.#queue.filter((waiting) => waiting.project === project).length;
    if (queued >= this.#limits.queuePerProject) throw this.#refusal(project);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { project, take: resolve };
    this.#queue.push(waiting);
    const leave = (reason: unknown): void => {
      const place = this.#queue.indexOf(waiting);
      if (place < 0) return;
      this.#queue.splice(place, 1);
      reject(reason);
    };
    const abort = (): void => leave(signal.reason);
    const timer = setTimeout(() => leave(this.#refusal(project)), this.#limits.queueTimeout);
    const again = setInterval(() => this.#wake(), POLL_INTERVAL_MS);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Gives free slots to the longest-waiting requests whose projects are within their quota. */
  #wake(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#count(next.project, 1);
      next.take();
    }
  }

  #next(): Waiting | undefined {
    return this.#queue.find(({ project }) => this.#hasPlace(project));
  }

  #refusal(project: string): Error {
    return noCapacity(this.#limits, this.#hasQuota(project));
  }
}
