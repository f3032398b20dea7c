import { inView } from './act-at-point.ts';
import { unknownRef } from './act-on-element.ts';
import { flag, optional, ref, whole } from './fields.ts';
import { selectorOf } from './selector-of.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

export const screenshot: Tool = tool({
  name: 'screenshot',
  description: 'A screenshot of the viewport or whole page, for what text does not show, such as charts.',
  kind: 'read',
  fields: { whole: optional(flag()) },
  run: async ({ page, progress }, { whole: fullPage = false }) => {
    const limits = { signal: progress.signal, timeout: progress.remaining };
    return screenshotOutcome(await page.screenshot({ fullPage, scale: 'css', ...limits }));
  },
});

export const zoom: Tool = tool({
  name: 'zoom',
  description: 'ref: of that element, enlarged.',
  kind: 'read',
  fields: { ref: ref() },
  run: async (context, { ref: name }) => {
    const { page, progress } = context;
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const element = context.element(name);
    const selector = element && (await selectorOf(context, element));
    if (selector === undefined) return unknownRef(name);
    const box = await page.locator(selector).boundingBox(limits);
    const scale = box ? enlargement(box.width, box.height) : 1;
    return screenshotOutcome(await page.locator(selector).screenshot({ scale, ...limits }));
  },
});

export const zoomAt: Tool = tool({
  name: 'zoomAt',
  description: 'x, y, width, height: of that part of the viewport, enlarged.',
  kind: 'read',
  fields: { x: whole(), y: whole(), width: whole(), height: whole() },
  run: async (context, { width, height, ...corner }) => {
    if (width <= 0 || height <= 0) return failed('A part of the viewport needs a width and a height above 0.');
    const { page, progress } = context;
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const size = inView(context, { x: width, y: height });
    const clip = { ...inView(context, corner), width: size.x, height: size.y };
    return screenshotOutcome(await page.screenshot({ clip, scale: enlargement(clip.width, clip.height), ...limits }));
  },
});

/** Returns a scale of at most 4, with a longer side of at most 1200 px. */
function enlargement(width: number, height: number): number {
  return Math.min(MAX_ENLARGED, MAX_SIDE / Math.max(width, height, 1));
}

const MAX_ENLARGED = 4;
const MAX_SIDE = 1200;

function screenshotOutcome(data: Buffer): ToolOutcome {
  return { text: 'The screenshot is attached.', images: [{ data, mediaType: 'image/png' }] };
}
