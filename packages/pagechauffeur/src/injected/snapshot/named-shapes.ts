import { attributeOf, childrenOf, localNameOf, textContentOf } from '../native.ts';
import { foldSpace } from '../aria/spoken-text.ts';

/** Shapes of a drawing that a person can point at. */
export const SHAPES = 'circle, ellipse, g, line, path, polygon, polyline, rect, use';
/** Elements whose content is not drawn in its place. */
export const UNDRAWN = 'clipPath, defs, marker, mask, pattern, symbol';

/** True if the author names the shape: by a title, a label, an id or data. */
export function isNamedShape(shape: Element): boolean {
  return (
    shapeTitle(shape) !== '' ||
    Element.prototype.getAttributeNames
      .call(shape)
      .some((name) => (name === 'id' || name === 'aria-label' || name.startsWith('data-')) && attributeOf(shape, name))
  );
}

/** Returns the text of the shape's `title` element, which the browser shows as a tooltip; `''` if there is none. */
function shapeTitle(shape: Element): string {
  const title = childrenOf(shape).find((child) => localNameOf(child) === 'title');
  return title ? foldSpace(textContentOf(title) ?? '') : '';
}
