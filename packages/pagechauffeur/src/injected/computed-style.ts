import { memoised } from './memo.ts';

/** True if the element and its descendants are inert. A descendant with `interactivity: auto` stays inert. */
export function isInertByStyle(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('interactivity') === 'inert';
}

/** Cached until the current `withReadCache` ends. The returned style is live. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);
