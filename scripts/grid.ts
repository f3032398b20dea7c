/** Runs a Selenium Grid until it is stopped: `npm run grid`, `npm run grid -- --distributed --nodes 2`. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { findGridMachine } from './grid/grid-requirements.ts';
import { startGrid } from './grid/start-grid.ts';

const { values } = parseArgs({
  options: {
    distributed: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '1' },
    slots: { type: 'string', default: '4' },
    'redis-port': { type: 'string' },
  },
});
const machine = findGridMachine();
if (typeof machine === 'string') {
  console.error(`No grid can run here: ${machine}.`);
  process.exit(1);
}
const redisPort = values['redis-port'];
const shape = values.distributed || redisPort !== undefined ? 'distributed' : 'hub';
await using grid = await startGrid({
  machine,
  shape,
  nodes: Number(values.nodes),
  slots: Number(values.slots),
  ...(redisPort === undefined ? {} : { redisPort: Number(redisPort) }),
});
console.log(`Grid at ${grid.url}\nnpm run platform -- --grid ${grid.url}`);
await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
