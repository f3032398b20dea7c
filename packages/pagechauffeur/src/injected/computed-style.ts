import { memoised } from './memo.ts';

/** Returns the element's live computed style. Cached for the duration of one reading. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
