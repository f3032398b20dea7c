/** Opens a remote session and holds it until it is killed. Arguments: the platform, the key, `keep` or `end`. */
import { Driver } from '../../../src/index.ts';

const [remoteBaseURL = '', apiKey = '', mode = ''] = process.argv.slice(2);
const driver = new Driver({
  env: 'REMOTE',
  remoteBaseURL,
  apiKey,
  keepAlive: mode === 'keep',
  disableLoggerBackend: true,
});
await driver.init();
process.stdout.write(`session ${driver.remoteSessionID}\n`);
