import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Decision, Understood } from '../rank/decide.ts';
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
  /** Unread words of the instruction, else words that rule out the nearest element. */
  readonly missing: readonly string[];
  /** Number of matching elements, if fewer than the requested position. */
  readonly tooFew: number | undefined;
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
  const { winner, equals, understood, nearest, missing, tooFew } = decision;
  const best = winner ?? equals[0] ?? nearest[0];
  const taken = best && step(best.line.node);
  if (!best || !taken) return undefined;
  const unread = reading.unread.length > 0 ? reading.unread : missing;
  const isUnderstood = winner !== null && reading.unread.length === 0;
  return {
    reading,
    action: isUnderstood ? actionOn(best.line.node, taken) : null,
    twoStep: taken.twoStep ?? false,
    score: best.score * reading.prior,
    equals: reading.unread.length > 0 ? [] : equals,
    understood: reading.unread.length > 0 ? [] : understood,
    nearest,
    missing: unread,
    tooFew,
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
