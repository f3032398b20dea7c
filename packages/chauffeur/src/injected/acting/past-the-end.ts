import type { ElementTarget } from '../contract.ts';
import type { Wait } from './wait.ts';

/** A list that is there has this many milliseconds to grow up to the number that is asked for. */
const GROWTH_PATIENCE = 1000;

/** Whether a selector asks for the nth of matches of which there are some, but fewer, and the wait for more has been long enough. */
export function isPastTheEnd(
  target: ElementTarget,
  answer: { readonly kind: string; readonly matched?: string },
  wait: Wait,
): boolean {
  if (answer.kind !== 'none' || !answer.matched || !('selector' in target)) return false;
  const rest = target.selector.startsWith(answer.matched) ? target.selector.slice(answer.matched.length) : '';
  return /^\s*>>\s*nth=-?\d+\s*$/.test(rest) && wait.elapsed >= GROWTH_PATIENCE;
}
