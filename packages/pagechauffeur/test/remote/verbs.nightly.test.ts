import { afterAll, beforeAll } from 'vitest';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver } from '../../src/index.ts';
import { testVerbsElsewhere } from '../support/verbs-elsewhere.ts';

const shared = usePlatform({ allowNetworks: ['127.0.0.0/8', '::1/128'], capacity: 1 });
let driver: Driver;

beforeAll(async () => {
  driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    model: 'offline/lexical',
    serverCache: false,
    disableLoggerBackend: true,
  });
  await driver.init();
});

afterAll(() => driver?.close());

testVerbsElsewhere(() => driver);
