import { DriverInitError, RemoteSessionNotFoundError } from '../../errors.ts';
import { loggableUrl } from '../../util/loggable-url.ts';
import type { RemoteService } from '../remote-service.ts';
import type { RemoteSession } from '../remote-session.ts';

/** A browser behind a DevTools address, for services that give nothing else. It is left when the driver closes: whoever gave it ends it. */
export class BareAddress implements RemoteService {
  readonly hasLinks = false;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async create(parameters: object): Promise<RemoteSession> {
    const unknown = Object.keys(parameters).filter((name) => !KNOWN.has(name));
    if (unknown.length > 0)
      throw new DriverInitError(`A bare DevTools address takes no parameters such as ${unknown.join(', ')}.`);
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
    throw new RemoteSessionNotFoundError(
      `A bare DevTools address has no sessions, so not ${id} either; leave out remoteSessionID.`,
    );
  }

  async keepAlive(session: RemoteSession): Promise<RemoteSession> {
    return session;
  }

  async release(): Promise<void> {}

  async download(): Promise<string> {
    throw new DriverInitError('Nothing is known of where a browser behind a bare DevTools address keeps its files.');
  }
}

/** What the driver sees to itself, or has no meaning here. */
const KNOWN: ReadonlySet<string> = new Set(['viewport', 'ignoreHTTPSErrors', 'keepAlive']);
