import { memoised } from './memo.ts';

/** Cached for one reading. The returned style is live. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
