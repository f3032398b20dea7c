import { memoised } from './memo.ts';

/** Cached until the current `withReadCache` ends. The returned style is live. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
