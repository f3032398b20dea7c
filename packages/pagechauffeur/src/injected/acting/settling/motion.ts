import type { MotionAwaited } from '../../contract.ts';
import { boundsOf, checkVisibility, localNameOf, matches, queryAll } from '../../native.ts';
import { fadesAway, fadesIn } from '../../styles/fading.ts';
import { MIN_OPACITY } from '../../styles/computed-style.ts';
import { watchedRoots } from '../effects/mutation-watch.ts';
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

/** An element that moves by more than this fraction of its size may be invisible at the start or end. */
const SMALL_SHARE = 0.5;
/** Below this scale, an element counts as disappearing. */
const MIN_SCALE = 0.5;
/** Properties that set the size of a box. Text stays visible unless the box clips. */
const SIZES =
  /^((min|max)?(width|height|blockSize|inlineSize)|flex(Basis|Grow|Shrink)|padding\w*|border\w*Width|(row|column)?gap)$/i;
/** Properties that move a box, or the content after it. */
const SHIFTS = /^(top|left|right|bottom|inset\w*|margin\w*)$/;
/** Properties that move only the content after a box. */
const ROOM_AFTER = /^margin(Bottom|BlockEnd)$/;
/** Properties that leave a box in the same position. */
const KEEPS =
  /^(rotate|perspective\w*|transform(Origin|Style|Box)|letterSpacing|wordSpacing|textIndent|backdropFilter)$/;

/** True if the content may be unreadable during the animation or at its end, or if that is unknown. */
function endsUnreadable(animation: Animation, element: Element): boolean {
  const { effect } = animation;
  if (!(effect instanceof KeyframeEffect) || effect.getComputedTiming().direction !== 'normal') return true;
  const frames = effect.getKeyframes();
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last || frames.length !== 2) return true;
  const properties = new Set(frames.flatMap((frame) => Object.keys(frame).filter((key) => !TIMING.has(key))));
  return [...properties].some((property) => {
    const course = { property, from: first[property], to: last[property] };
    return !staysReadable(course, element);
  });
}

const TIMING: ReadonlySet<string> = new Set(['offset', 'computedOffset', 'easing', 'composite']);

interface Course {
  readonly property: string;
  readonly from: unknown;
  readonly to: unknown;
}

function staysReadable({ property, from, to }: Course, element: Element): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  if (property === 'opacity') return Number(to) >= MIN_OPACITY;
  if (property === 'visibility') return to === 'visible';
  if (SIZES.test(property)) return !clips(element);
  if (ROOM_AFTER.test(property) && isMore(from, to)) return true;
  if (SHIFTS.test(property)) return isSmallShift(from, to, element);
  if (property === 'transform' || property === 'translate' || property === 'scale')
    return isSmallMove(matrixOf(property, from), matrixOf(property, to), element);
  return KEEPS.test(property);
}

function clips(element: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible';
}

function isMore(from: string, to: string): boolean {
  return from.endsWith('px') && to.endsWith('px') && Number.parseFloat(to) > Number.parseFloat(from);
}

function isSmallShift(from: string, to: string, element: Element): boolean {
  if (!from.endsWith('px') || !to.endsWith('px')) return false;
  const { width, height } = boundsOf(element);
  return Math.abs(Number.parseFloat(to) - Number.parseFloat(from)) <= Math.min(width, height) * SMALL_SHARE;
}

function isSmallMove(from: DOMMatrix | null, to: DOMMatrix | null, element: Element): boolean {
  if (!from || !to || to.a < MIN_SCALE || to.d < MIN_SCALE) return false;
  const { width, height } = boundsOf(element);
  return Math.abs(to.e - from.e) <= width * SMALL_SHARE && Math.abs(to.f - from.f) <= height * SMALL_SHARE;
}

/** Returns null if the value depends on the element's size or cannot be parsed. */
function matrixOf(property: string, value: string): DOMMatrix | null {
  if (value === 'none') return new DOMMatrix();
  if (value.includes('%')) return null;
  const words = value.split(' ').join(', ');
  try {
    return new DOMMatrix(property === 'transform' ? value : `${property}(${words})`);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
