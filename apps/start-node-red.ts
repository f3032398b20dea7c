import { startChildApp } from './child-app.ts';
import type { RunningApp } from './running-app.ts';

/**
 * Starts the Node-RED editor with two flows: "Order desk" answers `GET /greeting` and `POST /orders`, and
 * "Stock alarm" runs by hand. The admin API is on the same address: `GET /flows`.
 */
export function startNodeRed(): Promise<RunningApp> {
  return startChildApp('node-red', new URL('./node-red/server.ts', import.meta.url));
}
