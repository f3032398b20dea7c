import { afterAll, beforeAll } from 'vitest';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver } from '../../src/index.ts';
import { testPagesAtOnce } from '../support/pages-at-once.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();
const shared = usePlatform({ allowNetworks: ['127.0.0.0/8', '::1/128'], capacity: 1 });
let driver: Driver;

beforeAll(async () => {
  driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    model: 'offline/lexical',
    serverCache: false,
    // Ten processes start at once.
    defaultTimeout: 120_000,
    disableLoggerBackend: true,
  });
  await driver.init();
});

afterAll(() => driver?.close());

testPagesAtOnce(() => driver, 'elsewhere');
