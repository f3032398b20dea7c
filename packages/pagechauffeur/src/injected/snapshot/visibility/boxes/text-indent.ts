/** In CSS pixels. Text that starts this far outside its box may be out of view. */
const FAR = 100;

/** True if `text-indent` may move the text out of its box on the left. */
export function isIndentedFar({ textIndent, direction }: CSSStyleDeclaration): boolean {
  if (textIndent === '0px') return false;
  const indent = Number.parseFloat(textIndent);
  return indent <= -FAR || (indent >= FAR && direction === 'rtl');
}

/** True if `text-indent` moves the text out of its box: far to the left, or beyond the right edge that clips it. */
export function isIndentedAway(style: CSSStyleDeclaration): boolean {
  if (isIndentedFar(style)) return true;
  const { textIndent, overflowX, width, textWrapMode } = style;
  if (overflowX === 'visible' || textWrapMode !== 'nowrap') return false;
  const indent = Number.parseFloat(textIndent);
  return textIndent.endsWith('%') ? indent >= 100 : indent > 0 && indent >= Number.parseFloat(width);
}
