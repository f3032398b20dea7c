import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Decision, Understood } from '../rank/decide.ts';
import type { Candidate } from '../rank/ranker.ts';

/** The result of one reading of an instruction on this page. */
export interface Proposal {
  readonly reading: Reading;
  /** Null if several elements match equally well or none explains every word. */
  readonly action: ProposedAction | null;
  readonly twoStep: boolean;
  /** From 0 to 1. */
  readonly score: number;
  /** Elements that explain every word equally well. */
  readonly equals: readonly Understood[];
  /** All elements that explain every word. */
  readonly understood: readonly Understood[];
  /** The elements considered, best first. */
  readonly nearest: readonly Candidate[];
  /** Words that the nearest element does not explain. */
  readonly missing: readonly string[];
  /** The number of matching elements if there are fewer than the requested position. */
  readonly tooFew: number | undefined;
}

/** Method and arguments of an action. */
export interface Step {
  readonly method: string;
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
}

/** Turns a decision into a proposal. Returns `undefined` if there is no candidate. */
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
  const isMeant = winner !== null && reading.unread.length === 0;
  return {
    reading,
    action: isMeant ? actionOn(best.line.node, taken) : null,
    twoStep: taken.twoStep ?? false,
    score: best.score * reading.prior,
    equals: reading.unread.length > 0 ? [] : equals,
    understood: reading.unread.length > 0 ? [] : understood,
    nearest,
    missing: unread,
    tooFew,
  };
}

/** Returns an action on an element, with a readable description. */
export function actionOn(node: SnapshotNode, { method, arguments: values = [] }: Step): ProposedAction {
  return { ref: node.ref ?? '', method, arguments: values, description: describeNode(node) };
}

/** Describes an element: `button "Save", disabled`. */
export function describeNode(node: SnapshotNode): string {
  const name = node.name || node.placeholder || node.description || '';
  const kind = name === '' ? node.role : `${node.role} ${JSON.stringify(name)}`;
  return node.states.includes('disabled') ? `${kind}, disabled` : kind;
}
