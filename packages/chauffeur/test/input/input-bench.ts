import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** A browser and a server for tests of input, with pages that write down the events they get. */
export interface InputBench {
  readonly page: Page;
  readonly driver: TestDriver['driver'];
  readonly server: TestServer;
  /** Opens a page with this body. */
  open(body: string): Promise<void>;
  /** What the page wrote down so far, and forgets. */
  seen(): Promise<string[]>;
  /** What the frame whose address ends so wrote down so far. */
  seenIn(path: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts a browser and a server. */
export async function startInputBench(): Promise<InputBench> {
  const server = await serve();
  const started = await startDriver();
  const { page, driver } = started;
  const written = async (path: string, script: string): Promise<string[]> => {
    const frame = page.target.frames.frames.find(({ url }) => url.endsWith(path));
    const world = await frame?.worlds.main;
    return (await world?.evaluate(script, null)) as string[];
  };
  return {
    page,
    driver,
    server,
    seen: () => written('/input', 'window.seen.splice(0)'),
    seenIn: (path) => written(path, 'window.seen'),
    open: async (body) => {
      server.page('/input', document(body));
      await page.goto(`${server.origin}/input`, { waitUntil: 'load' });
    },
    close: async () => {
      await driver.close();
      await server.close();
    },
  };
}

/** A document with this body that stands still at the top left corner. */
export function document(body: string): string {
  return `<!doctype html><title>Input</title><style>body { margin: 0 }</style><body>${body}</body>`;
}

/** Writes down events of these types on the whole document: the type, the target's id and, of keys, which key; `!` marks one that is not trusted. */
export function record(...types: string[]): string {
  return `<script>
    window.seen = [];
    for (const type of ${JSON.stringify(types)}) addEventListener(type, (event) => {
      const key = event instanceof KeyboardEvent ? ' ' + event.key : '';
      window.seen.push(type + ' ' + (event.target.id || event.target.nodeName || 'window').toLowerCase() + key + (event.isTrusted ? '' : '!'));
    }, true);
  </script>`;
}
