/**
 * Kinds of requests to the operator. `question` needs a decision or a fact. The other kinds need something that only a
 * person can do or provide.
 */
export const QUESTION_KINDS = ['question', 'sign-in', 'captcha', 'code', 'payment'] as const;

export type QuestionKind = (typeof QUESTION_KINDS)[number];
