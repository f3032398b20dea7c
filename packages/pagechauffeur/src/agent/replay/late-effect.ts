import type { ActionTrace } from '../../page/action/action-trace.ts';
import type { ActionEffect } from '../../page/action/element-action.ts';
import { FrameObserver } from '../../page/action/frame-observer.ts';
import { observeEffect } from '../../page/action/observe-effect.ts';
import { settleDocument } from '../../page/action/settle-page.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';

/** A page that reacted to a step of an earlier run may react this much later, in ms. */
const LATE_EFFECT_MS = 1500;

/** A step that showed no effect. */
export interface LateStep {
  readonly page: Page;
  /** What the page did since the step began. */
  readonly trace: ActionTrace;
  /** Milliseconds at most until the page counts as settled. */
  readonly settleTimeout: number;
}

/** Gives the page more time to show an effect of a step that showed none. What changed since the step began counts. */
export function lateEffect(progress: Progress, { page, trace, settleTimeout }: LateStep): Promise<ActionEffect> {
  const { target } = page;
  return target.takeTurn(progress, 'waiting for a late effect', async (turn) => {
    const frame = target.frames.main;
    const others = new FrameObserver(target, turn.owner);
    const timeout = LATE_EFFECT_MS + settleTimeout;
    const scope = { trace, frame, others, turn, timeout };
    const { effect } = await observeEffect(progress, target, scope, async () => {
      const world = await progress.race(frame.worlds.isolated);
      // Without an owner the wait follows the watch that the step's action has left.
      const late = { timeout, eventTimeout: 0, keepsWatching: true, isLate: true, lateTime: LATE_EFFECT_MS };
      return { first: settleDocument(progress, world, { ...late, until: trace.opening }) };
    });
    return effect;
  });
}
