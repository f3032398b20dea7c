import type { QuestionKind } from 'pagechauffeur/internal';

/** What a client asks the people of a session. */
export interface OpenQuestion {
  /** Chosen by who asks, so that asking again is no other question. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** The page that it is about. */
  readonly url: string;
}

/** What came of a question: a person saw to it, perhaps with words, or cannot help. */
export type QuestionEnd = { readonly status: 'answered'; readonly text: string } | { readonly status: 'declined' };

interface Entry {
  readonly question: OpenQuestion;
  readonly ended: PromiseWithResolvers<QuestionEnd>;
  isOpen: boolean;
}

/** What is done in the browser itself, so that handing it back says that it was done. */
const DONE_BY_HAND: readonly QuestionKind[] = ['sign-in', 'captcha', 'payment'];
const MOST_QUESTIONS = 20;

/** The questions of a session to the people who look at it. */
export class QuestionStore {
  readonly #entryById = new Map<string, Entry>();
  readonly #watchers = new Set<() => void>();

  /** Those that wait for an answer, oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#entryById.values()].filter(({ isOpen }) => isOpen).map(({ question }) => question);
  }

  /** Puts up a question, or finds it; gives what comes of it. Undefined when there are too many. */
  ask(question: OpenQuestion): Promise<QuestionEnd> | undefined {
    const known = this.#entryById.get(question.id);
    if (known) return known.ended.promise;
    if (this.#entryById.size >= MOST_QUESTIONS) return undefined;
    const entry = { question, ended: Promise.withResolvers<QuestionEnd>(), isOpen: true };
    this.#entryById.set(question.id, entry);
    this.#tell();
    return entry.ended.promise;
  }

  /** Takes an answer; the first one counts. */
  answer(id: string, end: QuestionEnd): void {
    const entry = this.#entryById.get(id);
    if (!entry?.isOpen) return;
    entry.isOpen = false;
    entry.ended.resolve(end);
    this.#tell();
  }

  /** A person has worked in the browser and handed it back. */
  declineByOperator(): void {
    for (const { id, kind } of this.open)
      if (DONE_BY_HAND.includes(kind)) this.answer(id, { status: 'answered', text: '' });
  }

  /** Who asked has the answer, or needs none any more. */
  withdraw(id: string): void {
    this.answer(id, { status: 'declined' });
    this.#entryById.delete(id);
  }

  /** Calls `onChange` whenever other questions are open, until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #tell(): void {
    for (const onChange of [...this.#watchers]) onChange();
  }
}
