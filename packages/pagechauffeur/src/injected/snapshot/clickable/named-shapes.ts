import { attributeOf, childrenOf, localNameOf, textContentOf } from '../../native.ts';
import { foldSpace } from '../../aria/text-builder.ts';

/** Selectors of SVG shapes that users may click. */
export const SHAPES = 'circle, ellipse, g, line, path, polygon, polyline, rect, use';
/** Selectors of SVG elements whose content is not rendered in place. */
export const UNDRAWN = 'clipPath, defs, marker, mask, pattern, symbol';

/** True if the author names the shape with a title, a label, an id or a data attribute. */
export function isNamedShape(shape: Element): boolean {
  return (
    shapeTitle(shape) !== '' ||
    Element.prototype.getAttributeNames
      .call(shape)
      .some((name) => (name === 'id' || name === 'aria-label' || name.startsWith('data-')) && attributeOf(shape, name))
  );
}

/** Returns the text of the shape's `title` element, which browsers show as a tooltip. */
function shapeTitle(shape: Element): string {
  const title = childrenOf(shape).find((child) => localNameOf(child) === 'title');
  return title ? foldSpace(textContentOf(title) ?? '') : '';
}
