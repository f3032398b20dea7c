import { expect, it, vi } from 'vitest';
import type { DriverOptions } from '../../src/index.ts';
import { OPENAI_CHAT } from '../model/provider-formats.ts';
import { startProviderServer } from '../model/provider-server.ts';
import { useBrowser } from '../support/use-browser.ts';
import { startDriver } from '../support/driver-for-test.ts';

const browser = useBrowser();

/** What a provider's server is asked by an extract of a driver with these options. */
async function askedBy(options: (url: string) => Partial<DriverOptions>): Promise<{ key: unknown; model: unknown }> {
  await using server = await startProviderServer(OPENAI_CHAT.answer('{"extraction":"read"}'));
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  try {
    await using asking = await startDriver({
      ...options(`${server.url}/v1`),
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    expect(await asking.driver.extract('what it says')).toEqual({ extraction: 'read' });
    return { key: server.calls[0]?.headers.authorization, model: server.calls[0]?.body['model'] };
  } finally {
    vi.unstubAllEnvs();
  }
}

// [spec: model-configuration.string, driver-options.model, authentication.environment-keys]
it('a model string takes the key of its provider from the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'from-environment');
  expect(await askedBy(() => ({ model: 'openai/any' }))).toEqual({ key: 'Bearer from-environment', model: 'any' });
});

// [spec: model-configuration.modelName, model-configuration.apiKey, driver-options.model]
// [spec: authentication.configured-key, authentication.option-first]
it('the key of a model configuration takes precedence over the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'from-environment');
  const model = { modelName: 'openai/any', apiKey: 'from-option' };
  expect(await askedBy(() => ({ model }))).toEqual({ key: 'Bearer from-option', model: 'any' });
});

// [spec: model-configuration.baseURL, authentication.option-first]
it('the baseURL of a model configuration takes precedence over the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'from-environment');
  await using other = await startProviderServer(OPENAI_CHAT.answer('{"extraction":"from elsewhere"}'));
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
  try {
    await using asking = await startDriver({
      model: { modelName: 'openai/any', baseURL: `${other.url}/v1` },
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    expect(await asking.driver.extract('what it says')).toEqual({ extraction: 'from elsewhere' });
  } finally {
    vi.unstubAllEnvs();
  }
});

// [spec: driver-options.model, driver-options.llmClient]
it('model takes precedence over llmClient', async () => {
  const llmClient = { generate: () => Promise.reject(new TypeError('nobody asks me')) };
  vi.stubEnv('OPENAI_API_KEY', 'from-environment');
  expect((await askedBy(() => ({ llmClient, model: 'openai/any' }))).model).toBe('any');
});
