import type { QuestionKind } from '../util/question-kind.ts';
import type { Variables } from '../policy/variables.ts';

/** Passed to `onHandoff` when the agent needs a person. */
export interface HandoffQuestion {
  /** `question` for a decision or a fact. The other kinds need an action or a secret, such as a sign-in or a code. */
  readonly kind: QuestionKind;
  /** One sentence from the model. */
  readonly question: string;
  /** URL of the current page. The agent reads the page again after the answer. */
  readonly url: string;
  /** Aborts when the run ends before there is an answer. */
  readonly signal: AbortSignal;
}

/** Returned by `onHandoff`, with text, variables or both. */
export interface HandoffAnswer {
  /** Text for the model. Can be omitted if the person has done something in the browser. */
  readonly text?: string;
  /** Values for the model to use as `%name%` without seeing them, for example a code. */
  readonly variables?: Variables;
}

/** Answers a question from the agent. Return text, text with variables, or `undefined` if no one can help. */
export type Handoff = (question: HandoffQuestion) => Promise<string | HandoffAnswer | undefined>;
