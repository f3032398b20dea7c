import type { WebSocket } from 'ws';
import { holdFor, releaseFor } from '../gateway/flow.ts';

/** What somebody who looks on may spend in a second. A mouse that moves sends 120 messages in that time, each costs one. */
const PER_SECOND = 300;
/** How much may be saved up. */
const MOST = 600;

/** How fast one socket is read. One that sends more than a person can is not read until it has paid for what it sent. */
export class MessagePace {
  readonly #socket: WebSocket;
  #left = MOST;
  #at = performance.now();
  #isWaiting = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Pays for a message that has come. */
  spend(cost: number): void {
    this.#earn();
    this.#left -= cost;
    if (this.#left >= 0) return;
    holdFor(this, this.#socket);
    this.#wait();
  }

  /** Several messages may come in one piece, each of which puts the time off. */
  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(
      () => {
        this.#isWaiting = false;
        this.#earn();
        if (this.#left < 0) this.#wait();
        else releaseFor(this, this.#socket);
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
