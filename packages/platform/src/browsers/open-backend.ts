import { randomUUID } from 'node:crypto';
import { AddressRules, networkList } from '../egress/address-rules.ts';
import type { ResolvedPlatformOptions } from '../options.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { Store } from '../store/store.ts';
import type { BrowserBackend } from './browser-backend.ts';
import { GridBackend } from './grid/grid-backend.ts';
import { LocalBackend } from './local-backend.ts';

/** Returns a Grid backend if the options name a Grid, otherwise a local one. */
export async function openBackend(
  options: ResolvedPlatformOptions,
  store: Store,
  log: PlatformLog,
): Promise<BrowserBackend> {
  const { capacity, warm, browser, allowNetworks, allowNoSandbox, grid, queueTimeout } = options;
  const { egressHost, egressListen, egressPort, egressFrom } = options;
  const rules = new AddressRules(allowNetworks);
  if (grid.length === 0) {
    const local = new LocalBackend({ capacity, executablePath: browser, allowNoSandbox, rules, warm, log });
    await local.open();
    return local;
  }
  const backend = new GridBackend({
    addresses: grid,
    capacity,
    // All servers with this store use the same id, so they share Grid sessions.
    platformId: await store.secret('platform-id', randomUUID),
    egress: { rules, host: egressHost === 'none' ? undefined : egressHost, listen: egressListen, port: egressPort },
    nodeNetworks: egressFrom && networkList(egressFrom),
    queueTimeout,
    executablePath: browser,
    log,
  });
  await backend.open();
  return backend;
}
