/** What the rules know about a mutation. Plain data, so that the rules can be tested without a page. */
export interface MutationFacts {
  readonly type: 'attributes' | 'characterData' | 'childList';
  /** True if the changed node or its parent renders nothing, such as a script. */
  readonly isInUnrenderedElement: boolean;
  /** Name of the changed attribute; null for other mutations. */
  readonly attribute: string | null;
  readonly isText: boolean;
  /** True if an added or removed node renders something. */
  readonly hasSeenNode: boolean;
  /** How many times the node changed in the same way, ignoring numbers in its content. */
  readonly repeats: number;
  /** How many times the attribute changed, regardless of its values. */
  readonly changes: number;
}

/** Rejects mutations that cannot be an effect of an action. */
export interface MutationRule {
  readonly name: 'unseen-element' | 'bookkeeping' | 'comment' | 'unseen-nodes' | 'ticking' | 'endless';
  readonly reason: string;
  applies(mutation: MutationFacts): boolean;
}

/** Attributes whose changes are visible, besides `aria-*` and `STATE_ATTRIBUTE`. */
const VISIBLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'class style hidden disabled open value checked selected src srcset href placeholder title alt type readonly contenteditable inert width height ' +
    'd transform points x y cx cy r fill stroke'
  ).split(' '),
);
/** Custom attributes by which style sheets render states, such as `data-state`. */
const STATE_ATTRIBUTE =
  /^data-(?:[\w-]*-)?(?:theme|mode|scheme|state|status|open|opened|active|selected|checked|pressed|expanded|collapsed|show|shown|visible|hidden|disabled|highlighted|current|step|variant|view)$/;
const REPEATS_UNTIL_NOISE = 3;
/** 90 changes are one per frame for 1.5 s. */
const CHANGES_UNTIL_NOISE = 90;

/** A mutation that matches none of these rules may be an effect of an action. */
export const MUTATION_RULES: readonly MutationRule[] = [
  {
    name: 'unseen-element',
    reason: 'Scripts, styles and templates are not rendered.',
    applies: ({ isInUnrenderedElement }) => isInUnrenderedElement,
  },
  {
    name: 'bookkeeping',
    reason: 'Most attributes do not change the rendering.',
    applies: ({ type, attribute }) => type === 'attributes' && (attribute === null || !isVisibleAttribute(attribute)),
  },
  {
    name: 'comment',
    reason: 'Comments and processing instructions are not rendered.',
    applies: ({ type, isText }) => type === 'characterData' && !isText,
  },
  {
    name: 'unseen-nodes',
    reason: 'None of the added or removed nodes is rendered.',
    applies: ({ type, hasSeenNode }) => type === 'childList' && !hasSeenNode,
  },
  {
    name: 'ticking',
    reason: 'A node that repeats the same change is a clock or a blinking element.',
    applies: ({ repeats }) => repeats > REPEATS_UNTIL_NOISE,
  },
  {
    name: 'endless',
    reason: 'An attribute that changes in every frame for 1.5 s belongs to an animation without end.',
    applies: ({ changes }) => changes > CHANGES_UNTIL_NOISE,
  },
];

/** Returns `undefined` if the mutation may be an effect of an action. */
export function mutationRule(
  mutation: MutationFacts,
  rules: readonly MutationRule[] = MUTATION_RULES,
): MutationRule | undefined {
  return rules.find((rule) => rule.applies(mutation));
}

function isVisibleAttribute(attribute: string): boolean {
  return VISIBLE_ATTRIBUTES.has(attribute) || attribute.startsWith('aria-') || STATE_ATTRIBUTE.test(attribute);
}
