/** Messages that were sent and may have to be sent again, numbered from 1 in the order they were sent. */
export class Outbox {
  readonly #messages: string[] = [];
  /** Characters of all messages in it. */
  size = 0;
  /** The number of the last message that the other side has. */
  #confirmed = 0;

  /** Adds a message that is sent now. */
  push(message: string): void {
    this.#messages.push(message);
    this.size += message.length;
  }

  /** The other side has all messages up to this number. */
  confirm(received: number): void {
    const gone = this.#messages.splice(0, Math.max(0, received - this.#confirmed));
    for (const message of gone) this.size -= message.length;
    this.#confirmed += gone.length;
  }

  /** What comes after a number; undefined when that cannot be told any more, or never was sent. */
  after(received: number): readonly string[] | undefined {
    const isKnown = received >= this.#confirmed && received <= this.#confirmed + this.#messages.length;
    return isKnown ? this.#messages.slice(received - this.#confirmed) : undefined;
  }
}
