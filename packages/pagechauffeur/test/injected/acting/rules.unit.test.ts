import { describe, expect, it } from 'vitest';
import type { MotionAwaited } from '../../../src/injected/contract.ts';
import { MOTION_RULES, type MotionFacts, motionRule } from '../../../src/injected/acting/motion-rules.ts';
import { MUTATION_RULES, type MutationFacts, mutationRule } from '../../../src/injected/acting/mutation-rules.ts';

describe('a mutation', () => {
  const TEXT: MutationFacts = {
    type: 'characterData',
    isInUnrenderedElement: false,
    attribute: null,
    isText: true,
    hasSeenNode: false,
    repeats: 0,
    changes: 0,
  };
  const NODES: MutationFacts = { ...TEXT, type: 'childList', isText: false, hasSeenNode: true };
  const attribute = (name: string): MutationFacts => ({ ...TEXT, type: 'attributes', isText: false, attribute: name });
  const ROWS: readonly (readonly [title: string, rule: string | undefined, mutation: MutationFacts])[] = [
    ['of a text counts', undefined, TEXT],
    ['of a text in a script does not count', 'unseen-element', { ...TEXT, isInUnrenderedElement: true }],
    ['of a comment does not count', 'comment', { ...TEXT, isText: false }],
    ['that adds an element counts', undefined, NODES],
    ['that adds a script does not count', 'unseen-nodes', { ...NODES, hasSeenNode: false }],
    ['of a class counts', undefined, attribute('class')],
    ['of an ARIA state counts', undefined, attribute('aria-expanded')],
    ['of a state that style sheets read counts', undefined, attribute('data-menu-open')],
    ['of a number for scripts does not count', 'bookkeeping', attribute('data-index')],
    ['that repeats three times counts', undefined, { ...TEXT, repeats: 3 }],
    ['that repeats four times does not count', 'ticking', { ...TEXT, repeats: 4 }],
    ['of an attribute counts 90 times', undefined, { ...attribute('style'), changes: 90 }],
    ['of an attribute does not count the 91st time', 'endless', { ...attribute('style'), changes: 91 }],
  ];

  it.each(ROWS)('%s', (_title, rule, mutation) => {
    expect(mutationRule(mutation)?.name).toBe(rule);
  });

  it.each(MUTATION_RULES)('is judged by the rule $name', (rule) => {
    const others = MUTATION_RULES.filter((other) => other !== rule);
    expect(ROWS.some(([, name, mutation]) => mutationRule(mutation, others)?.name !== name)).toBe(true);
  });
});

describe('an animation', () => {
  const [yes, no] = [(): boolean => true, (): boolean => false];
  /** A small text that moves a little. */
  const MOVES: MotionFacts = {
    endsByItself: true,
    endTime: 300,
    hasElement: true,
    changesWhatIsShown: yes,
    isInView: yes,
    fadesAway: no,
    isLargeOverlay: no,
    holdsContent: yes,
    isNotYetVisible: no,
    endsUnreadable: no,
  };
  type Row = readonly [title: string, rule: string | undefined, motion: MotionFacts, awaited: MotionAwaited];
  const ROWS: readonly Row[] = [
    ['that a person sees is awaited', 'all', MOVES, 'all'],
    ['of a text that stays readable goes on for who reads', undefined, MOVES, 'text'],
    ['without an end goes on', 'endless', { ...MOVES, endsByItself: false }, 'all'],
    ['that takes 3 s is awaited', 'all', { ...MOVES, endTime: 3000 }, 'all'],
    ['that takes longer than 3 s goes on', 'long', { ...MOVES, endTime: 3001 }, 'all'],
    ['of nothing goes on', 'without-element', { ...MOVES, hasElement: false }, 'all'],
    ['that shows nothing goes on', 'shows-nothing', { ...MOVES, changesWhatIsShown: no }, 'all'],
    ['outside the viewport goes on', 'out-of-view', { ...MOVES, isInView: no }, 'all'],
    ['of what fades away goes on', 'fading-away', { ...MOVES, fadesAway: yes, isLargeOverlay: yes }, 'text'],
    ['of a large overlay is awaited', 'large-overlay', { ...MOVES, isLargeOverlay: yes, holdsContent: no }, 'arrival'],
    ['of an icon goes on', 'decoration', { ...MOVES, holdsContent: no, isNotYetVisible: yes }, 'text'],
    ['of what is to appear is awaited', 'unseen-yet', { ...MOVES, isNotYetVisible: yes }, 'arrival'],
    ['after which a text is gone is awaited for who reads', 'ends-unread', { ...MOVES, endsUnreadable: yes }, 'text'],
    ['after which a text is gone goes on for who acts', undefined, { ...MOVES, endsUnreadable: yes }, 'arrival'],
  ];

  it.each(ROWS)('%s', (_title, rule, motion, awaited) => {
    expect(motionRule(motion, awaited)?.name).toBe(rule);
  });

  it.each(MOTION_RULES)('is judged by the rule $name', (rule) => {
    const others = MOTION_RULES.filter((other) => other !== rule);
    const isOther = ([, , motion, awaited]: Row): boolean => {
      const isAwaited = motionRule(motion, awaited)?.isAwaited ?? false;
      return (motionRule(motion, awaited, others)?.isAwaited ?? false) !== isAwaited;
    };
    expect(ROWS.some(isOther)).toBe(true);
  });
});
