import { DriverInitError, DriverUnsupportedFeatureError, RemoteSessionNotFoundError } from '../../errors.ts';
import { loggableUrl } from '../../util/loggable-url.ts';
import type { RemoteService } from '../remote-service.ts';
import type { RemoteSession } from '../remote-session.ts';

/** A browser behind a plain DevTools URL. The driver only disconnects; whoever provides the URL ends the browser. */
export class BareAddress implements RemoteService {
  readonly hasLinks = false;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async create(parameters: object): Promise<RemoteSession> {
    const unknown = Object.keys(parameters).filter((name) => !KNOWN.has(name));
    if (unknown.length > 0)
      throw new DriverInitError(`A plain DevTools URL does not support the session parameters ${unknown.join(', ')}.`);
    return {
      id: loggableUrl(this.#url),
      isRunning: true,
      endReason: undefined,
      keepAlive: true,
      connectUrl: this.#url,
      sessionUrl: undefined,
      debugUrl: undefined,
    };
  }

  async find(id: string): Promise<RemoteSession> {
    throw new RemoteSessionNotFoundError(`A plain DevTools URL has no session ${id}. Leave out remoteSessionID.`);
  }

  async keepAlive(session: RemoteSession): Promise<RemoteSession> {
    return session;
  }

  async release(): Promise<void> {}

  async download(): Promise<string> {
    throw new DriverUnsupportedFeatureError(
      'Cannot fetch downloads from a browser behind a plain DevTools URL: the location of its files is unknown.',
    );
  }
}

/** Parameters that the driver handles itself, or that have no effect on a plain DevTools URL. */
const KNOWN: ReadonlySet<string> = new Set(['viewport', 'ignoreHTTPSErrors', 'keepAlive']);
