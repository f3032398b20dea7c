import { attributeOf, boundsOf, textContentOf } from '../../native.ts';
import { MIN_OPACITY } from '../../styles/computed-style.ts';

/** After this many steps in a row, style changes count as a scripted animation. */
const STEPS_OF_MOTION = 3;
/**
 * Limits in ms between two steps. Changes further apart are no animation. Changes closer together belong to one step.
 */
const LONGEST_STEP = 200;
const SHORTEST_STEP = 3;
/** Minimum width and height in CSS pixels. Text in a smaller box is not readable. */
const MIN_HEIGHT = 2;
/**
 * Properties that reveal more of an element as they grow. `width` is missing, because a growing width may be a progress
 * bar, which means that the page is busy.
 */
const GROWING = /^((max-)?height|opacity|padding-(top|bottom)|margin-(top|bottom))$/;
const NUMBER = /^(-?[\d.]+(?:e-?\d+)?)(px|%|em|rem)?$/;

interface Steps {
  readonly count: number;
  readonly last: number;
}

/**
 * Detects scripts that expand or fade in an element step by step through its `style`. The text is readable before the
 * animation ends, so only callers with `motion: 'all'` wait for it.
 */
export class Growth {
  readonly #stepsByElement = new WeakMap<Element, Steps>();

  /** True if the mutation is one more step of an element whose text is already readable. */
  isContinued({ target, attributeName, oldValue }: MutationRecord): boolean {
    if (attributeName !== 'style' || !(target instanceof Element)) return false;
    const now = performance.now();
    const { count, last } = this.#stepsByElement.get(target) ?? { count: 0, last: now };
    const isStep = now - last < LONGEST_STEP && isLarger(oldValue ?? '', attributeOf(target, 'style') ?? '');
    // Several properties set in quick succession are one step.
    const isNext = count === 0 || now - last > SHORTEST_STEP;
    this.#stepsByElement.set(target, {
      count: isStep ? count + Number(isNext) : 0,
      last: isStep && !isNext ? last : now,
    });
    return isStep && count >= STEPS_OF_MOTION && isReadable(target);
  }
}

/** True if all properties that differ are in `GROWING` and have increased. */
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
  return width >= MIN_HEIGHT && height >= MIN_HEIGHT && Number(getComputedStyle(element).opacity) >= MIN_OPACITY;
}
