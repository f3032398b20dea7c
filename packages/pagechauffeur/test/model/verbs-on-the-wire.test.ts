import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Driver, type DriverOptions, type ModelResponse } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { modelFor } from './provider-client-for-test.ts';
import { FORMATS, OPENAI_CHAT } from './provider-formats.ts';
import { startProviderServer, type ProviderServer, type ReceivedCall } from './provider-server.ts';

const shared = useBrowser();

describe('verbs', () => {
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
    test('receives one request per verb call in its own format, and counts its usage in the metrics', async () => {
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
});

describe('call that ends before the response arrives', () => {
  let slow: ProviderServer;

  beforeEach(async () => {
    slow = await startProviderServer('hang');
    const html = `<title>Shop</title><button onclick="document.title = 'bought'">Buy</button>`;
    await shared.page.goto(shared.server.page('/shop', html));
  });
  afterEach(() => slow[Symbol.asyncDispose]());

  interface CallEnd {
    readonly timeout?: number;
    readonly signal?: AbortSignal;
  }

  /** A call of a verb on the shared page, whose model never answers. */
  function ask(
    verb: 'act' | 'observe' | 'extract',
    driver: Driver,
    end: CallEnd = {},
    server: ProviderServer = slow,
  ): Promise<unknown> {
    const options = { model: modelFor(OPENAI_CHAT, server), page: shared.page, ...end };
    if (verb === 'extract') return driver.extract('what is sold', undefined, options);
    return verb === 'act' ? driver.act('click Buy', options) : driver.observe('the button', options);
  }

  /** A second driver on the same browser, which it does not end. */
  async function attached(options: Partial<DriverOptions>): Promise<Driver> {
    const driver = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: shared.driver.connectURL() },
      ...options,
    });
    await driver.init();
    return driver;
  }

  describe.each(['act', 'observe', 'extract'] as const)('%s() that waits for a model', (verb) => {
    // [spec: limits.timeout-act, limits.timeout-observe, limits.timeout-extract]
    test('rejects at its timeout and closes the connection to the provider', async () => {
      // The clock of the call stands still until the provider has the question.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const call = failureOf(ask(verb, shared.driver, { timeout: 5000 }));
        await slow.hanging;
        vi.advanceTimersByTime(5000);
        const error = await call;
        const name = { act: 'ActTimeoutError', observe: 'ObserveTimeoutError', extract: 'ExtractTimeoutError' }[verb];
        expect(error).toMatchObject({ name, operation: verb, timeout: 5000 });
        expect(String(error)).toContain('sending a request to openai/local-model');
      } finally {
        vi.useRealTimers();
      }
      await slow.closedByClient;
      expect(slow.calls).toHaveLength(1);
    });

    test('rejects when its signal aborts, and closes the connection to the provider', async () => {
      const controller = new AbortController();
      const call = failureOf(ask(verb, shared.driver, { signal: controller.signal }));
      await slow.hanging;
      controller.abort();
      expect(await call).toMatchObject({ name: 'DriverAbortError' });
      await slow.closedByClient;
      expect(slow.calls).toHaveLength(1);
    });

    test('rejects when the signal of the driver aborts, and closes the connection', async () => {
      const controller = new AbortController();
      const driver = await attached({ signal: controller.signal });
      const call = failureOf(ask(verb, driver));
      await slow.hanging;
      controller.abort();
      expect(await call).toMatchObject({ name: 'DriverAbortError' });
      await slow.closedByClient;
      await driver.close();
    });

    test('rejects when the driver closes, and closes the connection', async () => {
      const driver = await attached({});
      const call = failureOf(ask(verb, driver));
      await slow.hanging;
      await driver.close();
      expect(await call).toMatchObject({ name: 'DriverClosedError' });
      await slow.closedByClient;
    });
  });

  test('ignores a model answer that arrives after the abort', async () => {
    const answers: PromiseWithResolvers<ModelResponse>[] = [];
    const deaf = {
      generate: (): Promise<ModelResponse> => {
        const answer = Promise.withResolvers<ModelResponse>();
        answers.push(answer);
        controller.abort();
        return answer.promise;
      },
    };
    const usage = { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedInputTokens: 0 };
    const [button] = await shared.driver.observe();
    const action = { ref: 'e1', method: 'click', arguments: [], description: button?.description };
    let controller = new AbortController();
    for (const output of [{ action, twoStep: false, reason: '', candidates: [] }, 'no JSON']) {
      controller = new AbortController();
      const call = failureOf(shared.driver.act('click Buy', { model: deaf, signal: controller.signal }));
      expect(await call).toMatchObject({ name: 'DriverAbortError' });
      answers.at(-1)?.resolve({ output, usage });
    }
    // An input event would be there before this answer.
    await shared.page.evaluate('0');
    expect(await shared.page.title()).toBe('Shop');
    expect(answers).toHaveLength(2);
  });

  test('rejects without a retry when the rate limit outlasts the call', async () => {
    const limited = { status: 429, headers: { 'retry-after': '50' }, body: OPENAI_CHAT.error('slow down') };
    await using server = await startProviderServer(limited);
    const error = await failureOf(
      shared.driver.act('click Buy', { model: modelFor(OPENAI_CHAT, server), timeout: 30_000 }),
    );
    expect(error).toMatchObject({ name: 'LLMResponseError' });
    expect(String(error)).toContain('The provider allows the next request in 50 s.');
    expect(server.calls).toHaveLength(1);
  });

  test('lists the retry in the call log of an aborted call', async () => {
    const limited = { status: 503, headers: { 'retry-after-ms': '0' }, body: OPENAI_CHAT.error('busy') };
    await using server = await startProviderServer(limited, 'hang');
    const controller = new AbortController();
    const call = failureOf(ask('act', shared.driver, { signal: controller.signal }, server));
    await server.hanging;
    controller.abort();
    expect(String(await call)).toContain('openai/local-model: HTTP 503: busy; retrying in 0 s');
  });
});
