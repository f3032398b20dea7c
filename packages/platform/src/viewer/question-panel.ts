import type { OpenQuestion } from '../sessions/question-store.ts';
import type { ViewRequest } from '../view/view-wire.ts';
import { button, element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';

const TITLES: Readonly<Record<OpenQuestion['kind'], string>> = {
  question: 'Question',
  'sign-in': 'Sign-in needed',
  captcha: 'Captcha to solve',
  code: 'Code needed',
  payment: 'Payment needed',
};
/** Kinds with a text answer. Operators do the others in the browser. */
const TEXT_KINDS: readonly OpenQuestion['kind'][] = ['question', 'code'];
const MANUAL_HINT = 'Take over, do it in the page, and hand back.';
const WATCHING = 'Only users who can take over can answer. This link is read-only.';

/** Questions from agents to the operators. */
export class QuestionPanel {
  readonly element = element('div', { class: 'questions', 'aria-live': 'assertive' });
  readonly #list = new KeyedList(this.element);
  readonly #send: (request: ViewRequest) => void;

  constructor(send: (request: ViewRequest) => void) {
    this.#send = send;
  }

  /** Shows the open questions. Marks the document title with a dot, for users in other tabs. */
  show(questions: readonly OpenQuestion[], mayAnswer: boolean): void {
    document.title = `${questions.length > 0 ? '● ' : ''}${document.title.replace(/^● /, '')}`;
    this.#list.show(
      questions.map((question) => ({
        key: question.id,
        state: String(mayAnswer),
        make: () => this.#form(question, mayAnswer),
      })),
    );
  }

  #form({ id, kind, question }: OpenQuestion, mayAnswer: boolean): HTMLElement {
    const title = `question-${id}`;
    const hasTextAnswer = TEXT_KINDS.includes(kind);
    const input = element('input', {
      'aria-label': kind === 'code' ? 'Code' : 'Answer',
      required: true,
      autocomplete: kind === 'code' ? 'one-time-code' : 'off',
      spellcheck: kind === 'code' ? 'false' : undefined,
    });
    const answer = (isDeclined: boolean): void =>
      this.#send({ type: 'answer', question: id, isDeclined, text: isDeclined ? '' : input.value });
    const buttons = element(
      'div',
      { class: 'answers' },
      element('button', { class: 'primary' }, hasTextAnswer ? 'Answer' : 'Done'),
      button('Cannot help', () => answer(true)),
    );
    const form = element(
      'form',
      { class: 'page-request', 'aria-labelledby': title },
      element('h2', { id: title }, TITLES[kind]),
      element('p', { class: 'request-text' }, question),
      mayAnswer && hasTextAnswer ? input : undefined,
      mayAnswer && hasTextAnswer ? undefined : element('p', { class: 'quiet' }, mayAnswer ? MANUAL_HINT : WATCHING),
      mayAnswer ? buttons : undefined,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer(false);
    });
    return form;
  }
}
