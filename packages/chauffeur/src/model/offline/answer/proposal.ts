import type { SnapshotNode } from '../../../snapshot/snapshot-node.ts';
import type { ProposedAction } from '../../model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Decision } from '../rank/decide.ts';
import type { Candidate } from '../rank/ranker.ts';

/** What one reading of an instruction comes to on this page. */
export interface Proposal {
  readonly reading: Reading;
  /** Null when several elements fit alike. */
  readonly action: ProposedAction | null;
  readonly twoStep: boolean;
  /** From 0 to 1. */
  readonly score: number;
  /** The elements considered, best first. */
  readonly nearest: readonly Candidate[];
}

/** What is done to the element. */
export interface Step {
  readonly method: string;
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
}

/** Makes a proposal of a decision; undefined when nothing was found. */
export function propose(
  reading: Reading,
  decision: Decision,
  step: (node: SnapshotNode) => Step | null,
): Proposal | undefined {
  const best = decision.winner ?? (decision.isAmbiguous ? decision.nearest[0] : undefined);
  if (!best) return undefined;
  const { line, score } = best;
  const taken = step(line.node);
  if (!taken) return undefined;
  return {
    reading,
    action: decision.winner ? actionOn(line.node, taken) : null,
    twoStep: taken.twoStep ?? false,
    score: score * reading.prior,
    nearest: decision.nearest,
  };
}

/** An action on an element, described for people. */
export function actionOn(node: SnapshotNode, { method, arguments: values = [] }: Step): ProposedAction {
  return { ref: node.ref ?? '', method, arguments: values, description: describeNode(node) };
}

/** An element in a few words: `button "Save", disabled`. */
export function describeNode(node: SnapshotNode): string {
  const name = node.name || node.placeholder || node.description || '';
  const kind = name === '' ? node.role : `${node.role} ${JSON.stringify(name)}`;
  return node.states.includes('disabled') ? `${kind}, disabled` : kind;
}
