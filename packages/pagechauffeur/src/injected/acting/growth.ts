import { attributeOf, boundsOf, textContentOf } from '../native.ts';
import { FAINTEST } from '../snapshot/faint.ts';

/** So many changes in a row are an animation by script, one step of which comes with each frame. */
const STEPS_OF_MOTION = 3;
/** Steps that come later than this many ms after one another are no motion, those that come sooner are one. */
const LONGEST_STEP = 200;
const SHORTEST_STEP = 3;
/** A part that is less high is not read yet, in CSS pixels. */
const LEAST_HEIGHT = 2;
/** What only gives a part more room, or lets more of it be seen. A width that grows may be that of a bar, which tells that the page is still at work. */
const GROWING = /^((max-)?height|opacity|padding-(top|bottom)|margin-(top|bottom))$/;
const NUMBER = /^(-?[\d.]+(?:e-?\d+)?)(px|%|em|rem)?$/;

/** How often a part has grown so far, and when it did last. */
interface Steps {
  readonly count: number;
  readonly last: number;
}

/**
 * Sees parts that a script lets grow or fade in by their `style`, step by step: what they say can be read before they are done, and
 * nothing that is read goes away by it.
 */
export class Growth {
  readonly #stepsByElement = new WeakMap<Element, Steps>();

  /** Whether a change is a further step of a part's growth, and the part can be read by now. */
  goesOn({ target, attributeName, oldValue }: MutationRecord): boolean {
    if (attributeName !== 'style' || !(target instanceof Element)) return false;
    const now = performance.now();
    const { count, last } = this.#stepsByElement.get(target) ?? { count: 0, last: now };
    const isStep = now - last < LONGEST_STEP && isLarger(oldValue ?? '', attributeOf(target, 'style') ?? '');
    // Several properties that are set in one frame are one step.
    const isNext = count === 0 || now - last > SHORTEST_STEP;
    this.#stepsByElement.set(target, {
      count: isStep ? count + Number(isNext) : 0,
      last: isStep && !isNext ? last : now,
    });
    return isStep && count >= STEPS_OF_MOTION && isReadable(target);
  }
}

/** Whether of two inline styles the later one differs by greater numbers alone, and only in what a part grows by. */
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
  return width >= LEAST_HEIGHT && height >= LEAST_HEIGHT && Number(getComputedStyle(element).opacity) >= FAINTEST;
}
