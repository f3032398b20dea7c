import type { OpenQuestion } from '../sessions/question-store.ts';
import type { ViewRequest } from '../view/view-wire.ts';
import { button, element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';

const TITLES: Readonly<Record<OpenQuestion['kind'], string>> = {
  question: 'You are asked',
  'sign-in': 'A sign-in is needed',
  captcha: 'A captcha is to be solved',
  code: 'A code is needed',
  payment: 'A payment is to be made',
};
/** What is answered in words; the rest is done in the browser. */
const IN_WORDS: readonly OpenQuestion['kind'][] = ['question', 'code'];
const BY_HAND = 'Take over, see to it in the page, and hand back.';
const WATCHING = 'Who may take over can answer. This link lets you look on.';

/** What the program that works in the browser asks the people who look at it. */
export class QuestionPanel {
  readonly element = element('div', { class: 'questions', 'aria-live': 'assertive' });
  readonly #list = new KeyedList(this.element);
  readonly #send: (request: ViewRequest) => void;

  constructor(send: (request: ViewRequest) => void) {
    this.#send = send;
  }

  /** Shows the questions that are open; the title of the page tells of them where it is not looked at. */
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
    const isInWords = IN_WORDS.includes(kind);
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
      element('button', { class: 'primary' }, isInWords ? 'Answer' : 'It is done'),
      button('Cannot help', () => answer(true)),
    );
    const form = element(
      'form',
      { class: 'page-request', 'aria-labelledby': title },
      element('h2', { id: title }, TITLES[kind]),
      element('p', { class: 'request-text' }, question),
      mayAnswer && isInWords ? input : undefined,
      mayAnswer && isInWords ? undefined : element('p', { class: 'quiet' }, mayAnswer ? BY_HAND : WATCHING),
      mayAnswer ? buttons : undefined,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer(false);
    });
    return form;
  }
}
