const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** Whether text of this style leaves marks: letters of some size, in some colour. */
export function drawsText(style: CSSStyleDeclaration): boolean {
  if (style.fontSize === '0px') return false;
  return style.color !== TRANSPARENT || style.webkitTextFillColor !== TRANSPARENT;
}
