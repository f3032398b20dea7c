import { afterEach, expect, it, vi } from 'vitest';
import { Driver, DriverUnsupportedFeatureError, type DriverOptions } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

// [spec: driver-options.apiKey, driver-options.remoteSessionID, driver-options.remoteSessionCreateParams]
// [spec: driver-options.serverCache, other-types.session-create-params, states.remote-reconnect]
// [spec: authentication.wire, errors.RemoteSessionNotFoundError]
it.each<Partial<DriverOptions>>([
  { apiKey: 'key' },
  { apiKey: 'key', remoteSessionID: 'session-1' },
  { apiKey: 'key', remoteSessionCreateParams: { region: 'eu' } },
  { apiKey: 'key', serverCache: true },
])('env REMOTE with %j is refused, saying what to do instead', async (options) => {
  const driver = new Driver({ env: 'REMOTE', disableLoggerBackend: true, ...options });
  const failure = await failureOf(driver.init());
  expect(failure).toBeInstanceOf(DriverUnsupportedFeatureError);
  expect(String(failure)).toMatch(/env REMOTE is not part of this version.*env LOCAL, with `cdpUrl`/);
  expect([driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await driver.close();
});

// [spec: authentication.platform-key]
it('the key of the platform may stand in the environment', async () => {
  vi.stubEnv('REMOTE_API_KEY', 'key');
  const driver = new Driver({ env: 'REMOTE', disableLoggerBackend: true });
  await expect(driver.init()).rejects.toThrow(DriverUnsupportedFeatureError);
});
