import type { BrowserBackend, RentedBrowser } from '../../src/browsers/browser-backend.ts';

/** Whether a browser ends with its server, or other servers can adopt it. */
export type BackendKind = 'own' | 'shared';

/** A server's backend for a simulated machine. */
export function simulatedBackend(origin: string, kind: BackendKind, capacity: number): BrowserBackend {
  const own = new Set<string>();
  const ask = async (method: string, name = ''): Promise<readonly string[]> =>
    (await (await fetch(`${origin}/${name}`, { method })).json()) as string[];
  const rented = (name: string): RentedBrowser => ({
    sessionId: name,
    url: `${origin.replace('http', 'ws')}/${name}`,
    downloads: '/nowhere',
    maxMessageBytes: 1024 * 1024,
    openDownload: async () => undefined,
    openDevTools: async () => undefined,
    end: async () => void (await ask('DELETE', name)),
    ...(kind === 'shared' ? { handle: name } : {}),
  });
  const running = async (): Promise<RentedBrowser[]> =>
    (await ask('GET')).filter((name) => kind === 'shared' || own.has(name)).map(rented);
  return {
    capacity,
    admit: async () => undefined,
    start: async ({ sessionId }) => {
      own.add(sessionId);
      await ask('PUT', sessionId);
      return rented(sessionId);
    },
    running,
    close: async () => {
      if (kind === 'own') await Promise.all([...own].map((name) => ask('DELETE', name)));
    },
    ...(kind === 'shared' ? { adopt: async (name) => (await running()).find((each) => each.sessionId === name) } : {}),
  };
}
