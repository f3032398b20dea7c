import { type Relay, startRelay } from '../../../pagechauffeur/test/support/relay.ts';
import type { BrowserBackend, BrowserState, RentedBrowser } from '../../src/browsers/browser-backend.ts';
import { outlivingBrowsers } from './outliving-browsers.ts';

/** Real browsers behind a connection that can be cut, like that of a Grid router. */
export interface DistantBrowsers extends AsyncDisposable {
  readonly backend: BrowserBackend;
  /** The connection to the most recent browser. */
  readonly way: Relay;
  /** The state that the host reports. */
  state: BrowserState;
}

/** Starts a relay to browsers of this process. */
export async function startDistantBrowsers(): Promise<DistantBrowsers> {
  const way = await startRelay();
  const browsers = outlivingBrowsers();
  const behindWay = (browser: RentedBrowser): RentedBrowser => {
    const url = new URL(browser.url);
    way.target = Number(url.port);
    url.port = String(way.port);
    return { ...browser, url: url.href, state: async () => distant.state };
  };
  const distant: DistantBrowsers = {
    way,
    state: 'alive',
    backend: {
      ...browsers,
      get capacity() {
        return browsers.capacity;
      },
      start: async (request, signal) => behindWay(await browsers.start(request, signal)),
    },
    [Symbol.asyncDispose]: async () => {
      await browsers.end();
      await way[Symbol.asyncDispose]();
    },
  };
  return distant;
}
