import type { ElementTarget, Unexplored, WaitLimit, WaitState } from '../contract.ts';
import { type Located, locate, type NotFound } from '../locate.ts';
import { invisibilityOf } from './actionability.ts';
import { orUnexplored } from '../unexplored.ts';
import { isPastTheEnd } from './past-the-end.ts';
import { Wait } from './wait.ts';

type WaitAnswer = { readonly kind: 'met' } | { readonly kind: 'timeout' } | NotFound | Unexplored;

/** Waits until an element is attached, detached, visible or hidden. */
export async function waitFor(
  target: ElementTarget,
  { state, timeout, waitId }: WaitLimit & { readonly state: WaitState },
): Promise<WaitAnswer> {
  const wait = new Wait(waitId, timeout);
  try {
    for (;;) {
      const located = locate(target);
      const answer = located.kind === 'missing' ? orUnexplored(located.answer) : null;
      if (answer?.kind === 'unexplored') return answer;
      if (holds(located, state)) return { kind: 'met' };
      if (answer && located.kind === 'missing' && (located.isFinal || isPastTheEnd(answer, wait))) return answer;
      if (wait.isOver) return { kind: 'timeout' };
      await wait.change();
    }
  } finally {
    wait.close();
  }
}

function holds(located: Located, state: WaitState): boolean {
  if (located.kind === 'element') {
    if (state === 'attached') return true;
    return state !== 'detached' && (invisibilityOf(located.element) === null) === (state === 'visible');
  }
  const { kind } = located.answer;
  const isGone = kind === 'none' || kind === 'stale' || kind === 'no-shadow-root';
  return isGone && (state === 'detached' || state === 'hidden');
}
