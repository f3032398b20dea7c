import type { Wait } from './wait.ts';

/** How long, in ms, a list may take to grow to the requested index. */
const GROWTH_TIMEOUT_MS = 1000;

/** True if the list exists but stayed shorter than the index of the selector for that long. */
export function isPastTheEnd(answer: { readonly kind: string; readonly isPastTheEnd?: true }, wait: Wait): boolean {
  return answer.isPastTheEnd === true && wait.elapsed >= GROWTH_TIMEOUT_MS;
}
