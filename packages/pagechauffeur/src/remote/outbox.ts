/** Keeps sent messages until the other side confirms them. Messages are numbered from 1. */
export class Outbox {
  readonly #messages: string[] = [];
  /** Length of all unconfirmed messages, in characters. */
  size = 0;
  /** Number of the last confirmed message. */
  #confirmed = 0;

  /** Stores a message that is being sent. */
  push(message: string): void {
    this.#messages.push(message);
    this.size += message.length;
  }

  /** Drops all messages up to number `received`. */
  confirm(received: number): void {
    const gone = this.#messages.splice(0, Math.max(0, received - this.#confirmed));
    for (const message of gone) this.size -= message.length;
    this.#confirmed += gone.length;
  }

  /**
   * Returns the messages after number `received`. Undefined if some of them are already dropped, or the number was
   * never sent.
   */
  after(received: number): readonly string[] | undefined {
    const isKnown = received >= this.#confirmed && received <= this.#confirmed + this.#messages.length;
    return isKnown ? this.#messages.slice(received - this.#confirmed) : undefined;
  }
}
