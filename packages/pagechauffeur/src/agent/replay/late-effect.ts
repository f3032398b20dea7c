import type { ActionTrace } from '../../actions/action-trace.ts';
import type { ActionEffect } from '../../actions/element-action.ts';
import { FrameObserver } from '../../actions/frame-observer.ts';
import { observeEffect } from '../../actions/observe-effect.ts';
import { settleDocument } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';

/** Additional time in ms for a page that reacted in an earlier run. */
const LATE_EFFECT_MS = 1500;

/** A step without an observed effect. */
export interface LateStep {
  readonly page: Page;
  /** Changes of the page since the step started. */
  readonly trace: ActionTrace;
  /** Maximum time in ms for the page to settle. */
  readonly settleTimeout: number;
}

/** Waits longer for the effect of a step that showed none. Counts changes since the step started. */
export function lateEffect(progress: Progress, { page, trace, settleTimeout }: LateStep): Promise<ActionEffect> {
  const { target } = page;
  return target.takeTurn(progress, 'waiting for a late effect', async (turn) => {
    const frame = target.frames.main;
    const others = new FrameObserver(target, turn.owner);
    const timeout = LATE_EFFECT_MS + settleTimeout;
    const scope = { trace, frame, others, turn, timeout };
    const { effect } = await observeEffect(progress, target, scope, async () => {
      const world = await progress.race(frame.worlds.isolated);
      // Without an owner the wait uses the observers that the step's action left.
      const late = { timeout, eventTimeout: 0, keepsWatching: true, isLate: true, lateTime: LATE_EFFECT_MS };
      return { first: settleDocument(progress, world, { ...late, until: trace.opening }) };
    });
    return effect;
  });
}
