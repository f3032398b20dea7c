import type { Point } from '../injected/contract.ts';
import { targetAtPoint } from '../actions/point-target.ts';
import { actOn, type ElementCall } from './act-on-element.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';

/** Runs an action on the topmost element at a screenshot point. */
export async function actAtPoint(context: ToolContext, given: Point, call: ElementCall): Promise<ToolOutcome> {
  const { progress, page } = context;
  const point = inView(context, given);
  const { xpath } = await targetAtPoint(progress, page.target, point);
  const label = `(${given.x}, ${given.y})`;
  if (xpath === '') return failed(`No element is at ${label}. Use a point within the screenshot.`);
  const selector = `xpath=${xpath}`;
  const limits = { signal: progress.signal, timeout: progress.remaining };
  const box = await page.locator(selector).boundingBox(limits);
  const position = { x: point.x - (box?.x ?? 0), y: point.y - (box?.y ?? 0) };
  const target = { frame: page.target.frames.main, element: { selector }, label };
  const { step: _, ...outcome } = await actOn(context, { target, label }, { ...call, pointer: { position } });
  // Not recorded: another element can be at the point in the next run.
  return outcome;
}

/** Converts screenshot pixels to CSS pixels. */
export function inView({ screenshotScale }: ToolContext, { x, y }: Point): Point {
  return { x: x / screenshotScale, y: y / screenshotScale };
}
