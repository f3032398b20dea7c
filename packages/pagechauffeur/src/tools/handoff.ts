import type { QuestionKind } from '../util/question-kind.ts';
import type { Variables } from '../policy/variables.ts';

/** A question of the agent to the person who gave it the task. */
export interface HandoffQuestion {
  /** Kind of the question: `question` for a decision or a fact, the others for something that only a person can do or provide. */
  readonly kind: QuestionKind;
  /** The request, as a sentence of the model. */
  readonly question: string;
  /** URL of the page. The agent reads the page again afterwards. */
  readonly url: string;
  /** Aborts when the run ends before there is an answer. */
  readonly signal: AbortSignal;
}

/** The answer of a person. */
export interface HandoffAnswer {
  /** Text for the model. Optional if the person did something in the browser. */
  readonly text?: string;
  /** Values that the model may use as `%name%` without seeing them, such as a code. */
  readonly variables?: Variables;
}

/** Asks the caller. The answer is a text, or text and variables, or `undefined` if nobody can help. */
export type Handoff = (question: HandoffQuestion) => Promise<string | HandoffAnswer | undefined>;
