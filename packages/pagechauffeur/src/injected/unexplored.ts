import { knownClosedRootCount } from './composed-tree.ts';
import type { Unexplored } from './contract.ts';
import { hostCandidateCount, noteHostsBelow } from './snapshot/host-candidates.ts';

/** Looking at a whole page for possible hosts may cost milliseconds; a wait that finds nothing spends this part of its time on it. */
const SHARE_OF_TIME = 0.1;
/** And does it at least this often, in ms. */
const LONGEST_INTERVAL = 250;
/** Where nothing is found, all elements are asked about that may be hosts, unless they are more than the browser answers for within a second. */
const MANY_HOSTS = 20_000;

let lastLook = Number.NEGATIVE_INFINITY;
let lookInterval = 0;
let rootsAtLastLook = 0;

/**
 * An answer as it is, or the request to open closed shadow roots first: when there are elements that look as if they hosted
 * some and were never asked about, and, where nothing was found, when there are any that may host some.
 */
export function orUnexplored<A extends { readonly kind: string } | readonly unknown[]>(answer: A): A | Unexplored {
  return mayBeIncomplete(answer) && isUnexplored(foundNothing(answer)) ? UNEXPLORED : answer;
}

/** The request to open first what may be closed. */
export const UNEXPLORED: Unexplored = { kind: 'unexplored' };

// Elements that are counted or listed are all of them; of other questions the first answer is enough.
function mayBeIncomplete(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return !('kind' in answer) || 'count' in answer || foundNothing(answer);
}

function foundNothing(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return 'kind' in answer ? answer.kind === 'none' || answer.kind === 'no-shadow-root' : answer.length === 0;
}

/** Whether there are elements that may host closed shadow roots; a root that was opened since may hold further hosts, so that is looked into at once. */
export function isUnexplored(hasFoundNothing: boolean): boolean {
  const isRecent = performance.now() - lastLook < lookInterval && knownClosedRootCount() === rootsAtLastLook;
  if (isRecent) return false;
  lastLook = performance.now();
  rootsAtLastLook = knownClosedRootCount();
  const others = noteHostsBelow(document, hasFoundNothing);
  lookInterval = Math.min((performance.now() - lastLook) / SHARE_OF_TIME, LONGEST_INTERVAL);
  return hostCandidateCount() > 0 || (hasFoundNothing && others > 0 && others <= MANY_HOSTS);
}
