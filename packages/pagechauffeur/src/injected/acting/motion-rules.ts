import type { MotionAwaited } from '../contract.ts';

/**
 * Properties of a running animation that decide whether to wait for it. Those that need layout are functions, so that
 * rules compute them only if needed.
 */
export interface MotionFacts {
  readonly endsByItself: boolean;
  /** The end time in ms, relative to the start. */
  readonly endTime: number;
  /** True if the animation has an element or a pseudo-element as its target. */
  readonly hasElement: boolean;
  /** True if it changes the rendering. Changes of the mouse cursor do not count. */
  changesWhatIsShown(): boolean;
  isInView(): boolean;
  /** True if the element is fading out, so that snapshots already omit it. */
  fadesAway(): boolean;
  /** True if the element covers much of the viewport. */
  isLargeOverlay(): boolean;
  /** True if the element contains text, controls or media. */
  holdsContent(): boolean;
  /** True if the element is not visible yet. */
  isUnseenYet(): boolean;
  /** True if the content may be unreadable at the end of the animation or during it. */
  endsUnread(): boolean;
}

/** A rule that says whether to wait for an animation. */
export interface MotionRule {
  readonly name: string;
  readonly reason: string;
  readonly isAwaited: boolean;
  applies(motion: MotionFacts, awaited: MotionAwaited): boolean;
}

/**
 * Maximum duration in ms of an animation that responds to an action. Longer ones, such as carousels and progress bars,
 * are ignored.
 */
const LONGEST_ANSWER = 3000;

/** In order of precedence: the first rule that applies decides. */
export const MOTION_RULES: readonly MotionRule[] = [
  {
    name: 'endless',
    reason: 'The animation has no end.',
    isAwaited: false,
    applies: ({ endsByItself }) => !endsByItself,
  },
  {
    name: 'long',
    reason: 'An animation of more than 3 s is decoration.',
    isAwaited: false,
    applies: ({ endTime }) => endTime > LONGEST_ANSWER,
  },
  {
    name: 'without-element',
    reason: 'The animation has no target in the page.',
    isAwaited: false,
    applies: ({ hasElement }) => !hasElement,
  },
  {
    name: 'shows-nothing',
    reason: 'The animation does not change the rendering.',
    isAwaited: false,
    applies: (motion) => !motion.changesWhatIsShown(),
  },
  {
    name: 'out-of-view',
    reason: 'The element is outside the viewport.',
    isAwaited: false,
    applies: (motion) => !motion.isInView(),
  },
  {
    name: 'all',
    reason: 'The caller needs the final rendering, for example for a screenshot.',
    isAwaited: true,
    applies: (_motion, awaited) => awaited === 'all',
  },
  {
    name: 'fading-away',
    reason: 'Snapshots already omit the element.',
    isAwaited: false,
    applies: (motion) => motion.fadesAway(),
  },
  {
    name: 'large-overlay',
    reason: 'The overlay hides or reveals content of the page.',
    isAwaited: true,
    applies: (motion) => motion.isLargeOverlay(),
  },
  {
    name: 'decoration',
    reason: 'An animated icon contains neither text nor controls.',
    isAwaited: false,
    applies: (motion) => !motion.holdsContent(),
  },
  {
    name: 'unseen-yet',
    reason: 'Snapshots omit the element until it is visible.',
    isAwaited: true,
    applies: (motion) => motion.isUnseenYet(),
  },
  {
    name: 'ends-unread',
    reason: 'The text may be unreadable during the animation or after it.',
    isAwaited: true,
    applies: (motion, awaited) => awaited === 'text' && motion.endsUnread(),
  },
];

/** Returns the first rule that applies; `undefined` if none does, in which case the animation is not awaited. */
export function motionRule(
  motion: MotionFacts,
  awaited: MotionAwaited,
  rules: readonly MotionRule[] = MOTION_RULES,
): MotionRule | undefined {
  return rules.find((rule) => rule.applies(motion, awaited));
}
