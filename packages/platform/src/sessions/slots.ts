import { PlatformError } from '../errors.ts';

/** How many sessions may live and wait. */
export interface SlotLimits {
  /** Sessions of all projects at once. */
  readonly capacity: number;
  /** Sessions of one project at once. */
  readonly perProject: number;
  /** Requests of one project that may wait. */
  readonly queuePerProject: number;
  /** Milliseconds that a request waits at most. */
  readonly queueTimeout: number;
}

interface Waiting {
  readonly project: string;
  readonly take: () => void;
}

/** Seconds after which a place may be free; nobody knows when a tenant ends a session. */
const RETRY_AFTER_S = 5;

/** The places for sessions. Who finds none waits a while, in turn, but behind no other project's quota. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #takenByProject = new Map<string, number>();
  readonly #queue: Waiting[] = [];
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Places in use, and requests that wait. */
  get counts(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#queue.length };
  }

  /** Takes a place and gives what frees it. Too many: `quota_exceeded` or `no_capacity`, with when to try again. */
  async take(project: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#hasPlace(project)) await this.#wait(project, signal);
    else this.#count(project, 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#count(project, -1);
      this.#wake();
    };
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
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Hands what is free to those who have waited longest among those who may have it. */
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

  #refusal(project: string): PlatformError {
    const { perProject } = this.#limits;
    const advice = `Release a session, or try again in ${RETRY_AFTER_S} s.`;
    if (this.#hasQuota(project))
      return new PlatformError('no_capacity', `No browser is free. ${advice}`, { retryAfter: RETRY_AFTER_S });
    return new PlatformError('quota_exceeded', `Your project has its ${perProject} sessions at once. ${advice}`, {
      retryAfter: RETRY_AFTER_S,
    });
  }
}
