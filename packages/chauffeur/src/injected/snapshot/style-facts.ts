/** Facts of style that the walk asks for, as bits of a set. */
export const Shown = 1;
export const Placed = 2;
export const Cursor = 4;
export const Ink = 8;
export const Letters = 16;
/** Text that a style sheet puts before or after what an element contains. */
export const TextAround = 32;
export const AllFacts = 63;

/** Which facts a property is part of. Longhands alone: a declaration names what its shorthands stand for. */
const factsByProperty: ReadonlyMap<string, number> = new Map([
  ['all', AllFacts],
  ['display', Shown],
  ['visibility', Shown],
  ['opacity', Shown],
  ['content-visibility', Shown],
  ['position-visibility', Shown],
  ['float', Shown],
  ['position', Shown | Placed],
  ['overflow-x', Placed],
  ['overflow-y', Placed],
  ['overflow-block', Placed],
  ['overflow-inline', Placed],
  ['cursor', Cursor],
  ['color', Ink],
  ['-webkit-text-fill-color', Ink],
  ['font-size', Ink],
  ['text-transform', Letters],
]);

/** The facts of an element that declarations for what stands before or after its content are about. */
export function factsDeclaredAround(style: CSSStyleDeclaration): number {
  const isAboutContent = style.getPropertyValue('content') !== '' || style.getPropertyValue('all') !== '';
  return isAboutContent ? TextAround : 0;
}

/** The facts that a block of declarations is about. */
export function factsDeclaredIn(style: CSSStyleDeclaration): number {
  let facts = 0;
  const { length } = style;
  for (let index = 0; index < length; index += 1) facts |= factsByProperty.get(style[index] ?? '') ?? 0;
  return facts;
}
