/** Opens a browser and closes it in order when it is told to end. */
import { Driver } from '../../../src/index.ts';

const driver = new Driver({
  env: 'LOCAL',
  logger: ({ auxiliary }) =>
    auxiliary?.['pid'] && process.stdout.write(`${JSON.stringify({ browser: auxiliary['pid'] })}\n`),
});
await driver.init();
process.once('SIGTERM', () => void driver.close());
process.stdout.write('ready\n');
