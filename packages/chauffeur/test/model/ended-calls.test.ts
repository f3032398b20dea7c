import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Driver, type DriverOptions, type ModelResponse } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { modelFor } from './provider-client-for-test.ts';
import { OPENAI_CHAT } from './provider-formats.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';

const shared = useBrowser();
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

describe.each(['act', 'observe', 'extract'] as const)('%s that waits for a model', (verb) => {
  // [spec: limits.timeout-act, limits.timeout-observe, limits.timeout-extract]
  test('ends with its timeout, and the connection to the provider with it', async () => {
    // The clock of the call stands still until the provider has the question.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = failureOf(ask(verb, shared.driver, { timeout: 5000 }));
      await slow.hanging;
      vi.advanceTimersByTime(5000);
      const error = await call;
      const name = { act: 'ActTimeoutError', observe: 'ObserveTimeoutError', extract: 'ExtractTimeoutError' }[verb];
      expect(error).toMatchObject({ name, operation: verb, timeout: 5000 });
      expect(String(error)).toContain('asking openai/local-model');
    } finally {
      vi.useRealTimers();
    }
    await slow.closedByClient;
    expect(slow.calls).toHaveLength(1);
  });

  test('ends with its signal, and the connection to the provider with it', async () => {
    const controller = new AbortController();
    const call = failureOf(ask(verb, shared.driver, { signal: controller.signal }));
    await slow.hanging;
    controller.abort();
    expect(await call).toMatchObject({ name: 'DriverAbortError' });
    await slow.closedByClient;
    expect(slow.calls).toHaveLength(1);
  });

  test("ends with the driver's signal", async () => {
    const controller = new AbortController();
    const driver = await attached({ signal: controller.signal });
    const call = failureOf(ask(verb, driver));
    await slow.hanging;
    controller.abort();
    expect(await call).toMatchObject({ name: 'DriverAbortError' });
    await slow.closedByClient;
    await driver.close();
  });

  test('ends with close()', async () => {
    const driver = await attached({});
    const call = failureOf(ask(verb, driver));
    await slow.hanging;
    await driver.close();
    expect(await call).toMatchObject({ name: 'DriverClosedError' });
    await slow.closedByClient;
  });
});

test('an answer that comes after the end of the call is neither acted on nor asked to be better', async () => {
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

test('a rate limit that outlasts the call is told at once', async () => {
  const limited = { status: 429, headers: { 'retry-after': '50' }, body: OPENAI_CHAT.error('slow down') };
  await using server = await startProviderServer(limited);
  const error = await failureOf(
    shared.driver.act('click Buy', { model: modelFor(OPENAI_CHAT, server), timeout: 30_000 }),
  );
  expect(error).toMatchObject({ name: 'LLMResponseError' });
  expect(String(error)).toContain('The provider asks to wait 50 s.');
  expect(server.calls).toHaveLength(1);
});

test('a wait for a provider is in the call log of a call that ended meanwhile', async () => {
  const limited = { status: 503, headers: { 'retry-after-ms': '0' }, body: OPENAI_CHAT.error('busy') };
  await using server = await startProviderServer(limited, 'hang');
  const controller = new AbortController();
  const call = failureOf(ask('act', shared.driver, { signal: controller.signal }, server));
  await server.hanging;
  controller.abort();
  expect(String(await call)).toContain('openai/local-model: HTTP 503: busy; it is asked again in 0 s');
});
