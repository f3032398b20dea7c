import type { MotionAwaited } from '../contract.ts';
import { boundsOf, checkVisibility, localNameOf, matches, queryAll } from '../native.ts';
import { fadesAway, fadesIn } from '../styles/fading.ts';
import { MIN_OPACITY } from '../styles/computed-style.ts';
import { watchedRoots } from './mutation-watch.ts';
import { endsUnreadable } from './motion-end.ts';
import { type MotionFacts, motionRule } from './motion-rules.ts';
import { animatedElement, changesWhatIsShown, endsByItself, runningAnimations } from './stability.ts';

/** An overlay that covers more than this fraction of the viewport hides or uncovers the page. */
const LARGE_SHARE = 0.5;
/** Elements with content or controls. A `slot` counts, because it renders content from elsewhere. */
const CONTENT =
  'a, button, input, select, textarea, summary, img, iframe, video, audio, canvas, slot, [tabindex], [role], [contenteditable]';

/** True while an animation runs that the caller waits for. */
export function isMoving(awaited: MotionAwaited = 'all'): boolean {
  return runningAnimations(watchedRoots()).some(
    (animation) => motionRule(factsOf(animation), awaited)?.isAwaited === true,
  );
}

function factsOf(animation: Animation): MotionFacts {
  const { endTime } = animation.effect?.getComputedTiming() ?? {};
  const element = animatedElement(animation);
  const about = (ask: (element: Element) => boolean) => () => element !== null && ask(element);
  return {
    endsByItself: endsByItself(animation),
    endTime: Number(endTime),
    hasElement: element !== null,
    changesWhatIsShown: () => changesWhatIsShown(animation),
    isInView: about(isInView),
    fadesAway: about(fadesAway),
    isLargeOverlay: about(isLargeOverlay),
    holdsContent: about(holdsContent),
    isNotYetVisible: about(isNotYetVisible),
    endsUnreadable: about((moving) => endsUnreadable(animation, moving)),
  };
}

// An element that fades in may still be transparent, so opacity does not count.
function isInView(element: Element): boolean {
  if (!checkVisibility(element, { visibilityProperty: true }) && !isAboutToShow(element)) return false;
  const { right, bottom, left, top } = boundsOf(element);
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

/** Menus that open after the pointer has stayed for a while use a delayed transition of `visibility`. */
function isAboutToShow(element: Element): boolean {
  const animations = Element.prototype.getAnimations.call(element);
  return animations.some(
    (animation) => animation instanceof CSSTransition && animation.transitionProperty === 'visibility',
  );
}

function isLargeOverlay(element: Element): boolean {
  const { position } = getComputedStyle(element);
  if (position !== 'fixed' && position !== 'absolute') return false;
  const { right, bottom, left, top } = boundsOf(element);
  const [width, height] = [
    Math.min(right, innerWidth) - Math.max(left, 0),
    Math.min(bottom, innerHeight) - Math.max(top, 0),
  ];
  return width * height > innerWidth * innerHeight * LARGE_SHARE;
}

/** A moving icon alone is decoration. */
function holdsContent(element: Element): boolean {
  if (matches(element, CONTENT) || queryAll(element, CONTENT).length > 0) return true;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = element; node; node = walker.nextNode()) {
    // Custom elements may have content in their shadow roots.
    if (node instanceof Text ? node.data.trim() !== '' : node instanceof Element && localNameOf(node).includes('-'))
      return true;
  }
  return false;
}

function isNotYetVisible(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width === 0 || height === 0 || (Number(getComputedStyle(element).opacity) < MIN_OPACITY && !fadesIn(element));
}
