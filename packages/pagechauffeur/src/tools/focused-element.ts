import { focusedFrame } from '../actions/focused-session.ts';
import type { ActedElement } from './act-on-element.ts';
import type { ToolContext } from './tool-context.ts';

/** Returns the focused element in any frame. If nothing has the focus, returns the `html` element. */
export async function focusedElement({ progress, page }: ToolContext): Promise<ActedElement> {
  const frame = await focusedFrame(progress, page.target);
  const world = await progress.race(frame.worlds.isolated);
  const { kind } = await progress.race(world.call('resolve', { selector: FOCUSED }));
  const selector = kind === 'element' ? FOCUSED : 'html';
  return { target: { frame, element: { selector }, label: LABEL }, label: LABEL };
}

const FOCUSED = ':focus';
const LABEL = 'the focused element';
