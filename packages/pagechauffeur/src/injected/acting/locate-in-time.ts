import type { ElementTarget, Unexplored, WaitLimit } from '../contract.ts';
import { type Located, locate, type NotFound } from '../locate.ts';
import { orUnexplored } from '../unexplored.ts';
import { isPastTheEnd } from './past-the-end.ts';
import { Wait } from './wait.ts';

type Found = Extract<Located, { kind: 'element' }>;

/** Locates an element and waits for it until the limit. Without a limit, it looks once. */
export async function locateInTime(
  target: ElementTarget,
  limit: WaitLimit | undefined,
): Promise<Found | NotFound | Unexplored> {
  const first = look(target);
  if (limit === undefined || limit.timeout === 0 || first.isFinal) return first.answer;
  const wait = new Wait(limit.waitId, limit.timeout);
  try {
    for (;;) {
      const { answer, isFinal } = look(target);
      if (isFinal || wait.isOver || isPastTheEnd(answer, wait)) return answer;
      await wait.change();
    }
  } finally {
    wait.close();
  }
}

interface Look {
  readonly answer: Found | NotFound | Unexplored;
  /** Waiting cannot change the answer. */
  readonly isFinal: boolean;
}

function look(target: ElementTarget): Look {
  const located = locate(target);
  if (located.kind === 'element') return { answer: located, isFinal: true };
  const answer = orUnexplored(located.answer);
  return { answer, isFinal: located.isFinal || answer.kind === 'unexplored' };
}
