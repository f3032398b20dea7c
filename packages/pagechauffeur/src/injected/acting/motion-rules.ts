import type { MotionAwaited } from '../contract.ts';

/** Facts that decide whether to wait for a running animation. Facts that need layout are functions; a rule calls them only if needed. */
export interface MotionFacts {
  readonly endsByItself: boolean;
  /** The end time, in ms from the start. */
  readonly endTime: number;
  /** True if the animation belongs to an element or to a pseudo-element of one. */
  readonly hasElement: boolean;
  /** True if it changes what the page shows. A cursor does not count. */
  changesWhatIsShown(): boolean;
  isInView(): boolean;
  /** True if the element is disappearing, so that a snapshot omits it already. */
  fadesAway(): boolean;
  /** True if the element covers much of the viewport. */
  isLargeOverlay(): boolean;
  /** True if the element holds anything to read or use. */
  holdsContent(): boolean;
  /** True if the element is not visible yet. */
  isUnseenYet(): boolean;
  /** True if the animation may end, or pass through a state, where the content is not readable. */
  endsUnread(): boolean;
}

/** A rule that says whether to wait for an animation. */
export interface MotionRule {
  readonly name: string;
  readonly reason: string;
  readonly isAwaited: boolean;
  applies(motion: MotionFacts, awaited: MotionAwaited): boolean;
}

/** An animation longer than this many ms is decoration, such as a carousel or a progress bar, not an answer to an action. */
const LONGEST_ANSWER = 3000;

/** The first rule that applies decides. */
export const MOTION_RULES: readonly MotionRule[] = [
  {
    name: 'endless',
    reason: 'What never ends by itself cannot be waited for.',
    isAwaited: false,
    applies: ({ endsByItself }) => !endsByItself,
  },
  {
    name: 'long',
    reason: 'What takes so long is decoration.',
    isAwaited: false,
    applies: ({ endTime }) => endTime > LONGEST_ANSWER,
  },
  {
    name: 'without-element',
    reason: 'Nothing of the page moves.',
    isAwaited: false,
    applies: ({ hasElement }) => !hasElement,
  },
  {
    name: 'shows-nothing',
    reason: 'The page looks the same at its end.',
    isAwaited: false,
    applies: (motion) => !motion.changesWhatIsShown(),
  },
  {
    name: 'out-of-view',
    reason: 'A person does not see it.',
    isAwaited: false,
    applies: (motion) => !motion.isInView(),
  },
  {
    name: 'all',
    reason: 'A person, or a model that gets screenshots, sees all motion.',
    isAwaited: true,
    applies: (_motion, awaited) => awaited === 'all',
  },
  {
    name: 'fading-away',
    reason: 'A snapshot leaves it out already.',
    isAwaited: false,
    applies: (motion) => motion.fadesAway(),
  },
  {
    name: 'large-overlay',
    reason: 'It hides or uncovers what the page says.',
    isAwaited: true,
    applies: (motion) => motion.isLargeOverlay(),
  },
  {
    name: 'decoration',
    reason: 'An icon that moves says nothing.',
    isAwaited: false,
    applies: (motion) => !motion.holdsContent(),
  },
  {
    name: 'unseen-yet',
    reason: 'A snapshot does not have it before it is seen.',
    isAwaited: true,
    applies: (motion) => motion.isUnseenYet(),
  },
  {
    name: 'ends-unread',
    reason: 'Its text may be gone at the end.',
    isAwaited: true,
    applies: (motion, awaited) => awaited === 'text' && motion.endsUnread(),
  },
];

/** Returns the first matching rule; `undefined` if none matches and the animation need not be awaited. */
export function motionRule(
  motion: MotionFacts,
  awaited: MotionAwaited,
  rules: readonly MotionRule[] = MOTION_RULES,
): MotionRule | undefined {
  return rules.find((rule) => rule.applies(motion, awaited));
}
