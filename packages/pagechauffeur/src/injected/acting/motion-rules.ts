import type { MotionAwaited } from '../contract.ts';

/** What decides whether a running animation is waited for. Facts that need the layout are asked for only where a rule needs them. */
export interface MotionFacts {
  readonly endsByItself: boolean;
  /** When it ends, in ms from its start. */
  readonly endTime: number;
  /** True if it moves an element, which may be a pseudo-element's. */
  readonly hasElement: boolean;
  /** True if it changes what the page shows, and not only for example a cursor. */
  changesWhatIsShown(): boolean;
  isInView(): boolean;
  /** True if the element is on its way out, so that a snapshot leaves it out already. */
  fadesAway(): boolean;
  /** True if the element covers much of the viewport. */
  isLargeOverlay(): boolean;
  /** True if there is anything in the element to read or use. */
  holdsContent(): boolean;
  /** True if the element cannot be seen yet. */
  isUnseenYet(): boolean;
  /** True if the element may end, or pass, where its content cannot be read. */
  endsUnread(): boolean;
}

/** One reason to wait for an animation, or not to. */
export interface MotionRule {
  readonly name: string;
  readonly reason: string;
  readonly isAwaited: boolean;
  applies(motion: MotionFacts, awaited: MotionAwaited): boolean;
}

/** An animation that runs longer than this many ms is decoration (a slide show, a progress bar), no answer to an action. */
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

/** The rule that decides whether an animation is waited for; undefined if none does: then it may go on. */
export function motionRule(
  motion: MotionFacts,
  awaited: MotionAwaited,
  rules: readonly MotionRule[] = MOTION_RULES,
): MotionRule | undefined {
  return rules.find((rule) => rule.applies(motion, awaited));
}
