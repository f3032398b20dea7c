import { flatParent } from '../../tree/composed-tree.ts';
import { latestFrame, nextAnimationFrame } from './animation-frame.ts';
import { boxOf } from '../point/geometry.ts';
import { rootOf } from '../../native.ts';

/** Animations of these properties do not move or resize a box. */
const STILL_PROPERTIES =
  /^(opacity|.*color|visibility|filter|backdropFilter|boxShadow|textShadow|fill|stroke|outline.*|background.*|strokeDash.*|borderRadius|cursor|clipPath)$/i;
/** Animations of these properties only change paint, such as colors. */
const PAINT_PROPERTIES =
  /^(.*color|boxShadow|textShadow|textDecoration.*|fill|stroke|strokeDash.*|outline.*|background.*|border.*Radius|cursor)$/i;
const KEYFRAME_FIELDS: ReadonlySet<string> = new Set(['offset', 'computedOffset', 'easing', 'composite']);

/** `Document.getAnimations()` does not include shadow roots, so each root is queried. */
export function runningAnimations(roots: Iterable<Document | ShadowRoot>): Animation[] {
  return [...roots].flatMap((root) => animationsOf(root).filter((animation) => animation.playState === 'running'));
}

// `Document` and `ShadowRoot` each have their own `getAnimations`.
function animationsOf(root: Document | ShadowRoot): Animation[] {
  return (root instanceof Document ? Document : ShadowRoot).prototype.getAnimations.call(root);
}

/** False for infinite and scroll-driven animations. */
export function endsByItself(animation: Animation): boolean {
  const { endTime } = animation.effect?.getComputedTiming() ?? {};
  return typeof endTime === 'number' && Number.isFinite(endTime) && animation.timeline instanceof DocumentTimeline;
}

export function animatedElement(animation: Animation): Element | null {
  return animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
}

/**
 * Compares two frames if a finite animation affects the element. An element with only infinite animations counts as
 * stable; the hit test at the input event decides.
 */
export async function isStable(element: Element): Promise<boolean> {
  const moving = animationsThatMove(element);
  if (moving.length === 0 || !moving.some(endsByItself)) return true;
  await nextAnimationFrame();
  const before = boxOf(element);
  const times = moving.map(({ currentTime }) => currentTime);
  await nextAnimationFrame();
  const after = boxOf(element);
  const frame = latestFrame();
  if (frame === 'overdue') return false;
  if (frame === 'came' && moving.some((animation, index) => isAboutToMove(animation, times[index]))) return false;
  return before.x === after.x && before.y === after.y && before.width === after.width && before.height === after.height;
}

// A new animation moves the element only in its second frame. Until then, its current time does not change. Without
// frames, nothing moves.
function isAboutToMove(animation: Animation, timeBefore: CSSNumberish | null | undefined): boolean {
  if (animation.playState !== 'running' || animation.playbackRate === 0 || !endsByItself(animation)) return false;
  return animation.pending || animation.currentTime === timeBefore;
}

function animationsThatMove(element: Element): Animation[] {
  const chain = new Set<Element>();
  const roots = new Set<Document | ShadowRoot>();
  for (let node: Element | null = element; node; node = flatParent(node)) {
    chain.add(node);
    const root = rootOf(node);
    if (root instanceof Document || root instanceof ShadowRoot) roots.add(root);
  }
  return runningAnimations(roots).filter((animation) => {
    const animated = animatedElement(animation);
    return animated !== null && chain.has(animated) && mayMove(animation);
  });
}

function mayMove(animation: Animation): boolean {
  return animates(animation, (property) => !STILL_PROPERTIES.test(property));
}

/**
 * True if the animation shows, hides, moves or resizes anything. Changes of paint, such as a hover color, do not count.
 */
export function changesWhatIsShown(animation: Animation): boolean {
  return animates(animation, (property) => !PAINT_PROPERTIES.test(property));
}

function animates({ effect }: Animation, isRelevant: (property: string) => boolean): boolean {
  if (!(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return false;
  return effect
    .getKeyframes()
    .some((frame) => Object.keys(frame).some((property) => !KEYFRAME_FIELDS.has(property) && isRelevant(property)));
}
