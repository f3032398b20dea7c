import type { QuestionKind } from '../util/question-kind.ts';
import type { Variables } from '../verb/variables.ts';

/** What an agent needs of whoever gave it its task. */
export interface HandoffQuestion {
  /** What it is about: `question` for a decision or a fact; the others for what only a person can do or give. */
  readonly kind: QuestionKind;
  /** What is needed, in a sentence of the model's. */
  readonly question: string;
  /** The page that it is about; what is done in it by hand is seen by the agent afterwards. */
  readonly url: string;
  /** Aborted when the run ends before there is an answer. */
  readonly signal: AbortSignal;
}

/** What a person answers. */
export interface HandoffAnswer {
  /** In words, which the model reads; may be left out when something was done in the browser. */
  readonly text?: string;
  /** Values that the model may use by `%name%` without seeing them, such as a code. */
  readonly variables?: Variables;
}

/** Asks the caller; the answer is a text, or text and variables. Undefined: nobody can help. */
export type Handoff = (question: HandoffQuestion) => Promise<string | HandoffAnswer | undefined>;
