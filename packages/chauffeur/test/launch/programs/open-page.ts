/** Opens a page in a browser and then lives on until it is killed. Arguments: `keep` or `end`, and the address. */
import { Driver } from '../../../src/index.ts';

const [mode, url = 'about:blank'] = process.argv.slice(2);
const driver = new Driver({
  env: 'LOCAL',
  keepAlive: mode === 'keep',
  logger: ({ auxiliary }) =>
    auxiliary?.['pid'] && process.stdout.write(`${JSON.stringify({ browser: auxiliary['pid'] })}\n`),
});
await driver.init();
await driver.context.activePage()?.goto(url);
process.stdout.write(`${JSON.stringify({ url: driver.connectURL() })}\n`);
setInterval(() => undefined, 60_000);
