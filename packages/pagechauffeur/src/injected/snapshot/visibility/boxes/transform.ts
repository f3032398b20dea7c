import { partsOf, pixelsOf } from './clip-area.ts';
import { boxAroundPoints, type Sides } from './sides.ts';

type Transformed = Pick<CSSStyleDeclaration, 'transform' | 'translate' | 'rotate' | 'scale'>;

export function isTransformed({ transform, translate, rotate, scale }: Transformed): boolean {
  return transform !== 'none' || translate !== 'none' || rotate !== 'none' || scale !== 'none';
}

/** Combines `translate`, `rotate`, `scale` and `transform`, without their origin. Percentages need the size of the box. */
export function transformOf(style: Transformed, width = 0, height = 0): DOMMatrix {
  const matrix = new DOMMatrix();
  const { transform, translate, rotate, scale } = style;
  if (translate !== 'none') {
    const [x = '0px', y = '0px', z = '0px'] = partsOf(translate);
    matrix.translateSelf(pixelsOf(x, width, 1), pixelsOf(y, height, 1), pixelsOf(z, 0, 1));
  }
  if (rotate !== 'none') matrix.multiplySelf(rotationOf(rotate));
  if (scale !== 'none') {
    const [x = 1, y = x, z = 1] = scale.split(' ').map(Number);
    matrix.scaleSelf(x, y, z);
  }
  return transform === 'none' ? matrix : matrix.multiplySelf(new DOMMatrixReadOnly(transform));
}

/** Matches an axis, three numbers of a vector, or nothing, before the angle. */
const ROTATION = /^(?:([xyz]) |(\S+ \S+ \S+) )?(\S+)$/;

function rotationOf(rotate: string): DOMMatrixReadOnly {
  const [, axis = 'z', vector, angle = '0deg'] = ROTATION.exec(rotate) ?? [];
  if (vector !== undefined) return new DOMMatrixReadOnly(`rotate3d(${vector.replaceAll(' ', ', ')}, ${angle})`);
  return new DOMMatrixReadOnly(`rotate${axis.toUpperCase()}(${angle})`);
}

/** Returns the box around a transformed box of this size, relative to the top left corner of the box. */
export function transformedBox(style: CSSStyleDeclaration, width: number, height: number): Sides {
  if (!isTransformed(style)) return { left: 0, top: 0, right: width, bottom: height };
  const [originX = 0, originY = 0, originZ = 0] = style.transformOrigin.split(' ').map(Number.parseFloat);
  const matrix = new DOMMatrix()
    .translate(originX, originY, originZ)
    .multiply(transformOf(style, width, height))
    .translate(-originX, -originY, -originZ);
  const corners = [0, width].flatMap((x) => [0, height].map((y) => matrix.transformPoint({ x, y })));
  return boxAroundPoints(corners.map(({ x, y, w }) => ({ x: x / w, y: y / w })));
}
