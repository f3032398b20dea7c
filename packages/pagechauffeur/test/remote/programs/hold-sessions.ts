/** Opens two remote sessions, one that is to be kept alive and one that is not, and holds them until it is killed. Arguments: the platform, the key. */
import { Driver } from '../../../src/index.ts';

const [remoteBaseURL = '', apiKey = ''] = process.argv.slice(2);
const ids = [true, false].map(async (keepAlive) => {
  const driver = new Driver({ env: 'REMOTE', remoteBaseURL, apiKey, keepAlive, disableLoggerBackend: true });
  await driver.init();
  return driver.remoteSessionID;
});
process.stdout.write(`sessions ${(await Promise.all(ids)).join(' ')}\n`);
