import { type SharedBrowser, useBrowser } from '../support/use-browser.ts';

/** A browser and a server for tests of input, with pages that write down the events they get. */
export interface InputBench extends SharedBrowser {
  /** Opens a page with this body. */
  open(body: string): Promise<void>;
  /** What the page wrote down so far, and forgets. */
  seen(): Promise<string[]>;
  /** What the frame whose address ends so wrote down so far. */
  seenIn(path: string): Promise<string[]>;
}

/** Starts a browser and a server before the tests of a file, and ends both after them. */
export function useInputBench(): InputBench {
  const browser = useBrowser();
  const written = async (path: string, script: string): Promise<string[]> => {
    const frame = browser.page.target.frames.frames.find(({ url }) => url.endsWith(path));
    const world = await frame?.worlds.main;
    return (await world?.evaluate(script, null)) as string[];
  };
  return Object.assign(browser, {
    seen: () => written('/input', 'window.seen.splice(0)'),
    seenIn: (path: string) => written(path, 'window.seen'),
    open: async (body: string) => {
      const address = browser.server.page('/input', document(body));
      await browser.page.goto(address, { waitUntil: 'load' });
    },
  });
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
