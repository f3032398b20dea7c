/** Time for a disconnected operator to return. After that, the clients get the browser back. */
const AWAY_MS = 15_000;

/**
 * Who controls a session's browser: its clients, or one operator who has taken over. Operators are identified by their
 * seat.
 */
export class SessionControl {
  readonly #watchers = new Set<() => void>();
  #seat: string | undefined;
  #away: NodeJS.Timeout | undefined;

  /** True if an operator has taken over. */
  get isTakenOver(): boolean {
    return this.#seat !== undefined;
  }

  /** Seat of that operator. */
  get seat(): string | undefined {
    return this.#seat;
  }

  /** True if the operator in this seat is in control. */
  isHeldBy(seat: string): boolean {
    return this.#seat === seat;
  }

  /** Gives control to an operator. An earlier operator loses it. */
  takeOver(seat: string): void {
    if (this.#seat !== seat) this.#set(seat);
  }

  /** Returns control to the clients if this operator has it. */
  handBack(seat: string): void {
    if (this.#seat === seat) this.#set(undefined);
  }

  /** The operator disconnected. They may return for a while. */
  leave(seat: string): void {
    clearTimeout(this.#away);
    if (this.#seat === seat) this.#away = setTimeout(() => this.handBack(seat), AWAY_MS).unref();
  }

  /** The operator returned. */
  comeBack(seat: string): void {
    if (this.#seat === seat) clearTimeout(this.#away);
  }

  /** Calls `onChange` when control changes. Returns a function that removes the callback. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #set(seat: string | undefined): void {
    clearTimeout(this.#away);
    this.#seat = seat;
    for (const onChange of [...this.#watchers]) onChange();
  }
}
