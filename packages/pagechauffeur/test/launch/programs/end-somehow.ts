/**
 * Opens a browser for each of the modes named, says which and where, and ends in the way that is named, or lives on
 * until it is killed. Arguments: the modes, `end` or `keep` (it outlives this program) with commas between, and the way.
 */
import { readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { Driver, type DriverOptions } from '../../../src/index.ts';

const [modes = 'end', way = ''] = process.argv.slice(2);
const say = (facts: object): void => void process.stdout.write(`${JSON.stringify(facts)}\n`);
const drivers = modes.split(',').map((mode) => {
  const logger: DriverOptions['logger'] = ({ auxiliary }) =>
    auxiliary?.['pid'] && say({ mode, browser: auxiliary['pid'] });
  return new Driver({ env: 'LOCAL', keepAlive: mode === 'keep', logger });
});

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
if (way === 'an exit while it starts') exitOnceBegun();
await started;
// Nothing is kept of what was compiled when a program is killed.
flushCompileCache();
if (modes.includes('keep'))
  await drivers.at(-1)?.context.activePage()?.goto('data:text/html,<title>Still here</title>');
say({ urls: drivers.map((driver) => driver.connectURL()) });
setInterval(() => undefined, 60_000);
const end = ways[way];
if (end) process.stdin.once('data', end);

/** The first that a start leaves is its profile. */
function exitOnceBegun(): void {
  if (readdirSync(tmpdir()).some((name) => name.startsWith('chauffeur-profile-'))) process.exit(3);
  setImmediate(exitOnceBegun);
}
