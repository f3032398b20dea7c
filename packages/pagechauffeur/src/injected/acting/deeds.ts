import type { ClickEventOptions, ElementDeed, ElementTarget, Unexplored, WaitLimit } from '../contract.ts';
import type { NotFound } from '../locate.ts';
import { locateInTime } from './locate-in-time.ts';

/** Blurs an element or dispatches a click on it, as a script would. */
export async function doTo(
  target: ElementTarget,
  deed: ElementDeed,
  limit: WaitLimit,
): Promise<{ readonly kind: 'done' } | NotFound | Unexplored> {
  const located = await locateInTime(target, limit);
  if (located.kind !== 'element') return located;
  if (deed.kind === 'blur') blur(located.element);
  else sendClick(located.element, deed.event);
  return { kind: 'done' };
}

function blur(element: Element): void {
  if (element instanceof HTMLElement) HTMLElement.prototype.blur.call(element);
  else if (element instanceof SVGElement) SVGElement.prototype.blur.call(element);
}

function sendClick(
  element: Element,
  { bubbles = true, cancelable = true, composed = true, detail = 1 }: ClickEventOptions,
): void {
  const event = new MouseEvent('click', { bubbles, cancelable, composed, detail, view: window });
  EventTarget.prototype.dispatchEvent.call(element, event);
}
