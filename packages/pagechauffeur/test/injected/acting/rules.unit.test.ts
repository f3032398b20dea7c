import { describe, expect, it } from 'vitest';
import type { MotionAwaited } from '../../../src/injected/contract.ts';
import { MOTION_RULES, type MotionFacts, motionRule } from '../../../src/injected/acting/settling/motion-rules.ts';
import {
  MUTATION_RULES,
  type MutationFacts,
  mutationRule,
} from '../../../src/injected/acting/effects/mutation-rules.ts';

describe('mutationRule()', () => {
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
    ['counts a text change', undefined, TEXT],
    ['ignores a text change in a script', 'unseen-element', { ...TEXT, isInUnrenderedElement: true }],
    ['ignores a change of a comment', 'comment', { ...TEXT, isText: false }],
    ['counts an added element', undefined, NODES],
    ['ignores an added script', 'unseen-nodes', { ...NODES, hasSeenNode: false }],
    ['counts a change of a class', undefined, attribute('class')],
    ['counts a change of an ARIA state', undefined, attribute('aria-expanded')],
    ['counts a change of a data attribute with a state', undefined, attribute('data-menu-open')],
    ['ignores a change of a data attribute with a number for scripts', 'bookkeeping', attribute('data-index')],
    ['counts a change that repeats three times', undefined, { ...TEXT, repeats: 3 }],
    ['ignores a change that repeats four times', 'ticking', { ...TEXT, repeats: 4 }],
    ['counts 90 changes of an attribute', undefined, { ...attribute('style'), changes: 90 }],
    ['ignores the 91st change of an attribute', 'endless', { ...attribute('style'), changes: 91 }],
  ];

  it.each(ROWS)('%s', (_title, rule, mutation) => {
    expect(mutationRule(mutation)?.name).toBe(rule);
  });

  it.each(MUTATION_RULES)('depends on the rule "$name" in at least one row', (rule) => {
    const others = MUTATION_RULES.filter((other) => other !== rule);
    expect(ROWS.some(([, name, mutation]) => mutationRule(mutation, others)?.name !== name)).toBe(true);
  });
});

describe('motionRule()', () => {
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
    ['waits for visible motion', 'all', MOVES, 'all'],
    ['does not wait for text that stays readable if the caller awaits `text`', undefined, MOVES, 'text'],
    ['does not wait for motion without an end', 'endless', { ...MOVES, endsByItself: false }, 'all'],
    ['waits for motion of 3 s', 'all', { ...MOVES, endTime: 3000 }, 'all'],
    ['does not wait for motion longer than 3 s', 'long', { ...MOVES, endTime: 3001 }, 'all'],
    ['does not wait for motion without an element', 'without-element', { ...MOVES, hasElement: false }, 'all'],
    [
      'does not wait for motion that changes nothing visible',
      'shows-nothing',
      { ...MOVES, changesWhatIsShown: no },
      'all',
    ],
    ['does not wait for motion outside the viewport', 'out-of-view', { ...MOVES, isInView: no }, 'all'],
    [
      'does not wait for an element that fades away',
      'fading-away',
      { ...MOVES, fadesAway: yes, isLargeOverlay: yes },
      'text',
    ],
    ['waits for a large overlay', 'large-overlay', { ...MOVES, isLargeOverlay: yes, holdsContent: no }, 'arrival'],
    ['does not wait for an icon', 'decoration', { ...MOVES, holdsContent: no, isNotYetVisible: yes }, 'text'],
    ['waits for an element that is not visible yet', 'unseen-yet', { ...MOVES, isNotYetVisible: yes }, 'arrival'],
    [
      'waits for text that ends unreadable if the caller awaits `text`',
      'ends-unread',
      { ...MOVES, endsUnreadable: yes },
      'text',
    ],
    [
      'does not wait for text that ends unreadable if the caller awaits `arrival`',
      undefined,
      { ...MOVES, endsUnreadable: yes },
      'arrival',
    ],
  ];

  it.each(ROWS)('%s', (_title, rule, motion, awaited) => {
    expect(motionRule(motion, awaited)?.name).toBe(rule);
  });

  it.each(MOTION_RULES)('depends on the rule "$name" in at least one row', (rule) => {
    const others = MOTION_RULES.filter((other) => other !== rule);
    const isOther = ([, , motion, awaited]: Row): boolean => {
      const isAwaited = motionRule(motion, awaited)?.isAwaited ?? false;
      return (motionRule(motion, awaited, others)?.isAwaited ?? false) !== isAwaited;
    };
    expect(ROWS.some(isOther)).toBe(true);
  });
});
