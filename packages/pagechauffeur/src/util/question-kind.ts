/** What a person may be asked about: `question` is a decision or a fact; the others are what only a person can do or give. */
export const QUESTION_KINDS = ['question', 'sign-in', 'captcha', 'code', 'payment'] as const;

/** One of {@link QUESTION_KINDS}. */
export type QuestionKind = (typeof QUESTION_KINDS)[number];
