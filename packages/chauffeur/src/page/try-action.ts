import { handledElsewhere } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { nextWaitId, prepareTarget } from './action/prepare-target.ts';
import { actionMethod } from './action/methods.ts';
import type { PointerManner } from './action/element-action.ts';
import type { ActionAim } from './choose-options.ts';

/** Makes all checks of an action, brings its element into view, and does no more. */
export async function tryAction(
  progress: Progress,
  { page, target, force }: ActionAim,
  { method, pointer }: { readonly method: string; readonly pointer: PointerManner },
): Promise<void> {
  progress.log(`waiting for ${target.label}`);
  const ready = await prepareTarget(progress, page, {
    target,
    action: actionMethod(method, []).prepare,
    timeout: progress.remaining,
    force,
    ...(pointer.position ? { position: pointer.position } : {}),
  });
  // Nothing is to come: the page's next event is its own.
  const stop = ready.world.call('settle', { timeout: 0, eventTimeout: 0, frames: 0, waitId: nextWaitId() });
  await stop.catch(handledElsewhere);
}
