/** Who works in the browser of a session: its clients, or one person who has taken over. */
export class SessionControl {
  readonly #watchers = new Set<() => void>();
  #person: object | undefined;

  /** Whether a person has taken over. */
  get isTakenOver(): boolean {
    return this.#person !== undefined;
  }

  /** Whether this is the person. */
  isHeldBy(person: object): boolean {
    return this.#person === person;
  }

  /** Gives the browser to a person; the one who had it before has it no more. */
  takeOver(person: object): void {
    if (this.#person !== person) this.#set(person);
  }

  /** Gives it back to the clients, if this person has it. */
  handBack(person: object): void {
    if (this.#person === person) this.#set(undefined);
  }

  /** Calls `onChange` whenever somebody else has it, until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #set(person: object | undefined): void {
    this.#person = person;
    for (const onChange of [...this.#watchers]) onChange();
  }
}
