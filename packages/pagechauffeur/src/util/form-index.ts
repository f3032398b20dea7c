/** A text to look for, and what it stands for. */
export interface Form<T> {
  /** Lower case, three characters or more. */
  readonly text: string;
  readonly owner: T;
}

/** Characters that decide which forms are compared at a place. */
const LEAD = 3;
/** Places of the table that says at once, of nearly every place in a text, that no form begins there. */
const TABLE_SIZE = 1 << 14;

/** Finds where any of many forms begins, in time that grows with the text and not with the number of forms. */
export class FormIndex<T> {
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #formsByLead = new Map<string, Form<T>[]>();

  /** Whether there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#formsByLead.size === 0;
  }

  /** Adds a form; of forms that begin alike the longest is found. */
  add(form: Form<T>): void {
    const lead = form.text.slice(0, LEAD);
    const forms = this.#formsByLead.get(lead) ?? [];
    forms.push(form);
    forms.sort((a, b) => b.text.length - a.text.length);
    this.#formsByLead.set(lead, forms);
    this.#table[slotAt(form.text, 0)] = 1;
  }

  /** The forms that may begin at a place of a text, longest first. */
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
