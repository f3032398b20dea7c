/** Sent messages that may have to be resent, numbered from 1. */
export class Outbox {
  readonly #messages: string[] = [];
  /** Total number of characters. */
  size = 0;
  /** Number of the last message that the other side confirmed. */
  #confirmed = 0;

  /** Adds a message that is being sent. */
  push(message: string): void {
    this.#messages.push(message);
    this.size += message.length;
  }

  /** Confirms all messages up to this number. */
  confirm(received: number): void {
    const gone = this.#messages.splice(0, Math.max(0, received - this.#confirmed));
    for (const message of gone) this.size -= message.length;
    this.#confirmed += gone.length;
  }

  /** Returns the messages after a number. Undefined if they are no longer available or were never sent. */
  after(received: number): readonly string[] | undefined {
    const isKnown = received >= this.#confirmed && received <= this.#confirmed + this.#messages.length;
    return isKnown ? this.#messages.slice(received - this.#confirmed) : undefined;
  }
}
