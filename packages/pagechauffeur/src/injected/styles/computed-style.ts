import { memoised } from '../memo.ts';

/** True if the element and its descendants are inert. A descendant with `interactivity: auto` stays inert. */
export function isInertByStyle(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('interactivity') === 'inert';
}

/** Cached until the current `withReadCache` ends. The returned style is live. */
export const styleOf: (element: Element) => CSSStyleDeclaration = memoised((element: Element) =>
  getComputedStyle(element),
);

/** Content below this opacity is unreadable. */
export const MIN_OPACITY = 0.05;
/** In CSS pixels. Smaller text is unreadable. */
export const MIN_FONT_SIZE = 2;

/** True if a computed color is nearly transparent. */
export function isNearlyTransparent(color: string): boolean {
  if (color.startsWith('rgb(')) return false;
  const alpha = /^(?:rgba\(.*,|.*\/) ([\d.e-]+)\)$/.exec(color);
  return alpha !== null && Number(alpha[1]) < MIN_OPACITY;
}
