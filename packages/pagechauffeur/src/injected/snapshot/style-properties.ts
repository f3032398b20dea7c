/** The properties that the walk reads, and those that they are computed from. Only longhands: a parsed declaration lists those. */
const RELEVANT: ReadonlySet<string> = new Set(
  (
    'all display visibility opacity content-visibility position-visibility float position z-index filter isolation mix-blend-mode ' +
    'will-change contain overflow-x overflow-y overflow-block overflow-inline cursor color color-scheme background-color background-image ' +
    'background-clip -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-stroke-color text-shadow font-size text-transform ' +
    'left top right bottom margin-left margin-top margin-inline-start margin-block-start inset-inline-start inset-inline-end ' +
    'inset-block-start inset-block-end text-indent transform translate scale rotate clip clip-path letter-spacing word-spacing zoom ' +
    'mask-image content'
  ).split(' '),
);

/** True if a declaration block may change what the walk reads. */
export function isRelevantStyle(style: CSSStyleDeclaration): boolean {
  const { length } = style;
  for (let index = 0; index < length; index += 1) if (RELEVANT.has(style[index] ?? '')) return true;
  return false;
}

/** True if a declaration block may paint a box above the normal flow. */
export function mayRaise(style: CSSStyleDeclaration): boolean {
  const { position, transform } = style;
  return (position !== '' && position !== 'static') || (transform !== '' && transform !== 'none') || style.all !== '';
}
