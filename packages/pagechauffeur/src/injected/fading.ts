import { flatParent } from './composed-tree.ts';
import { shadowRootsBelow } from './composed-walk.ts';
import { styleOf } from './computed-style.ts';
import { isMadeFaint } from './faint-rules.ts';
import { memoised } from './memo.ts';
import { isConnected } from './native.ts';
import { FAINTEST } from './snapshot/faint.ts';

/** What takes longer than this many ms to fade away is there for as long as a person needs to read it, and to fade in as long away. */
const LONGEST_FADING = 3000;

/** What was seen to fade away. Most is taken out of the document right after, and is not to come back in between. */
const faded = new Set<HTMLElement>();

/** What a script lets fade away by a transition, at the end of which nothing of it is seen, or has let fade away: it is as good as gone. */
export const fadingAway: (document: Document) => ReadonlySet<Element> = memoised((root: Document) => {
  for (const animation of animationsBelow(root)) {
    const element = fadingElement(animation);
    if (element) faded.add(element);
  }
  for (const element of faded) if (!isConnected(element) || !isFaint(element)) faded.delete(element);
  return new Set(faded);
});

/** Whether an element stands in something that fades away. */
export function fadesAway(element: Element): boolean {
  const fading = fadingAway(document);
  for (let node: Element | null = fading.size > 0 ? element : null; node; node = flatParent(node))
    if (fading.has(node)) return true;
  return false;
}

/** Whether an element's own opacity is on its way to one that it can be seen by: it is as good as there. */
export const fadesIn: (element: Element) => boolean = memoised((element: Element) => {
  const animations = Element.prototype.getAnimations.call(element).filter((animation) => isOfOpacity(animation));
  // The last one covers what those before it do.
  const last = animations.at(-1);
  return last !== undefined && endsSoon(last) && isSeenAfter(last, element);
});

/** Whether all that is transparent around an element, and the element itself, fades in. */
export function appears(element: Element): boolean {
  const asked: Appearing[] = [];
  let doesAppear = true;
  for (let node: Element | null = element; node && doesAppear; node = flatParent(node)) {
    const known = appearing(node);
    if (known.doesAppear !== null) {
      doesAppear = known.doesAppear;
      break;
    }
    asked.push(known);
    doesAppear = styleOf(node).opacity !== '0' || fadesIn(node);
  }
  for (const known of asked) known.doesAppear = doesAppear;
  return doesAppear;
}

interface Appearing {
  doesAppear: boolean | null;
}

/** What was found out about an element and all around it. */
const appearing = memoised((_element: Element): Appearing => ({ doesAppear: null }));

// A document does not speak for its shadow roots.
function animationsBelow(root: Document): Animation[] {
  const roots = shadowRootsBelow(root).map((shadow) => ShadowRoot.prototype.getAnimations.call(shadow));
  return [...Document.prototype.getAnimations.call(root), ...roots.flat()];
}

// A transition ends with the style that the element has by then. What a style sheet fades comes back with the pointer, and can be used.
function fadingElement(animation: Animation): HTMLElement | null {
  if (!(animation instanceof CSSTransition) || animation.transitionProperty !== 'opacity') return null;
  const { effect, playState } = animation;
  if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return null;
  const { target } = effect;
  if (!(target instanceof HTMLElement) || Number(effect.getComputedTiming().endTime) > LONGEST_FADING) return null;
  return isFaint(target) ? target : null;
}

/** Whether a script has made an element faint. */
function isFaint({ style: { opacity } }: HTMLElement): boolean {
  return opacity !== '' && Number(opacity) < FAINTEST;
}

function isOfOpacity({ effect }: Animation): boolean {
  return effect instanceof KeyframeEffect && effect.getKeyframes().some((keyframe) => 'opacity' in keyframe);
}

function endsSoon({ effect, playState, playbackRate, currentTime, timeline }: Animation): boolean {
  const { endTime } = effect?.getComputedTiming() ?? {};
  if (playState !== 'running' || !(timeline instanceof DocumentTimeline) || typeof endTime !== 'number') return false;
  return Number(currentTime) >= 0 && playbackRate > 0 && endTime / playbackRate <= LONGEST_FADING;
}

/** Whether an element is seen once an animation of its opacity is over, as far as that can be told for sure. */
function isSeenAfter(animation: Animation, element: Element): boolean {
  const { effect } = animation;
  if (!(effect instanceof KeyframeEffect) || effect.composite !== 'replace') return false;
  const { iterations, iterationStart, direction, fill } = effect.getComputedTiming();
  if (iterations !== 1 || iterationStart !== 0 || direction !== 'normal') return false;
  const end = effect.getKeyframes().findLast((keyframe) => keyframe.computedOffset === 1 && 'opacity' in keyframe);
  if (end && !(Number(end['opacity']) >= FAINTEST && /auto|replace/.test(end.composite))) return false;
  const isKept = end !== undefined && (animation instanceof CSSTransition || fill === 'forwards' || fill === 'both');
  return !isMadeFaint(element, isKept ? 'over animations' : 'at all');
}
