import { memoised } from './memo.ts';

/** The computed style of an element; it is live, and looked up once per reading. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
