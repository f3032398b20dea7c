import { memoised } from './memo.ts';

/** The element's live computed style. One reading looks it up once. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
