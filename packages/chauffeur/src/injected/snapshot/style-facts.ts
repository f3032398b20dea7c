/** Facts of style that the walk asks for, as bits of a set. */
export const Shown = 1;
export const Placed = 2;
export const Cursor = 4;
export const Ink = 8;
export const Letters = 16;
export const AllFacts = 31;

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

/** The facts that a block of declarations is about. */
export function factsDeclaredIn(style: CSSStyleDeclaration): number {
  let facts = 0;
  const { length } = style;
  for (let index = 0; index < length; index += 1) facts |= factsByProperty.get(style[index] ?? '') ?? 0;
  return facts;
}
