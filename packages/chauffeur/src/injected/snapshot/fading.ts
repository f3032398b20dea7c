import { memoised } from '../memo.ts';
import { contains } from '../native.ts';
import { FAINTEST } from './faint.ts';

/** What takes longer than this many ms to fade away is there for as long as a person needs to read it. */
const LONGEST_FADING = 3000;

/** What a script lets fade away by a transition, at the end of which nothing of it is seen: it is as good as gone. */
export const fadingAway: (document: Document) => ReadonlySet<Element> = memoised(
  (root: Document) =>
    new Set(Document.prototype.getAnimations.call(root).flatMap((animation) => fadingElement(animation) ?? [])),
);

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
