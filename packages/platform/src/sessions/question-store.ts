import type { QuestionKind } from 'pagechauffeur/internal';

/** A client's question to the operators of a session. */
export interface OpenQuestion {
  /** Chosen by the client, so that a repeated request is the same question. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** URL of the page it is about. */
  readonly url: string;
}

/** Outcome of a question: answered, with or without text, or declined. */
export type QuestionEnd = { readonly status: 'answered'; readonly text: string } | { readonly status: 'declined' };

interface Entry {
  readonly question: OpenQuestion;
  readonly ended: PromiseWithResolvers<QuestionEnd>;
  isOpen: boolean;
}

/** Tasks done in the browser itself. Handing the browser back marks them as done. */
const DONE_BY_HAND: readonly QuestionKind[] = ['sign-in', 'captcha', 'payment'];
const MOST_QUESTIONS = 20;

/** Open questions of a session to its operators. */
export class QuestionStore {
  readonly #entryById = new Map<string, Entry>();
  readonly #watchers = new Set<() => void>();

  /** Open questions, oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#entryById.values()].filter(({ isOpen }) => isOpen).map(({ question }) => question);
  }

  /** Adds a question or finds it. Resolves with its outcome. Returns `undefined` if there are too many. */
  ask(question: OpenQuestion): Promise<QuestionEnd> | undefined {
    const known = this.#entryById.get(question.id);
    if (known) return known.ended.promise;
    if (this.#entryById.size >= MOST_QUESTIONS) return undefined;
    const entry = { question, ended: Promise.withResolvers<QuestionEnd>(), isOpen: true };
    this.#entryById.set(question.id, entry);
    this.#tell();
    return entry.ended.promise;
  }

  /** Records an answer. The first one counts. */
  answer(id: string, end: QuestionEnd): void {
    const entry = this.#entryById.get(id);
    if (!entry?.isOpen) return;
    entry.isOpen = false;
    entry.ended.resolve(end);
    this.#tell();
  }

  /** An operator has worked in the browser and handed it back. */
  declineByOperator(): void {
    for (const { id, kind } of this.open)
      if (DONE_BY_HAND.includes(kind)) this.answer(id, { status: 'answered', text: '' });
  }

  /** Removes a question whose client has the answer or no longer needs it. */
  withdraw(id: string): void {
    this.answer(id, { status: 'declined' });
    this.#entryById.delete(id);
  }

  /** Calls `onChange` when the open questions change. Returns a function that removes the callback. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #tell(): void {
    for (const onChange of [...this.#watchers]) onChange();
  }
}
