import type { Progress } from '../util/progress.ts';
import { withReadyElement } from '../actions/prepare-target.ts';
import { actionMethod } from '../actions/methods.ts';
import type { PointerManner } from '../actions/element-action.ts';
import type { ActionAim } from './choose-options.ts';

/** Runs all checks of an action and scrolls its element into view, without acting. */
export async function tryAction(
  progress: Progress,
  { page, target, force }: ActionAim,
  { method, pointer }: { readonly method: string; readonly pointer: PointerManner },
): Promise<void> {
  progress.log(`waiting for ${target.label}`);
  const preparation = {
    target,
    action: actionMethod(method, []).prepare,
    timeout: progress.remaining,
    force,
    isReported: false,
    ...(pointer.position ? { position: pointer.position } : {}),
  };
  await withReadyElement(progress, page, preparation, async () => undefined);
}
