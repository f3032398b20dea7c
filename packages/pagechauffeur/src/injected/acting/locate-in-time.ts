import type { CallId, ElementTarget, Unexplored, WaitState } from '../contract.ts';
import { type Located, locate, type NotFound } from '../selector/locate.ts';
import { orUnexplored } from '../exploration/unexplored.ts';
import { isPastTheEnd, Wait } from './wait.ts';
import { invisibilityOf } from './actionability.ts';

type Found = Extract<Located, { kind: 'element' }>;

/** Waits at most `timeout` ms for the element; 0 checks once. */
export async function locateInTime(
  target: ElementTarget,
  timeout: number,
  call: CallId | undefined,
): Promise<Found | NotFound | Unexplored> {
  const first = check(target);
  if (timeout === 0 || first.isFinal) return first.answer;
  const wait = new Wait(timeout, call);
  try {
    for (;;) {
      const { answer, isFinal } = check(target);
      if (isFinal || wait.isOver || isPastTheEnd(answer, wait)) return answer;
      await wait.change();
    }
  } finally {
    wait.close();
  }
}

interface Check {
  readonly answer: Found | NotFound | Unexplored;
  /** True if waiting cannot change the result. */
  readonly isFinal: boolean;
}

function check(target: ElementTarget): Check {
  const located = locate(target);
  if (located.kind === 'element') return { answer: located, isFinal: true };
  const answer = orUnexplored(located.answer);
  return { answer, isFinal: located.isFinal || answer.kind === 'unexplored' };
}

type WaitAnswer = { readonly kind: 'met' } | { readonly kind: 'timeout' } | NotFound | Unexplored;

export async function waitFor(
  target: ElementTarget,
  { state, timeout }: { readonly state: WaitState; readonly timeout: number },
  call?: CallId,
): Promise<WaitAnswer> {
  const wait = new Wait(timeout, call);
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
