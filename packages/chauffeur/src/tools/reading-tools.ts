import { extractAny } from '../extract/extract.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { unknownRef } from './act-on-element.ts';
import { flag, optional, ref, text, whole } from './fields.ts';
import { foundLines } from './found-lines.ts';
import { failed, type Tool, tool } from './tool.ts';

/** Looks for words in the whole page, also in what is folded away. */
export const find: Tool = tool({
  name: 'find',
  description:
    'Finds the lines of the whole page that hold some words, also where the page is folded, with what they stand in.',
  kind: 'read',
  fields: { words: text('what to look for') },
  run: async ({ page, progress }, { words }) => {
    const whole = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
    const lines = foundLines(whole.text, words);
    return { text: lines === '' ? `Nothing in the page says ${JSON.stringify(words)}.` : lines };
  },
});

/** Shows what is folded away. */
export const expand: Tool = tool({
  name: 'expand',
  description: 'Shows what a line such as "… 993 more (e80–e1072)" folds away, from a ref on.',
  kind: 'read',
  fields: { ref: ref('a ref of the range') },
  run: (context, { ref: name }) => {
    context.expand(name);
    return Promise.resolve({ text: `Shown from ${name} on.` });
  },
});

/** Reads data off the page by a model that is asked for nothing else. */
export const extract: Tool = tool({
  name: 'extract',
  description:
    'Reads much data at once off the page, such as every row of a long table; costs a call of a model. What is shown needs no extract.',
  kind: 'read',
  fields: {
    instruction: text('what to read'),
    ref: optional(ref('only this part of the page')),
  },
  run: async (context, { instruction, ref: name }) => {
    const { verbs, progress } = context;
    const part = name === undefined ? undefined : context.element(name);
    if (name !== undefined && !part) return unknownRef(name);
    const limits = { timeout: progress.remaining, signal: progress.signal };
    const selector = part && (await context.selectorOf(part));
    const data = await extractAny(verbs, { instruction, schema: ROWS }, { ...limits, ...(selector && { selector }) });
    return { text: JSON.stringify(data), data };
  },
});

const ROWS: JsonSchema = {
  type: 'object',
  properties: { found: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } } },
  required: ['found'],
};

/** Takes a picture of what the page shows. */
export const screenshot: Tool = tool({
  name: 'screenshot',
  description:
    'Shows a picture of what is in view. Only for what the text does not say: charts, maps, canvases, looks.',
  kind: 'read',
  fields: { whole: optional(flag('the whole page, default only what is in view')) },
  run: async ({ page, progress }, { whole: fullPage = false }) => {
    const data = await page.screenshot({ fullPage, scale: 'css', signal: progress.signal });
    return { text: 'The picture is attached.', images: [{ data, mediaType: 'image/png' }] };
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
    if (name === undefined) {
      if (x === undefined || y === undefined || !width || !height)
        return failed('zoom needs a ref, or x, y, width and height.');
      const data = await page.screenshot({ clip: { x, y, width, height }, signal: progress.signal });
      return { text: 'The picture is attached.', images: [{ data, mediaType: 'image/png' }] };
    }
    const element = context.element(name);
    if (!element) return unknownRef(name);
    const locator = page.locator(await context.selectorOf(element));
    const data = await locator.screenshot({ signal: progress.signal, timeout: progress.remaining });
    return { text: 'The picture is attached.', images: [{ data, mediaType: 'image/png' }] };
  },
});

/** Runs JavaScript in the page; only where the caller has allowed it. */
export const evaluate: Tool = tool({
  name: 'evaluate',
  description: 'Evaluates JavaScript in the page and gives the result as JSON.',
  kind: 'act',
  fields: { expression: text('an expression') },
  run: async ({ page, progress }, { expression }) => {
    const result = await page.evaluate(expression, undefined);
    progress.throwIfEnded();
    return { text: JSON.stringify(result) ?? 'undefined', data: result };
  },
});
