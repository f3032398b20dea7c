/**
 * Kinds of questions to the operator. `question` asks for a decision or a fact; the others ask for something that only a person can do or provide.
 */
export const QUESTION_KINDS = ['question', 'sign-in', 'captcha', 'code', 'payment'] as const;

/** One of {@link QUESTION_KINDS}. */
export type QuestionKind = (typeof QUESTION_KINDS)[number];
