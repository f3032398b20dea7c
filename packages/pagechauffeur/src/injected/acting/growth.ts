import { attributeOf, boundsOf, textContentOf } from '../native.ts';
import { MIN_OPACITY } from '../snapshot/visibility/opacity.ts';

/** This many changes in a row count as a scripted animation, which changes the style in each frame. */
const STEPS_OF_MOTION = 3;
/**
 * Steps more than `LONGEST_STEP` ms apart are not an animation. Steps less than `SHORTEST_STEP` ms apart count as one.
 */
const LONGEST_STEP = 200;
const SHORTEST_STEP = 3;
/** Elements with a smaller width or height, in CSS pixels, are not readable yet. */
const LEAST_HEIGHT = 2;
/**
 * Properties that reveal more of an element as they grow. `width` is missing: a growing width may be a progress bar,
 * which means that the page is busy.
 */
const GROWING = /^((max-)?height|opacity|padding-(top|bottom)|margin-(top|bottom))$/;
const NUMBER = /^(-?[\d.]+(?:e-?\d+)?)(px|%|em|rem)?$/;

/** Number of growth steps of an element and the time of the last one. */
interface Steps {
  readonly count: number;
  readonly last: number;
}

/**
 * Detects elements that a script expands or fades in step by step through `style`. Their text is readable before the
 * animation ends, and no readable text disappears.
 */
export class Growth {
  readonly #stepsByElement = new WeakMap<Element, Steps>();

  /** True if the change is another growth step of an element that is already readable. */
  goesOn({ target, attributeName, oldValue }: MutationRecord): boolean {
    if (attributeName !== 'style' || !(target instanceof Element)) return false;
    const now = performance.now();
    const { count, last } = this.#stepsByElement.get(target) ?? { count: 0, last: now };
    const isStep = now - last < LONGEST_STEP && isLarger(oldValue ?? '', attributeOf(target, 'style') ?? '');
    // Several properties set in one frame are one step.
    const isNext = count === 0 || now - last > SHORTEST_STEP;
    this.#stepsByElement.set(target, {
      count: isStep ? count + Number(isNext) : 0,
      last: isStep && !isNext ? last : now,
    });
    return isStep && count >= STEPS_OF_MOTION && isReadable(target);
  }
}

/** True if the two inline styles differ only in growing properties, and all of these increased. */
function isLarger(before: string, after: string): boolean {
  const [old, now] = [declarationsOf(before), declarationsOf(after)];
  if (old.size !== now.size) return false;
  return [...now].every(([property, value]) => {
    const was = old.get(property);
    return was === value || (was !== undefined && GROWING.test(property) && isMore(was, value));
  });
}

function isMore(before: string, after: string): boolean {
  const [, old, oldUnit] = NUMBER.exec(before) ?? [];
  const [, now, unit] = NUMBER.exec(after) ?? [];
  return old !== undefined && now !== undefined && oldUnit === unit && Number(now) > Number(old);
}

function declarationsOf(style: string): ReadonlyMap<string, string> {
  return new Map(
    style.split(';').flatMap((declaration): [string, string][] => {
      const colon = declaration.indexOf(':');
      return colon < 0 ? [] : [[declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()]];
    }),
  );
}

function isReadable(element: Element): boolean {
  if ((textContentOf(element) ?? '').trim() === '') return false;
  const { width, height } = boundsOf(element);
  return width >= LEAST_HEIGHT && height >= LEAST_HEIGHT && Number(getComputedStyle(element).opacity) >= MIN_OPACITY;
}
