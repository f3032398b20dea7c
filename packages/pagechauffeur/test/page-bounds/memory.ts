/** How far the memory of this process is above what it was, in MB, while something runs; garbage is collected before. */
export class MemoryWatch implements Disposable {
  readonly #idle: number;
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor() {
    this.#idle = process.memoryUsage.rss();
    this.#timer = setInterval(() => this.#look(), 20);
  }

  /** The most so far. */
  get aboveIdle(): number {
    this.#look();
    return Math.round((this.#peak - this.#idle) / 1e6);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }
}

/** MB above idle that no page may make the driver take. */
export const MAX_ABOVE_IDLE = 200;
