import type { QuestionKind } from 'pagechauffeur/internal';

/** A question from an agent to the operators of a session. */
export interface OpenQuestion {
  /** The client chooses the id, so that a repeated request refers to the same question. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  readonly url: string;
}

/** `text` may be empty. */
export type QuestionEnd = { readonly status: 'answered'; readonly text: string } | { readonly status: 'declined' };

interface Entry {
  readonly question: OpenQuestion;
  readonly ended: PromiseWithResolvers<QuestionEnd>;
  isOpen: boolean;
}

/** Tasks that an operator does in the browser. Handing the browser back completes them. */
const MANUAL_KINDS: readonly QuestionKind[] = ['sign-in', 'captcha', 'payment'];
const MAX_QUESTIONS = 20;

/** Questions to the operators of a session, until their clients have the answers. */
export class QuestionStore {
  readonly #entryById = new Map<string, Entry>();
  readonly #watchers = new Set<() => void>();

  /** Unanswered questions, oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#entryById.values()].filter(({ isOpen }) => isOpen).map(({ question }) => question);
  }

  /**
   * Adds a question, or finds the one with the same id. Resolves with its outcome. Returns `undefined` if the session
   * has 20 questions.
   */
  ask(question: OpenQuestion): Promise<QuestionEnd> | undefined {
    const known = this.#entryById.get(question.id);
    if (known) return known.ended.promise;
    if (this.#entryById.size >= MAX_QUESTIONS) return undefined;
    const entry = { question, ended: Promise.withResolvers<QuestionEnd>(), isOpen: true };
    this.#entryById.set(question.id, entry);
    this.#tell();
    return entry.ended.promise;
  }

  /** Ends a question with this outcome. Later outcomes are ignored. */
  answer(id: string, end: QuestionEnd): void {
    const entry = this.#entryById.get(id);
    if (!entry?.isOpen) return;
    entry.isOpen = false;
    entry.ended.resolve(end);
    this.#tell();
  }

  /** Completes sign-in, captcha and payment questions after an operator handed the browser back. */
  declineByOperator(): void {
    for (const { id, kind } of this.open)
      if (MANUAL_KINDS.includes(kind)) this.answer(id, { status: 'answered', text: '' });
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
