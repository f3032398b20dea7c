import { flatParent } from '../../../tree/composed-tree.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { transformOf } from './transform.ts';

/** True if 3D transforms turn the element's back to the viewer. */
export function isTurnedAway(element: Element, style: CSSStyleDeclaration): boolean {
  return inSpace(element, style).matrix.m33 < 0;
}

/** True if transforms shear the box into a line, or move it behind the viewer. */
export function isTransformedAway(element: Element, style: CSSStyleDeclaration): boolean {
  const own = transformOf(style);
  const { m11, m12, m21, m22 } = own;
  const sides = Math.hypot(m11, m12) * Math.hypot(m21, m22);
  if (Math.abs(m11 * m22 - m12 * m21) < sides * LEAST_ANGLE) return true;
  if (own.is2D) return false;
  const { matrix, distance } = inSpace(element, style);
  return matrix.m44 <= 0 || matrix.m43 / matrix.m44 >= distance;
}

/** Sine of the angle between the sides of a box that is a line. */
const LEAST_ANGLE = 1e-6;

interface Space {
  readonly matrix: DOMMatrix;
  /** In CSS pixels: how far the viewer is from the page. Infinity without perspective. */
  readonly distance: number;
}

/** Combines the transforms of the element and of the ancestors that place it in the same 3D space. */
function inSpace(element: Element, style: CSSStyleDeclaration): Space {
  let matrix = transformOf(style);
  for (let node = flatParent(element); node; node = flatParent(node)) {
    const around = styleOf(node);
    if (around.perspective !== 'none') return { matrix, distance: Number.parseFloat(around.perspective) };
    if (!keepsDepth(around)) break;
    matrix = transformOf(around).multiply(matrix);
  }
  return { matrix, distance: Infinity };
}

/** Some properties flatten the content, whatever the value of `transform-style`. */
function keepsDepth(style: CSSStyleDeclaration): boolean {
  const { transformStyle, overflowX, opacity, mixBlendMode, isolation, filter, clipPath, maskImage, contain } = style;
  if (transformStyle !== 'preserve-3d' || overflowX !== 'visible' || opacity !== '1') return false;
  if (mixBlendMode !== 'normal' || isolation !== 'auto' || /paint|strict|content/.test(contain)) return false;
  return [filter, clipPath, maskImage].every((effect) => effect === 'none');
}
