import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { Driver, type DriverOptions } from '../../../pagechauffeur/src/index.ts';
import { serve, type TestServer } from '../../../pagechauffeur/test/support/serve.ts';
import { type SharedGrid, useGrid } from './use-grid.ts';

/** Grids are slow on a busy machine and send no events. */
export const SOON = { timeout: 25_000, interval: 200 };
/** Time for the first browser of a new node, and for tests with several slow steps. */
export const BEGIN_MS = 120_000;
/** The text of the file `/bill`. */
export const BILL: string = '42 Euro\n'.repeat(300_000);

/** A Grid with two slots, a platform on it, and a server with a page `/` and a download `/bill`. */
export interface GridSessions extends SharedGrid {
  readonly server: TestServer;
  /** A driver that all tests share. Uses one of two slots. */
  readonly driver: Driver;
  /** Starts another driver. */
  open(options?: Partial<DriverOptions>): Promise<Driver>;
  /** Creates a session that is released after the test. */
  create(): Promise<{ readonly id: string; readonly url: string }>;
  release(id: string): Promise<void>;
  sessionOf(id: string): Promise<Record<string, unknown>>;
  /** Returns the Grid's id of a session, or `undefined`. */
  gridId(id: string): Promise<string | undefined>;
}

/** Starts the Grid, the platform and a driver before the tests of a file, and stops them after them. */
export function useGridSessions(): GridSessions {
  const credentials = { username: 'platform', password: 'secret/:@ &' };
  const shared = useGrid({ slots: 2, credentials }, { allowNetworks: ['127.0.0.0/8'], grace: 300 });
  let server: TestServer;
  let driver: Driver;

  beforeAll(async () => {
    server = await serve({
      '/': '<title>Shop</title><button onclick="document.title = `Bought`">Buy</button><a href="/bill" download>Bill</a>',
      '/bill': (_request, response) =>
        response.writeHead(200, { 'content-disposition': 'attachment; filename="bill.txt"' }).end(BILL),
    });
    const viewport = { width: 900, height: 650 };
    driver = await open({ keepAlive: true, remoteSessionCreateParams: { viewport, userAgent: 'Some/1.0' } });
  }, BEGIN_MS);

  afterAll(async () => {
    await driver?.close();
    await server?.close();
  });

  async function open(options: Partial<DriverOptions> = {}): Promise<Driver> {
    const opened = new Driver({
      env: 'REMOTE',
      apiKey: shared.key,
      remoteBaseURL: shared.platform.url,
      model: 'offline/lexical',
      disableLoggerBackend: true,
      ...options,
    });
    await opened.init();
    return opened;
  }

  async function create(): Promise<{ readonly id: string; readonly url: string }> {
    const { status, body } = await shared.ask('POST', '/v1/sessions', { body: { keepAlive: true } });
    expect(status).toBe(201);
    const id = String(body['id']);
    onTestFinished(() => release(id));
    return { id, url: String(body['connectUrl']) };
  }

  async function release(id: string): Promise<void> {
    await shared.ask('POST', `/v1/sessions/${id}`, { body: { status: 'REQUEST_RELEASE' } });
  }

  async function sessionOf(id: string): Promise<Record<string, unknown>> {
    return (await shared.ask('GET', `/v1/sessions/${id}`)).body;
  }

  /** Returns the Grid's id of a session, or `undefined`. */
  async function gridId(id: string): Promise<string | undefined> {
    return [...(await shared.sessions())].find(([name]) => name.endsWith(`/${id}`))?.[1];
  }

  return Object.defineProperties(
    { open, create, release, sessionOf, gridId },
    {
      ...Object.getOwnPropertyDescriptors(shared),
      server: { get: () => server },
      driver: { get: () => driver },
    },
  ) as GridSessions;
}
