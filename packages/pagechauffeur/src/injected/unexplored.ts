import { knownClosedRootCount } from './composed-tree.ts';
import type { Unexplored } from './contract.ts';
import { hostCandidateCount, noteHostsBelow } from './snapshot/host-candidates.ts';

/** The share of a wait that may be spent on scanning for hosts, as one scan of the page can take milliseconds. */
const SHARE_OF_TIME = 0.1;
/** Maximum interval between scans, in ms. */
const LONGEST_INTERVAL = 250;
/** If nothing is found, every possible host is explored, unless there are more than the browser can answer for in 1 s. */
const MANY_HOSTS = 20_000;

let lastLook = Number.NEGATIVE_INFINITY;
let lookInterval = 0;
let rootsAtLastLook = 0;

/**
 * Returns the answer, or the request to open closed shadow roots first. It asks if unexplored elements look like hosts or, when nothing was
 * found, if any element may be a host.
 */
export function orUnexplored<A extends { readonly kind: string } | readonly unknown[]>(answer: A): A | Unexplored {
  return mayBeIncomplete(answer) && isUnexplored(foundNothing(answer)) ? UNEXPLORED : answer;
}

/** The request to open possible closed shadow roots first. */
export const UNEXPLORED: Unexplored = { kind: 'unexplored' };

// An answer that counts or lists elements must be complete. For other answers, the first match is enough.
function mayBeIncomplete(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return !('kind' in answer) || 'count' in answer || foundNothing(answer);
}

function foundNothing(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return 'kind' in answer ? answer.kind === 'none' || answer.kind === 'no-shadow-root' : answer.length === 0;
}

/**
 * True if unexplored elements may host closed shadow roots. A root opened since the last scan may contain more hosts, so that triggers a
 * scan at once.
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
