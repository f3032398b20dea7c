import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { LINK_PROTOCOL } from 'pagechauffeur/internal';
import { WebSocketServer } from 'ws';
import { PlatformError, reasonOf } from '../errors.ts';
import type { KeyConnections } from '../keys/key-connections.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { ConnectTokens } from './connect-token.ts';
import { type BrowserSocket, dialBrowser } from './dial-browser.ts';
import { Link, type LinkParts } from './link.ts';
import { rejectUpgrade } from './reject-upgrade.ts';
import { MAX_UPLOAD_BYTES, type SocketMonitor } from './socket-monitor.ts';

interface GatewayParts {
  readonly sessionManager: SessionManager;
  readonly tokens: ConnectTokens;
  readonly keys: KeyRing;
  readonly keyConnections: KeyConnections;
  readonly rates: RequestRates;
  readonly sockets: SocketMonitor;
  readonly log: PlatformLog;
  /** How long a link waits for a lost client to reconnect, in milliseconds. */
  readonly linkGrace: number;
}

const CDP_PATH = /^\/v1\/sessions\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/cdp$/;

const MAX_LINKS_PER_SESSION = 10;
const DIAL_AGAIN_MS = 500;
/** How long to retry the connection to an unreachable browser. */
const REACH_MS = 30_000;

/** Connects clients to browsers: checks the token and its key, then forwards messages. */
export class CdpGateway {
  readonly #parts: GatewayParts;
  readonly #linkById = new Map<string, Link>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_UPLOAD_BYTES,
    handleProtocols: (offered) => (offered.has(LINK_PROTOCOL) ? LINK_PROTOCOL : false),
  });

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  get links(): number {
    return this.#linkById.size;
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const { path, query } = addressOf(request);
      const { session, keyId } = await this.#admit(path, query);
      const isResumable = offersLinks(request);
      const link = await this.#linkFor(query, { session, keyId, isResumable }, () => socket.destroyed);
      link.keyId = keyId;
      this.#server.handleUpgrade(request, socket, head, (client) => {
        this.#parts.sockets.add(client, socket, session.row.id);
        link.take(client, Number(query.get('received') ?? 0));
      });
    } catch (error) {
      if (!(error instanceof PlatformError)) this.#parts.log.error({ reason: reasonOf(error) }, 'gateway failed');
      rejectUpgrade(socket, error);
    }
  }

  close(): void {
    for (const link of this.#linkById.values()) link.end('The server is shutting down.', 'ended');
    this.#server.close();
  }

  async #admit(path: string, query: URLSearchParams): Promise<{ session: LiveSession; keyId: string }> {
    const { sessionManager, tokens, keys, rates } = this.#parts;
    const [, id = ''] = CDP_PATH.exec(path) ?? [];
    if (id === '') throw new PlatformError('not_found', 'There is no WebSocket endpoint at this path.');
    const grant = tokens.read(query.get('token') ?? '');
    const key = grant?.sessionId === id ? await keys.inForce(grant.keyId) : undefined;
    if (!key)
      throw new PlatformError('unauthorized', 'A valid token is required. Get the session again for a new connectUrl.');
    rates.count(key.project);
    await sessionManager.settled(id);
    const session = sessionManager.live.get(id);
    if (session?.row.status !== 'RUNNING') throw await sessionManager.sessionUnavailable(id);
    return { session, keyId: key.id };
  }

  async #linkFor(
    query: URLSearchParams,
    wanted: Pick<LinkParts, 'session' | 'keyId' | 'isResumable'>,
    isGone: () => boolean,
  ): Promise<Link> {
    const { session } = wanted;
    const id = query.get('link');
    if (id !== null) return this.#known(id, session);
    // Includes connections that are still opening.
    if (session.clients + session.arriving >= MAX_LINKS_PER_SESSION)
      throw new PlatformError('quota_exceeded', `A session accepts at most ${MAX_LINKS_PER_SESSION} connections.`, {
        retryAfter: 1,
      });
    const dialed = await session.expectClient(this.#reach(session, isGone));
    const browser = dialed.socket;
    if (session.isOver) {
      browser.terminate();
      throw await this.#parts.sessionManager.sessionUnavailable(session.row.id);
    }
    this.#parts.sockets.addBrowser(dialed, session.row.id);
    const onEnd = ({ id: ended }: Link): void => {
      this.#linkById.delete(ended);
      unwatch();
    };
    const link = new Link({ ...wanted, browser, log: this.#parts.log, grace: this.#parts.linkGrace, onEnd });
    this.#linkById.set(link.id, link);
    const unwatch = this.#parts.keyConnections.add({
      // A resumed link may use another key.
      get keyId() {
        return link.keyId;
      },
      end: (reason) => link.refuse(reason),
    });
    return link;
  }

  /**
   * Connects to the browser. Retries a remote browser for up to 30 s, unless the client disconnects or the session
   * ends.
   */
  async #reach(session: LiveSession, isGone: () => boolean): Promise<BrowserSocket> {
    const end = performance.now() + REACH_MS;
    for (;;) {
      try {
        return await dial(session.browser.url);
      } catch (error) {
        if (!session.browser.state || isGone() || performance.now() > end) throw error;
        await pause(DIAL_AGAIN_MS);
        if (session.isOver) throw await this.#parts.sessionManager.sessionUnavailable(session.row.id);
      }
    }
  }

  #known(id: string, session: LiveSession): Link {
    const link = this.#linkById.get(id);
    if (link?.session === session) return link;
    throw new PlatformError('session_ended', 'This connection has ended and cannot be resumed. Connect again.');
  }
}

/** Does not normalize the path: valid paths contain neither `//` nor `..`. */
function addressOf({ url = '' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', ...rest] = url.split('?');
  return { path, query: new URLSearchParams(rest.join('?')) };
}

function offersLinks({ headers }: IncomingMessage): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(/, */).includes(LINK_PROTOCOL);
}

async function dial(url: string): Promise<BrowserSocket> {
  try {
    return await dialBrowser(url);
  } catch (error) {
    throw new PlatformError('browser_unreachable', "Cannot connect to this session's browser.", { cause: error });
  }
}
