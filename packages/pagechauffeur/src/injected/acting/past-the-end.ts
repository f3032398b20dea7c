import type { Wait } from './wait.ts';

/** Milliseconds that a list has to grow up to the number that is asked for. */
const GROWTH_TIMEOUT_MS = 1000;

/** True if a list that is there, but shorter than the number that a selector asks for, has had its time to grow. */
export function isPastTheEnd(answer: { readonly kind: string; readonly isPastTheEnd?: true }, wait: Wait): boolean {
  return answer.isPastTheEnd === true && wait.elapsed >= GROWTH_TIMEOUT_MS;
}
