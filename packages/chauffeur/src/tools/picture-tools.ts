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
  fields: { whole: optional(flag('the whole page')) },
  run: async ({ page, progress }, { whole: fullPage = false }) => {
    const limits = { signal: progress.signal, timeout: progress.remaining };
    return pictured(await page.screenshot({ fullPage, scale: 'css', ...limits }));
  },
});

/** Takes a larger picture of a part of the page. */
export const zoom: Tool = tool({
  name: 'zoom',
  description: 'Shows a picture of one element, or of a part of the view in CSS pixels, enlarged.',
  kind: 'read',
  fields: {
    ref: optional(ref()),
    x: optional(whole()),
    y: optional(whole()),
    width: optional(whole()),
    height: optional(whole()),
  },
  run: async (context, { ref: name, x, y, width, height }) => {
    const { page, progress } = context;
    const limits = { signal: progress.signal, timeout: progress.remaining };
    if (name === undefined) {
      if (x === undefined || y === undefined || !isSize(width) || !isSize(height))
        return failed('zoom needs a ref, or x, y, and a width and a height above 0.');
      return pictured(
        await page.screenshot({ clip: { x, y, width, height }, scale: enlargement(width, height), ...limits }),
      );
    }
    const element = context.element(name);
    const selector = element && (await selectorOf(context, element));
    if (selector === undefined) return unknownRef(name);
    const box = await page.locator(selector).boundingBox(limits);
    const scale = box ? enlargement(box.width, box.height) : 1;
    return pictured(await page.locator(selector).screenshot({ scale, ...limits }));
  },
});

/** How much larger a part is shown: as large as models see sharply, but no more than helps. */
function enlargement(width: number, height: number): number {
  return Math.min(MOST_ENLARGED, LONGEST_SIDE / Math.max(width, height, 1));
}

const MOST_ENLARGED = 4;
const LONGEST_SIDE = 1200;

function pictured(data: Buffer): ToolOutcome {
  return { text: 'The picture is attached.', images: [{ data, mediaType: 'image/png' }] };
}

function isSize(pixels: number | undefined): pixels is number {
  return pixels !== undefined && pixels > 0;
}
