import { memoised } from './memo.ts';
import { contains } from './native.ts';
import { FAINTEST } from './snapshot/faint.ts';

/** What takes longer than this many ms to fade away is there for as long as a person needs to read it, and to fade in as long away. */
const LONGEST_FADING = 3000;

/** What a script lets fade away by a transition, at the end of which nothing of it is seen: it is as good as gone. */
export const fadingAway: (document: Document) => ReadonlySet<Element> = memoised(
  (root: Document) =>
    new Set(Document.prototype.getAnimations.call(root).flatMap((animation) => fadingElement(animation) ?? [])),
);

/** What an animation makes seen that is not seen yet: it is as good as there. */
const fadingIn: (document: Document) => ReadonlySet<Element> = memoised(
  (root: Document) =>
    new Set(Document.prototype.getAnimations.call(root).flatMap((animation) => appearingElement(animation) ?? [])),
);

/** Whether an element's own opacity is on its way to one that it can be seen by. */
export function fadesIn(element: Element): boolean {
  return fadingIn(document).has(element);
}

/** Whether an element stands in something of which that holds. */
export function standsInFadingIn(element: Element): boolean {
  return [...fadingIn(document)].some((fading) => contains(fading, element));
}

/** Whether an element stands in something that fades away. */
export function fadesAway(element: Element): boolean {
  return [...fadingAway(document)].some((fading) => contains(fading, element));
}

// A transition ends with the style that the element has by then. What a style sheet fades comes back with the pointer, and can be used.
function fadingElement(animation: Animation): Element | null {
  if (!(animation instanceof CSSTransition) || animation.transitionProperty !== 'opacity') return null;
  const { effect, playState } = animation;
  if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return null;
  const { target } = effect;
  if (!(target instanceof HTMLElement) || Number(effect.getComputedTiming().endTime) > LONGEST_FADING) return null;
  const { opacity } = target.style;
  return opacity !== '' && Number(opacity) < FAINTEST ? target : null;
}

function appearingElement({ effect, playState }: Animation): Element | null {
  if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return null;
  const { endTime, iterations, direction } = effect.getComputedTiming();
  if (Number(endTime) > LONGEST_FADING || iterations !== 1 || direction !== 'normal') return null;
  const last = effect.getKeyframes().at(-1)?.['opacity'];
  return typeof last === 'string' && Number(last) >= FAINTEST ? effect.target : null;
}
