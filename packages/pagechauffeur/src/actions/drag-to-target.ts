import { shorten } from '../util/truncate.ts';
import { heldInput } from './input/held-input.ts';
import { modifierBits } from './input/key-events.ts';
import { type DragEnd, dragMouse } from './input/drag.ts';
import { frameShown } from './input/pointer-route.ts';
import { markAfterInput } from '../util/error-codes.ts';
import type { ActionTarget, ReadyElement } from './element-action.ts';
import type { MethodCall } from './method-call.ts';
import { makeReadyWithin } from './prepare-target.ts';

const DROP_TARGET_TIMEOUT_MS = 5000;

/**
 * Drags the element to a drop target, which is found and scrolled into view while the button is down. The button is
 * pressed through the page's session, because only that lets the browser move a native drag between processes.
 */
export async function dragToTarget(call: MethodCall): Promise<void> {
  const { progress, page, ready, action } = call;
  const source = ready.world.session;
  const { modifiers: names = [], delay } = action.pointer ?? {};
  const modifiers = heldInput(page).modifiers | modifierBits(names, source);
  if (source !== page.session)
    await frameShown(progress, page, { frame: ready.frame.localRoot, point: ready.pagePoint });
  const to = async (when: 'settled' | 'now'): Promise<DragEnd> => {
    try {
      const { pagePoint, world } = await dropTarget(call, when === 'now');
      return { point: pagePoint, session: world.session, world };
    } catch (error) {
      // The button is down. If the drag ran again on another element, the first one would get a second press.
      markAfterInput(error);
      throw error;
    }
  };
  await dragMouse(progress, page, { from: ready.pagePoint, frame: ready.frame, to, delay, modifiers });
}

function dropTarget({ progress, page, ready, action }: MethodCall, force: boolean): Promise<ReadyElement> {
  const [selector = ''] = action.arguments;
  const target: ActionTarget = action.dropTarget ?? {
    frame: page.frames.main,
    element: { selector },
    label: shorten(selector),
  };
  const { findFrame } = action;
  const preparation = { target, action: 'drop', timeout: DROP_TARGET_TIMEOUT_MS, force, findFrame } as const;
  return makeReadyWithin(ready.turn, { progress, page, ...preparation });
}
