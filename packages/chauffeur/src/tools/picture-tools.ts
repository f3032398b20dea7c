import { unknownRef } from './act-on-element.ts';
import { flag, optional, ref, whole } from './fields.ts';
import { selectorOf } from './selector-of.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

/** Takes a picture of what the page shows. */
export const screenshot: Tool = tool({
  name: 'screenshot',
  description:
    'Shows a picture of what is in view. Only for what the text does not say: charts, maps, canvases, looks.',
  kind: 'read',
  fields: { whole: optional(flag('the whole page, default only what is in view')) },
  run: async ({ page, progress }, { whole: fullPage = false }) => {
    const limits = { signal: progress.signal, timeout: progress.remaining };
    return pictured(await page.screenshot({ fullPage, scale: 'css', ...limits }));
  },
});

/** CSS pixels. */
const COORDINATE = { least: 0, most: 100_000 };

/** Takes a larger picture of a part of the page. */
export const zoom: Tool = tool({
  name: 'zoom',
  description: 'Shows a picture of one element, or of a part of the view in CSS pixels, at its full size.',
  kind: 'read',
  fields: {
    ref: optional(ref()),
    x: optional(whole('left', COORDINATE)),
    y: optional(whole('top', COORDINATE)),
    width: optional(whole('width', COORDINATE)),
    height: optional(whole('height', COORDINATE)),
  },
  run: async (context, { ref: name, x, y, width, height }) => {
    const { page, progress } = context;
    const limits = { signal: progress.signal, timeout: progress.remaining };
    if (name === undefined) {
      if (x === undefined || y === undefined || !width || !height)
        return failed('zoom needs a ref, or x, y, width and height.');
      return pictured(await page.screenshot({ clip: { x, y, width, height }, ...limits }));
    }
    const element = context.element(name);
    const selector = element && (await selectorOf(context, element));
    if (selector === undefined) return unknownRef(name);
    return pictured(await page.locator(selector).screenshot(limits));
  },
});

function pictured(data: Buffer): ToolOutcome {
  return { text: 'The picture is attached.', images: [{ data, mediaType: 'image/png' }] };
}
