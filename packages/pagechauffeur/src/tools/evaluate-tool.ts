import { actOnPage } from './act-on-page.ts';
import { text } from './fields.ts';
import { readableJson } from './readable-data.ts';
import { type Tool, tool } from './tool.ts';

/**
 * Available only with `allowEvaluate`. Does not expand placeholders, because a script could send the values anywhere.
 */
export const evaluate: Tool = tool({
  name: 'evaluate',
  description: 'Evaluates a JavaScript expression in the page and returns the result as JSON.',
  kind: 'act',
  fields: { expression: text('an expression; await promises') },
  run: async (context, { expression }) => {
    const { page, progress } = context;
    let data: unknown;
    const outcome = await actOnPage(context, {
      done: () => 'Done: evaluated',
      run: async () => {
        data = await page.evaluate(expression, undefined, { signal: progress.signal, timeout: progress.remaining });
      },
    });
    const { text: result, images } = readableJson(data);
    const quoted = [`result: ${result}`, outcome.quoted].filter(Boolean).join('\n');
    return { ...outcome, quoted, data, ...(images && { images }) };
  },
});
