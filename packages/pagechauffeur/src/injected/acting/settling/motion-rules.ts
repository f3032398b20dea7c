import type { MotionAwaited } from '../../contract.ts';

/**
 * What the rules know about a running animation. Facts that need layout are functions, so that they are computed only
 * if a rule needs them.
 */
export interface MotionFacts {
  readonly endsByItself: boolean;
  /** End time in ms, relative to the start. */
  readonly endTime: number;
  /** False for an animation without a target in the page. */
  readonly hasElement: boolean;
  /** True if it shows, hides, moves or resizes anything. Colors and other paint do not count. */
  changesWhatIsShown(): boolean;
  isInView(): boolean;
  /** True if the element is fading out, so that snapshots already omit it. */
  fadesAway(): boolean;
  /** True if the element covers more than half of the viewport. */
  isLargeOverlay(): boolean;
  /** True if the element contains text, controls or media. */
  holdsContent(): boolean;
  isNotYetVisible(): boolean;
  endsUnreadable(): boolean;
}

export interface MotionRule {
  readonly name: string;
  readonly reason: string;
  readonly isAwaited: boolean;
  applies(motion: MotionFacts, awaited: MotionAwaited): boolean;
}

/** Maximum duration in ms. A longer animation, such as a carousel or progress bar, is no response to an action. */
const LONGEST_ANSWER = 3000;

/** The first rule that applies decides. */
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
    reason: 'The animation only changes paint, such as colors.',
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
    applies: (motion) => motion.isNotYetVisible(),
  },
  {
    name: 'ends-unread',
    reason: 'The text may be unreadable during the animation or after it.',
    isAwaited: true,
    applies: (motion, awaited) => awaited === 'text' && motion.endsUnreadable(),
  },
];

/** Returns the rule that decides. If there is none, the animation is not awaited. */
export function motionRule(
  motion: MotionFacts,
  awaited: MotionAwaited,
  rules: readonly MotionRule[] = MOTION_RULES,
): MotionRule | undefined {
  return rules.find((rule) => rule.applies(motion, awaited));
}
