/** How long a disconnected operator keeps control. */
const DISCONNECTED_CONTROL_MS = 15_000;

/**
 * Tracks who controls a session's browser: its clients, or one operator. A seat identifies an operator across
 * reconnects.
 */
export class SessionControl {
  readonly #watchers = new Set<() => void>();
  #seat: string | undefined;
  #releaseTimer: NodeJS.Timeout | undefined;

  get isTakenOver(): boolean {
    return this.#seat !== undefined;
  }

  /** Seat of the operator in control. Undefined while the clients are. */
  get seat(): string | undefined {
    return this.#seat;
  }

  isHeldBy(seat: string): boolean {
    return this.#seat === seat;
  }

  /** Gives control to this operator, even if another one has it. */
  takeOver(seat: string): void {
    if (this.#seat !== seat) this.#set(seat);
  }

  /** Returns control to the clients if this operator has it. */
  handBack(seat: string): void {
    if (this.#seat === seat) this.#set(undefined);
  }

  /** Returns control to the clients unless this operator comes back within 15 s. */
  leave(seat: string): void {
    clearTimeout(this.#releaseTimer);
    if (this.#seat === seat)
      this.#releaseTimer = setTimeout(() => this.handBack(seat), DISCONNECTED_CONTROL_MS).unref();
  }

  /** Keeps control with an operator who has reconnected. */
  reconnect(seat: string): void {
    if (this.#seat === seat) clearTimeout(this.#releaseTimer);
  }

  /** Calls `onChange` when control changes. Returns a function that removes the callback. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #set(seat: string | undefined): void {
    clearTimeout(this.#releaseTimer);
    this.#seat = seat;
    for (const onChange of [...this.#watchers]) onChange();
  }
}
