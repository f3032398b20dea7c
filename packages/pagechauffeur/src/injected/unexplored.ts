import { knownClosedRootCount } from './composed-tree.ts';
import type { Unexplored } from './contract.ts';
import { hostCandidateCount, noteHostsBelow } from './snapshot/host-candidates.ts';

/** Maximum share of a wait that scans for hosts may take. One scan of the page can take milliseconds. */
const SHARE_OF_TIME = 0.1;
/** Maximum interval between scans, in ms. */
const LONGEST_INTERVAL = 250;
/** If nothing is found, every possible host is explored, unless there are more than the browser can check in 1 s. */
const MANY_HOSTS = 20_000;

let lastLook = Number.NEGATIVE_INFINITY;
let lookInterval = 0;
let rootsAtLastLook = 0;

/**
 * Returns the result, or `UNEXPLORED` if it may be incomplete: unexplored elements look like hosts or, if nothing was
 * found, any element may be a host.
 */
export function orUnexplored<A extends { readonly kind: string } | readonly unknown[]>(answer: A): A | Unexplored {
  return mayBeIncomplete(answer) && isUnexplored(foundNothing(answer)) ? UNEXPLORED : answer;
}

/** Tells Node to register possible closed shadow roots and repeat the call. */
export const UNEXPLORED: Unexplored = { kind: 'unexplored' };

// A result that counts or lists elements must be complete. For other results, the first match is enough.
function mayBeIncomplete(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return !('kind' in answer) || 'count' in answer || foundNothing(answer);
}

function foundNothing(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return 'kind' in answer ? answer.kind === 'none' || answer.kind === 'no-shadow-root' : answer.length === 0;
}

/**
 * True if unexplored elements may host closed shadow roots. Scans immediately if a root was registered since the last
 * scan, because it may contain more hosts.
 */
export function isUnexplored(hasFoundNothing: boolean): boolean {
  const isRecent = performance.now() - lastLook < lookInterval && knownClosedRootCount() === rootsAtLastLook;
  if (isRecent) return false;
  lastLook = performance.now();
  rootsAtLastLook = knownClosedRootCount();
  const others = noteHostsBelow(document, hasFoundNothing);
  lookInterval = Math.min((performance.now() - lastLook) / SHARE_OF_TIME, LONGEST_INTERVAL);
  return hostCandidateCount() > 0 || (hasFoundNothing && others > 0 && others <= MANY_HOSTS);
}
