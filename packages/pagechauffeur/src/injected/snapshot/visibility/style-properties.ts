/** Style properties that the walk reads, and those that affect them. Parsed declarations contain only longhands. */
const RELEVANT: ReadonlySet<string> = new Set(
  (
    'all display visibility opacity content-visibility position-visibility float position z-index filter isolation mix-blend-mode ' +
    'will-change contain overflow-x overflow-y overflow-block overflow-inline cursor color color-scheme background-color background-image ' +
    'background-clip -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-stroke-color text-shadow font-size text-transform ' +
    'text-indent transform translate scale rotate clip clip-path letter-spacing word-spacing zoom ' +
    'mask-image mask-size backface-visibility white-space-collapse text-wrap-mode fill stroke content'
  ).split(' '),
);

/** Only negative margins are relevant. */
const MARGINS: ReadonlySet<string> = new Set([
  'margin-left',
  'margin-top',
  'margin-inline-start',
  'margin-block-start',
]);
const maybeNegative = /^-|[(]/;

/** True if the declarations may change a style property that the walk reads. */
export function isRelevantStyle(style: CSSStyleDeclaration): boolean {
  const { length } = style;
  for (let index = 0; index < length; index += 1) {
    const property = style[index] ?? '';
    if (RELEVANT.has(property)) return true;
    if (MARGINS.has(property) && maybeNegative.test(style.getPropertyValue(property))) return true;
  }
  return false;
}

/** True if the declarations may paint a box above the normal flow. */
export function mayRaise(style: CSSStyleDeclaration): boolean {
  const { position, transform } = style;
  return (position !== '' && position !== 'static') || (transform !== '' && transform !== 'none') || style.all !== '';
}

/** True if the declarations, of `::before` or `::after`, may generate content. */
export function mayGenerate(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('content') !== '' || style.all !== '';
}
