import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Driver } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { useBrowser } from '../support/use-browser.ts';
import { modelFor } from './provider-client-for-test.ts';
import { FORMATS } from './provider-formats.ts';
import { type ReceivedCall, startProviderServer } from './provider-server.ts';

const shared = useBrowser();

const STEP = { ref: 'e1', method: 'click', arguments: [], description: 'Buy' };
const ANSWERS = [
  { action: STEP, twoStep: false, reason: '', candidates: [] },
  { elements: [STEP] },
  { elements: [] },
  { price: 3 },
].map((answer) => JSON.stringify(answer));

/** How the body of a PNG begins in Base64. */
const PNG = 'iVBORw0KGgo';

/** The part of a call in which a provider is told the shape of the answer. */
function shapeIn({ body }: ReceivedCall): string {
  const { generationConfig } = body as { generationConfig?: Record<string, unknown> };
  const { response_format, text, output_config } = body;
  return JSON.stringify(response_format ?? text ?? output_config ?? generationConfig?.['responseJsonSchema']);
}

/** All that a provider reads, rules first, in the order in which it reads it. */
function promptIn({ body }: ReceivedCall): string {
  const { system, systemInstruction, input, messages, contents } = body;
  return JSON.stringify([system, systemInstruction, input ?? messages ?? contents]);
}

describe.each(FORMATS)('%s', (_name, format) => {
  test('is asked once by each verb, in its own form, and all that it cost is in the metrics', async () => {
    await using provider = await startProviderServer(...ANSWERS.map((answer) => format.answer(answer)));
    await using driver = new Driver({
      env: 'LOCAL',
      localBrowserLaunchOptions: { cdpUrl: shared.driver.connectURL() },
      model: modelFor(format, provider),
      systemPrompt: 'Prefer what is cheap.',
      disableLoggerBackend: true,
    });
    await driver.init();
    const html = `<title>Shop</title><h1>Mugs</h1><button onclick="this.textContent = 'Bought'">Buy</button><p>3 EUR</p>`;
    await firstPage(driver).goto(shared.server.page('/shop', html));

    expect(await driver.act('click Buy')).toMatchObject({ success: true, effect: 'changed' });
    expect(await driver.observe('the button')).toMatchObject([{ description: 'Buy', method: 'click' }]);
    expect(await driver.observe('the links')).toEqual([]);
    const schema = z.object({ price: z.number() });
    expect(await driver.extract('the price', schema, { screenshot: true })).toEqual({ price: 3 });

    expect(provider.calls.map(({ path }) => path)).toEqual(Array(4).fill(format.path));
    expect(provider.calls.map(shapeIn)).toEqual([
      expect.stringContaining('"twoStep"'),
      expect.stringContaining('"elements"'),
      expect.stringContaining('"elements"'),
      expect.stringContaining('"price"'),
    ]);
    expect(provider.calls.map(({ bytes }) => bytes.includes(PNG))).toEqual([false, false, false, true]);
    expect(provider.calls.every((call) => promptIn(call).includes('Prefer what is cheap.'))).toBe(true);

    const [, second = '', third = ''] = provider.calls.map(promptIn);
    const [prefix = ''] = second.split('the button');
    expect(prefix).toContain('Mugs');
    expect(third.startsWith(prefix)).toBe(true);

    const metrics = await driver.metrics;
    const { promptTokens, completionTokens, reasoningTokens, cachedInputTokens } = format.usage;
    const times = { act: 1, observe: 2, extract: 1, agent: 0, total: 4 };
    for (const [group, count] of Object.entries(times)) {
      expect(metrics).toMatchObject({
        [`${group}PromptTokens`]: count * promptTokens,
        [`${group}CompletionTokens`]: count * completionTokens,
        [`${group}ReasoningTokens`]: count * reasoningTokens,
        [`${group}CachedInputTokens`]: count * cachedInputTokens,
      });
      expect(metrics[`${group}InferenceTimeMs` as keyof typeof metrics] > 0).toBe(count > 0);
    }
    expect(Object.keys(metrics)).toHaveLength(25);
  });
});
