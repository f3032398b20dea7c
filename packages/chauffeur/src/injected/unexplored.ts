import { knownClosedRootCount, shadowRootOf } from './composed-tree.ts';
import { visitElements } from './composed-walk.ts';
import type { Unexplored } from './contract.ts';
import { localNameOf } from './native.ts';
import { hostCandidateCount, noteHost, noteHostOf } from './snapshot/host-candidates.ts';

/** Looking at a whole page for possible hosts may cost milliseconds; a wait that finds nothing spends this part of its time on it. */
const SHARE_OF_TIME = 0.1;
/** And does it at least this often, in ms. */
const LONGEST_INTERVAL = 250;

let lastLook = Number.NEGATIVE_INFINITY;
let lookInterval = 0;
let rootsAtLastLook = 0;

/**
 * An answer as it is, or, when it says that nothing was found and there are elements that may host closed
 * shadow roots and were never looked into, the request to open those first.
 */
export function orUnexplored<A extends { readonly kind: string } | readonly unknown[]>(answer: A): A | Unexplored {
  return foundNothing(answer) && isUnexplored() ? UNEXPLORED : answer;
}

/** The request to open first what may be closed. */
export const UNEXPLORED: Unexplored = { kind: 'unexplored' };

function foundNothing(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return 'kind' in answer ? answer.kind === 'none' || answer.kind === 'no-shadow-root' : answer.length === 0;
}

/** Whether there are elements that may host closed shadow roots; a root that was opened since may hold further hosts, so that is looked into at once. */
export function isUnexplored(): boolean {
  const isRecent = performance.now() - lastLook < lookInterval && knownClosedRootCount() === rootsAtLastLook;
  if (isRecent) return false;
  lastLook = performance.now();
  rootsAtLastLook = knownClosedRootCount();
  visitElements(document, (element) => {
    if (shadowRootOf(element)) return;
    const style = getComputedStyle(element);
    noteHost(element, localNameOf(element), { style });
    if (style.display === '') noteHostOf(element);
  });
  lookInterval = Math.min((performance.now() - lastLook) / SHARE_OF_TIME, LONGEST_INTERVAL);
  return hostCandidateCount() > 0;
}
