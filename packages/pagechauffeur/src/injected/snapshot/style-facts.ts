/** Facts of style that the walk asks for, as bits of a set. */
export const Shown = 1;
export const Placed = 2;
export const Cursor = 4;
export const Ink = 8;
export const Letters = 16;
/** Text that a style sheet puts before or after what an element contains. */
export const TextBefore = 32;
export const TextAfter = 64;
/** Whether something may keep what is rendered from being seen. */
export const Veiled = 128;
export const AllFacts = 255;

/** Which facts a property is part of. Longhands alone: a declaration names what its shorthands stand for. */
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

/** What values of these properties keep text from being seen, or may do so. */
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

/** Whether declarations for what stands before or after an element's content can make it appear. */
export function mayGenerate(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('content') !== '' || style.getPropertyValue('all') !== '';
}

/** Values that leave text as readable as it is in the parent; sizes in `rem` those that are of the usual size. */
const readableByProperty: ReadonlyMap<string, RegExp> = new Map([
  ['color', /^inherit$/],
  ['background-color', /^(initial|unset|transparent|rgba\(0, 0, 0, 0\))$/],
  ['font-size', /^(inherit|medium|large|(x-|xx-|xxx-)large|([2-9]|\d\d+)(\.\d+)?px|(0?\.[5-9]|[1-9])[\d.]*rem)$/],
]);

/** The facts that a block of declarations is about. */
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
