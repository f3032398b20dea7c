import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { PlatformError, reasonOf } from '../errors.ts';
import { closeSocket, POLICY_CODE } from '../gateway/backpressure.ts';
import { rejectUpgrade } from '../gateway/reject-upgrade.ts';
import { MAX_MESSAGE_BYTES, type SocketMonitor } from '../gateway/socket-monitor.ts';
import type { KeyConnections } from '../keys/key-connections.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { openPageSocket } from './page-socket.ts';
import { LiveView } from './live-view.ts';
import type { Viewer, ViewAccess } from './view-access.ts';
import { ViewerSocket } from './viewer-socket.ts';

interface ViewGatewayParts {
  readonly sessionManager: SessionManager;
  readonly access: ViewAccess;
  readonly keys: KeyRing;
  readonly keyConnections: KeyConnections;
  readonly rates: RequestRates;
  readonly sockets: SocketMonitor;
  readonly log: PlatformLog;
}

const VIEW_PATH =
  /^\/v1\/sessions\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(?:live|devtools\/page\/([\w-]{1,100}))$/;
const MAX_VIEWERS_PER_SESSION = 20;

/** Connects dashboard users to browsers, for live views and DevTools. */
export class ViewGateway {
  readonly #parts: ViewGatewayParts;
  readonly #viewBySession = new Map<LiveSession, Promise<LiveView>>();
  readonly #countBySession = new Map<string, number>();
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });

  constructor(parts: ViewGatewayParts) {
    this.#parts = parts;
  }

  /** Number of open sockets. */
  get viewers(): number {
    return this.#server.clients.size;
  }

  /** True for the WebSocket paths of this gateway. */
  takes(request: IncomingMessage): boolean {
    return VIEW_PATH.test(pathOf(request));
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const [, id = '', targetId] = VIEW_PATH.exec(pathOf(request)) ?? [];
    try {
      const { session, viewer } = await this.#admit(request, id);
      const release = this.#takePlace(id);
      socket.on('close', release);
      if (targetId === undefined) await this.#openView(request, { session, viewer, socket, head });
      else await this.#openPage(request, { session, viewer, socket, head, targetId });
    } catch (error) {
      if (!(error instanceof PlatformError)) this.#parts.log.error({ reason: reasonOf(error) }, 'live view failed');
      rejectUpgrade(socket, error);
    }
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  async #admit(request: IncomingMessage, id: string): Promise<{ session: LiveSession; viewer: Viewer }> {
    const { sessionManager, rates } = this.#parts;
    const viewer = await this.#viewerOf(request, id);
    if (!viewer) throw new PlatformError('unauthorized', 'Sign in with a key, or open the link to this session again.');
    rates.count(viewer.key.project);
    if (!viewer.key.scopes.includes('sessions:read'))
      throw new PlatformError('forbidden', 'This key lacks the scope sessions:read.');
    await sessionManager.find(viewer.key.project, id);
    await sessionManager.settled(id);
    const session = sessionManager.live.get(id);
    if (session?.row.status !== 'RUNNING') throw await sessionManager.sessionUnavailable(id);
    return { session, viewer };
  }

  /** Accepts API keys from programs. Pages of other sites cannot send that header, unlike cookies. */
  async #viewerOf(request: IncomingMessage, id: string): Promise<Viewer | undefined> {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined) return this.#parts.access.viewerOf(request, id);
    const key = await this.#parts.keys.authenticate(bearer);
    return { key, mayControl: key.scopes.includes('sessions:write') };
  }

  /** Counts a viewer of the session. Returns a function that removes it from the count. */
  #takePlace(id: string): () => void {
    const count = this.#countBySession.get(id) ?? 0;
    if (count >= MAX_VIEWERS_PER_SESSION)
      throw new PlatformError('quota_exceeded', `A session accepts at most ${MAX_VIEWERS_PER_SESSION} viewers.`, {
        retryAfter: 5,
      });
    this.#countBySession.set(id, count + 1);
    return () => {
      const left = (this.#countBySession.get(id) ?? 1) - 1;
      if (left > 0) this.#countBySession.set(id, left);
      else this.#countBySession.delete(id);
    };
  }

  async #openView(request: IncomingMessage, { session, viewer, socket, head }: Opening): Promise<void> {
    const view = await this.#viewOf(session);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#watch(opened, { viewer, socket, session });
      void new ViewerSocket({ view, socket: opened, mayControl: viewer.mayControl, log: this.#parts.log });
    });
  }

  async #openPage(request: IncomingMessage, opening: Opening & { targetId: string }): Promise<void> {
    const { session, viewer, socket, head, targetId } = opening;
    if (!viewer.mayControl) throw new PlatformError('forbidden', 'This link is read-only. It does not allow DevTools.');
    const join = await openPageSocket({ ...this.#parts, session }, targetId);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#watch(opened, { viewer, socket, session });
      join(opened);
    });
  }

  /** Limits the socket's messages, and closes it when the user's key or link expires. */
  #watch(opened: WebSocket, { viewer, socket, session }: Omit<Opening, 'head'>): void {
    const { id: keyId, expiresAt } = viewer.key;
    const end = (reason: string): void => closeSocket(opened, POLICY_CODE, reason);
    this.#parts.sockets.add(opened, socket, session.row.id);
    opened.once('close', this.#parts.keyConnections.add({ keyId, expiresAt, end }));
  }

  #viewOf(session: LiveSession): Promise<LiveView> {
    const known = this.#viewBySession.get(session);
    if (known) return known;
    const onEnd = (): boolean => this.#viewBySession.delete(session);
    const opened = LiveView.open({ session, log: this.#parts.log, onEnd });
    this.#viewBySession.set(session, opened);
    opened.catch(onEnd);
    return opened;
  }
}

interface Opening {
  readonly session: LiveSession;
  readonly viewer: Viewer;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Returns the path as sent, without the query. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*$/s, '');
}
