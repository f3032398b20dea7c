/**
 * Opens browsers, says so, and ends in the way that is named, or lives on until it is killed. Arguments: `keep` or
 * `end`, the way, and how many browsers.
 */
import { Driver } from '../../../src/index.ts';

const [mode, way, count = '1'] = process.argv.slice(2);
const say = (facts: object): void => void process.stdout.write(`${JSON.stringify(facts)}\n`);
const drivers = Array.from(
  { length: Number(count) },
  () =>
    new Driver({
      env: 'LOCAL',
      keepAlive: mode === 'keep',
      logger: ({ auxiliary }) => auxiliary?.['pid'] && say({ browser: auxiliary['pid'] }),
    }),
);

const ways: Readonly<Record<string, () => unknown>> = {
  'an uncaught exception': () =>
    setImmediate(() => {
      throw new TypeError('meant to end this program');
    }),
  'an unhandled rejection': () => Promise.reject(new TypeError('meant to end this program')),
  'process.exit': () => process.exit(3),
  'process.abort': () => process.abort(),
  'an exit while it starts': () => undefined,
};

const started = Promise.all(drivers.map((driver) => driver.init()));
if (way === 'an exit while it starts') setTimeout(() => process.exit(3), 50);
await started;
say({ urls: drivers.map((driver) => driver.connectURL()) });
setInterval(() => undefined, 60_000);
const end = ways[way ?? ''];
if (end) process.stdin.once('data', end);
