import type { WebSocket } from 'ws';
import { pauseReading, resumeReading } from '../gateway/backpressure.ts';

/** Budget per second. A moving mouse sends one message per animation frame, which costs 1. */
const PER_SECOND = 300;
/** Unused budget that a viewer can save up. */
const MOST = 600;

/** Limits the message rate of a socket: pauses reading while the budget is overdrawn. */
export class MessageRate {
  readonly #socket: WebSocket;
  #left = MOST;
  #at = performance.now();
  #isWaiting = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  spend(cost: number): void {
    this.#earn();
    this.#left -= cost;
    if (this.#left >= 0) return;
    pauseReading(this, this.#socket);
    this.#wait();
  }

  /**
   * One chunk may contain several messages. Only the first starts a timer, which checks the budget again when it fires.
   */
  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(
      () => {
        this.#isWaiting = false;
        this.#earn();
        if (this.#left < 0) this.#wait();
        else resumeReading(this, this.#socket);
      },
      Math.ceil((-this.#left / PER_SECOND) * 1000),
    ).unref();
  }

  #earn(): void {
    const now = performance.now();
    this.#left = Math.min(MOST, this.#left + ((now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
  }
}
