/** Style facts that the walk needs, as bits. */
export const Shown = 1;
export const Placed = 2;
export const Cursor = 4;
export const Ink = 8;
export const Letters = 16;
/** Generated text before or after the content. */
export const TextBefore = 32;
export const TextAfter = 64;
/** A style that may hide rendered content. */
export const Veiled = 128;
export const AllFacts = 255;

/** The facts that each property affects. Only longhands: a parsed declaration lists shorthands as longhands. */
const factsByProperty: ReadonlyMap<string, number> = new Map([
  ['all', AllFacts],
  ['display', Shown],
  ['visibility', Shown],
  ['opacity', Shown | Placed],
  ['content-visibility', Shown],
  ['position-visibility', Shown],
  ['float', Shown],
  ['position', Shown | Placed],
  ...['z-index', 'filter', 'isolation', 'mix-blend-mode', 'will-change', 'contain'].map(
    (property): [string, number] => [property, Placed],
  ),
  ['overflow-x', Placed],
  ['overflow-y', Placed],
  ['overflow-block', Placed],
  ['overflow-inline', Placed],
  ['cursor', Cursor],
  ['color', Ink],
  ['background-color', Ink],
  ['-webkit-text-fill-color', Ink],
  ['-webkit-text-stroke-width', Ink],
  ['-webkit-text-stroke-color', Ink],
  ['text-shadow', Ink],
  ['font-size', Ink],
  ['text-transform', Letters],
]);

/** Values of these properties that hide text or may do so. */
const veilByProperty: ReadonlyMap<string, RegExp> = new Map([
  ...['left', 'top', 'margin-left', 'margin-top', 'text-indent', 'margin-inline-start', 'margin-block-start'].map(
    (property): [string, RegExp] => [property, /^-|[(]/],
  ),
  ...['right', 'bottom', 'inset-inline-end', 'inset-block-end'].map((property): [string, RegExp] => [
    property,
    /\d{4}|[(v%]/,
  ]),
  ...['transform', 'translate', 'scale', 'rotate', 'clip-path'].map((property): [string, RegExp] => [
    property,
    /^(?!none)/,
  ]),
  ['opacity', /^0?\.0|^[0-4]%|[(]/],
  ['filter', /opacity|var/],
  ['letter-spacing', /^-(?!0?\.[0-3]|[0-4](\.\d+)?px)|[(]/],
  ['word-spacing', /^-(?!0?\.|\d(\.\d+)?px)|[(]/],
  ['zoom', /^(0?\.[0-4]|0|[0-4]?\d%)|[(]/],
  ['mask-image', /gradient|var/],
  ['content-visibility', /hidden|var/],
]);

/** True if the declarations of `::before` or `::after` can generate content. */
export function mayGenerate(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('content') !== '' || style.getPropertyValue('all') !== '';
}

/** Values that keep text as readable as in the parent. Sizes in `rem` assume a usual root font size. */
const readableByProperty: ReadonlyMap<string, RegExp> = new Map([
  ['color', /^inherit$/],
  ['background-color', /^(initial|unset|transparent|rgba\(0, 0, 0, 0\))$/],
  ['font-size', /^(inherit|medium|large|(x-|xx-|xxx-)large|([2-9]|\d\d+)(\.\d+)?px|(0?\.[5-9]|[1-9])[\d.]*rem)$/],
]);

/** Returns the facts that a declaration block affects. */
export function factsDeclaredIn(style: CSSStyleDeclaration): number {
  let facts = 0;
  const { length } = style;
  for (let index = 0; index < length; index += 1) {
    const property = style[index] ?? '';
    const isReadable = readableByProperty.get(property)?.test(style.getPropertyValue(property)) === true;
    if (!isReadable) facts |= factsByProperty.get(property) ?? 0;
    if (veilByProperty.get(property)?.test(style.getPropertyValue(property))) facts |= Veiled;
  }
  return facts;
}
