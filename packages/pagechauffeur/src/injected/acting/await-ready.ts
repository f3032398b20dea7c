import type { AwaitOptions, CallId, ElementTarget, Readiness, Unexplored } from '../contract.ts';
import { coverWithoutScrolling } from './point/act-point.ts';
import { blockedAnswer, findSubject, type Obstacle, obstacleOf } from './demands.ts';
import { verifyFramePath } from './point/ancestor-frames.ts';
import { isPastTheEnd, Wait } from './wait.ts';
import { isStable } from './settling/stability.ts';
import { mayLiftReadOnly } from './input/text-entry.ts';

export async function awaitReady(
  target: ElementTarget,
  options: AwaitOptions,
  call?: CallId,
): Promise<Readiness | Unexplored> {
  if (!(await verifyFramePath(options.framePath ?? [], options.nonces ?? []))) return { kind: 'elsewhere' };
  const wait = new Wait(options.timeout, call);
  let hasChanged = !options.mustChange;
  try {
    for (;;) {
      const { answer, isFinal } = await check(target, options);
      const isAbsent = answer.kind === 'none' && wait.elapsed >= (options.absentTimeout ?? options.timeout);
      const isEnough = answer.kind === 'maybe-ready' ? hasChanged : isFinal || isAbsent || isPastTheEnd(answer, wait);
      if (isEnough || wait.isOver) return answer;
      await (answer.kind === 'blocked' && answer.reason === 'moving' ? wait.frame() : wait.change());
      hasChanged = true;
    }
  } finally {
    wait.close();
  }
}

interface Check {
  readonly answer: Readiness | Unexplored;
  /** True if waiting cannot change the result. */
  readonly isFinal: boolean;
}

/** Runs only the checks that need no scrolling and no focus. */
async function check(target: ElementTarget, options: AwaitOptions): Promise<Check> {
  const found = findSubject(target, options);
  if ('answer' in found) return found;
  const { element, receiver } = found.subject;
  const obstacle = obstacleOf(found, options.action);
  if (obstacle && !(obstacle.reason === 'read-only' && mayLiftReadOnly(element))) return blocked(element, obstacle);
  if (found.demands.receives) {
    if (!(await isStable(receiver))) return blocked(element, { reason: 'moving' });
    const inTheWay = coverWithoutScrolling({
      element: receiver,
      position: options.position,
      mustReceive: true,
      isDrop: options.action === 'drop',
    });
    if (inTheWay) return blocked(element, inTheWay);
  }
  return { answer: { kind: 'maybe-ready' }, isFinal: false };
}

function blocked(element: Element, obstacle: Obstacle): Check {
  return { answer: blockedAnswer(element, obstacle), isFinal: false };
}
