/** A string to search for. `owner` is the value it represents. */
export interface Form<T> {
  /** Lower case, at least 3 characters. */
  readonly text: string;
  readonly owner: T;
}

/** Forms are indexed by their first 3 characters. */
const LEAD = 3;
/** Slots of the hash table that rules out most text positions with one lookup. */
const TABLE_SIZE = 1 << 14;

/** Finds candidates for many strings at once, in a time that depends mainly on the length of the text. */
export class FormIndex<T> {
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #formsByLead = new Map<string, Form<T>[]>();

  get isEmpty(): boolean {
    return this.#formsByLead.size === 0;
  }

  /** Longer forms take precedence over shorter ones with the same first characters. */
  add(form: Form<T>): void {
    const lead = form.text.slice(0, LEAD);
    const forms = this.#formsByLead.get(lead) ?? [];
    forms.push(form);
    forms.sort((a, b) => b.text.length - a.text.length);
    this.#formsByLead.set(lead, forms);
    this.#table[slotAt(form.text, 0)] = 1;
  }

  /** Returns the forms with the same first characters, longest first. The caller compares the rest. */
  candidatesAt(text: string, index: number): readonly Form<T>[] {
    if (this.#table[slotAt(text, index)] === 0) return NONE;
    return this.#formsByLead.get(text.slice(index, index + LEAD)) ?? NONE;
  }
}

const NONE: readonly never[] = [];

function slotAt(text: string, index: number): number {
  const lead = text.charCodeAt(index) * 961 + text.charCodeAt(index + 1) * 31 + text.charCodeAt(index + 2);
  return lead & (TABLE_SIZE - 1);
}
