/** A text to search for and the value it belongs to. */
export interface Form<T> {
  /** Lower case, at least three characters. */
  readonly text: string;
  readonly owner: T;
}

/** Number of leading characters used for the lookup. */
const LEAD = 3;
/** Size of the table that rules out most positions in a text with one lookup. */
const TABLE_SIZE = 1 << 14;

/** Finds occurrences of many texts. The time depends on the length of the searched text, not on the number of texts. */
export class FormIndex<T> {
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #formsByLead = new Map<string, Form<T>[]>();

  /** True if no form was added. */
  get isEmpty(): boolean {
    return this.#formsByLead.size === 0;
  }

  /** Adds a form. If several forms share a prefix, the longest one wins. */
  add(form: Form<T>): void {
    const lead = form.text.slice(0, LEAD);
    const forms = this.#formsByLead.get(lead) ?? [];
    forms.push(form);
    forms.sort((a, b) => b.text.length - a.text.length);
    this.#formsByLead.set(lead, forms);
    this.#table[slotAt(form.text, 0)] = 1;
  }

  /** Returns the forms that may start at this index, longest first. */
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
