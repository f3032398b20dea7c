import type { MotionAwaited } from '../contract.ts';
import { boundsOf, checkVisibility, localNameOf, matches, queryAll } from '../native.ts';
import { fadesAway, fadesIn } from '../fading.ts';
import { FAINTEST } from '../snapshot/faint.ts';
import { watchedRoots } from './mutation-watch.ts';
import { endsUnread } from './motion-end.ts';
import { type MotionFacts, motionRule } from './motion-rules.ts';
import { animatedElement, changesWhatIsShown, endsByItself, runningAnimations } from './stability.ts';

/** A part over the page that takes this share of the viewport hides or lays bare what the page says. */
const LARGE_SHARE = 0.5;
/** What a person reads or uses; a slot shows what stands elsewhere. */
const CONTENT =
  'a, button, input, select, textarea, summary, img, iframe, video, audio, canvas, slot, [tabindex], [role], [contenteditable]';

/** Whether something moves that is waited for. */
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
    isUnseenYet: about(isUnseenYet),
    endsUnread: about((moving) => endsUnread(animation, moving)),
  };
}

// Something that fades in is not visible by its opacity yet, so the boxes decide.
function isInView(element: Element): boolean {
  if (!checkVisibility(element, { visibilityProperty: true }) && !isAboutToShow(element)) return false;
  const { right, bottom, left, top } = boundsOf(element);
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

/** Whether a transition that begins with a delay makes the element visible at the end of it, as menus do that wait for the pointer to stay. */
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

/** Whether there is anything in an element to read or use: an icon that moves under the pointer is decoration. */
function holdsContent(element: Element): boolean {
  if (matches(element, CONTENT) || queryAll(element, CONTENT).length > 0) return true;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = element; node; node = walker.nextNode()) {
    // Elements of the page's own may hold anything in their shadow roots.
    if (node instanceof Text ? node.data.trim() !== '' : node instanceof Element && localNameOf(node).includes('-'))
      return true;
  }
  return false;
}

function isUnseenYet(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width === 0 || height === 0 || (Number(getComputedStyle(element).opacity) < FAINTEST && !fadesIn(element));
}
