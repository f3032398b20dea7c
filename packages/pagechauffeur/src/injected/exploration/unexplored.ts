import { knownClosedRootCount } from '../tree/composed-tree.ts';
import type { Unexplored } from '../contract.ts';
import { hasWaiting } from './custom-elements.ts';
import { hostCandidateCount, noteHostsBelow } from './host-candidates.ts';

/** Scans for hosts may take at most this fraction of the time. One scan of the page can take milliseconds. */
const SHARE_OF_TIME = 0.1;
/** In ms. The pause before the next scan is at most this long. */
const LONGEST_INTERVAL = 250;
/** If nothing is found, all possible hosts are explored, unless there are more than the browser can check in 1 s. */
const MANY_HOSTS = 20_000;

/** The last scan for hosts: when it started, the pause after it, and how many closed roots were known. */
let lastScan = { time: Number.NEGATIVE_INFINITY, pause: 0, rootCount: 0 };

/**
 * Returns `UNEXPLORED` instead if the result may be incomplete: some elements look like hosts of closed shadow roots
 * or, if nothing was found, some element may be one.
 */
export function orUnexplored<A extends { readonly kind: string } | readonly unknown[]>(answer: A): A | Unexplored {
  return mayBeIncomplete(answer) && isUnexplored(foundNothing(answer)) ? UNEXPLORED : answer;
}

/** Tells the driver to register closed shadow roots and repeat the call. */
export const UNEXPLORED: Unexplored = { kind: 'unexplored' };

// A result that counts or lists elements must be complete. For others, the first match is enough.
function mayBeIncomplete(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return !('kind' in answer) || 'count' in answer || foundNothing(answer);
}

function foundNothing(answer: { readonly kind: string } | readonly unknown[]): boolean {
  return 'kind' in answer ? answer.kind === 'none' || answer.kind === 'no-shadow-root' : answer.length === 0;
}

/**
 * True if elements that were not explored may host closed shadow roots. Scans immediately after a root was registered,
 * because it may contain more hosts.
 */
export function isUnexplored(hasFoundNothing: boolean): boolean {
  const time = performance.now();
  const rootCount = knownClosedRootCount();
  if (time - lastScan.time < lastScan.pause && rootCount === lastScan.rootCount) return false;
  const others = noteHostsBelow(document, hasFoundNothing);
  lastScan = { time, pause: Math.min((performance.now() - time) / SHARE_OF_TIME, LONGEST_INTERVAL), rootCount };
  if (hasWaiting()) return true;
  return hostCandidateCount() > 0 || (hasFoundNothing && others > 0 && others <= MANY_HOSTS);
}
