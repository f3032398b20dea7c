import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Decision, Mismatch, Understood } from '../rank/decide.ts';
import type { Candidate } from '../rank/ranker.ts';

/** What one reading of the instruction would do on this page. */
export interface Proposal {
  readonly reading: Reading;
  /** `null` if the reading leaves words unread, or if not exactly one element matches. */
  readonly action: ProposedAction | null;
  readonly twoStep: boolean;
  /** From 0 to 1. */
  readonly score: number;
  /** Elements that match every word equally well. */
  readonly equals: readonly Understood[];
  readonly understood: readonly Understood[];
  /** All candidates, best first. */
  readonly nearest: readonly Candidate[];
  /** Names the unread words of the instruction if there are any. */
  readonly mismatch: Mismatch | null;
}

export interface Step {
  readonly method: string;
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
}

/** Turns a decision into a proposal. Returns `undefined` without a candidate, or if `step` rejects the best one. */
export function propose(
  reading: Reading,
  decision: Decision,
  step: (node: SnapshotNode) => Step | null,
): Proposal | undefined {
  const { winner, equals, understood, nearest, mismatch } = decision;
  const best = winner ?? equals[0] ?? nearest[0];
  const taken = best && step(best.line.node);
  if (!best || !taken) return undefined;
  const { unread } = reading;
  const isUnderstood = winner !== null && unread.length === 0;
  return {
    reading,
    action: isUnderstood ? actionOn(best.line.node, taken) : null,
    twoStep: taken.twoStep ?? false,
    score: best.score * reading.prior,
    equals: unread.length > 0 ? [] : equals,
    understood: unread.length > 0 ? [] : understood,
    nearest,
    mismatch: unread.length > 0 ? { kind: 'unmatched-words', words: unread } : mismatch,
  };
}

export function actionOn(node: SnapshotNode, { method, arguments: values = [] }: Step): ProposedAction {
  return { ref: node.ref ?? '', method, arguments: values, description: describeNode(node) };
}

/** Describes an element for messages: `button "Save", disabled`. */
export function describeNode(node: SnapshotNode): string {
  const name = node.name || node.placeholder || node.description || '';
  const kind = name === '' ? node.role : `${node.role} ${JSON.stringify(name)}`;
  return node.states.includes('disabled') ? `${kind}, disabled` : kind;
}
