import type { BrowserBackend, RentedBrowser } from '../../src/browsers/browser-backend.ts';
import { LocalBackend } from '../../src/browsers/local-backend.ts';
import { AddressRules } from '../../src/egress/address-rules.ts';
import { silentLog } from './silent-log.ts';

/** Real browsers of this process that every server can adopt, as on Grid nodes. They reach these networks. */
export function outlivingBrowsers(networks: readonly string[] = []): BrowserBackend & { end(): Promise<void> } {
  const local = new LocalBackend({
    capacity: 4,
    executablePath: undefined,
    allowNoSandbox: true,
    rules: new AddressRules(networks),
    warm: 0,
    log: silentLog,
  });
  const byName = new Map<string, RentedBrowser>();
  return {
    capacity: local.capacity,
    admit: () => local.admit(),
    start: async (request, signal) => {
      const browser = { ...(await local.start(request, signal)), handle: request.sessionId };
      byName.set(request.sessionId, browser);
      return browser;
    },
    running: () => local.running(),
    adopt: async (_id, handle) => byName.get(handle),
    // They outlive the servers.
    close: async () => undefined,
    end: () => local.close(),
  };
}
