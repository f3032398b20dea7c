/** The connection of who has taken over may be lost for so long before the browser is given back. */
const AWAY_MS = 15_000;

/** Who works in the browser of a session: its clients, or one person who has taken over. A person is known by the seat they took. */
export class SessionControl {
  readonly #watchers = new Set<() => void>();
  #seat: string | undefined;
  #away: NodeJS.Timeout | undefined;

  /** Whether a person has taken over. */
  get isTakenOver(): boolean {
    return this.#seat !== undefined;
  }

  /** The seat of that person. */
  get seat(): string | undefined {
    return this.#seat;
  }

  /** Whether it is the person of this seat. */
  isHeldBy(seat: string): boolean {
    return this.#seat === seat;
  }

  /** Gives the browser to a person; the one who had it before has it no more. */
  takeOver(seat: string): void {
    if (this.#seat !== seat) this.#set(seat);
  }

  /** Gives it back to the clients, if this person has it. */
  handBack(seat: string): void {
    if (this.#seat === seat) this.#set(undefined);
  }

  /** This person is gone, and may come back for a while. */
  leave(seat: string): void {
    clearTimeout(this.#away);
    if (this.#seat === seat) this.#away = setTimeout(() => this.handBack(seat), AWAY_MS).unref();
  }

  /** This person is back. */
  comeBack(seat: string): void {
    if (this.#seat === seat) clearTimeout(this.#away);
  }

  /** Calls `onChange` whenever somebody else has it, until the returned function is called. */
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
