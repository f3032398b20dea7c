import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { guardHandler } from '../guard-handler.ts';
import { PlatformError, reasonOf } from '../errors.ts';
import { destroySoon, rejectUpgrade } from '../gateway/reject-upgrade.ts';
import { onAnswerEnd } from '../http/answer-end.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { CreateRequest } from '../sessions/session-manager.ts';
import type { PassOn } from '../sessions/slots.ts';
import type { OwnerFinder } from './owner-finder.ts';
import type { CapacityLookup } from './capacity-lookup.ts';
import { answerHead, joinSockets, openPeerRequest } from './peer-request.ts';
import type { PartState } from '../reachability.ts';
import type { PeerStates } from './peer-states.ts';
import { PEER_HEADER, type PeerTokens } from './peer-tokens.ts';
import { watchPeer } from './watch-peer.ts';

interface PeersParts {
  readonly finder: OwnerFinder;
  readonly room: CapacityLookup;
  readonly states: PeerStates;
  readonly tokens: PeerTokens;
  readonly log: PlatformLog;
}

/** WebSocket paths of sessions. */
const SESSION_PATH = /^\/v1\/sessions\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//;
/** Status of a server that cannot serve a session now. */
const UNAVAILABLE = 503;
const CREATED = 201;
/** Id of the place that was reserved on the receiving server. */
const PLACE_HEADER = 'x-chauffeur-place';
/** Connection-level headers, which are not forwarded. */
const OWN_HEADERS = ['connection', 'keep-alive', 'expect', 'transfer-encoding', PLACE_HEADER];

/** The other servers. Forwards requests for sessions whose browsers they own. */
export class Peers {
  readonly #parts: PeersParts;
  readonly #joined = new Set<Duplex>();

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** Number of WebSockets forwarded to other servers. */
  get joined(): number {
    return this.#joined.size;
  }

  /** Handles an upgrade request: by `here`, or on the server that owns the session. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, here: () => Promise<void>): Promise<void> {
    socket.on('error', () => socket.destroy());
    const [, id] = SESSION_PATH.exec(request.url ?? '') ?? [];
    if (id === undefined || this.isFromPeer(request)) return here();
    try {
      const reach = (address: string): Promise<boolean> => this.#join(address, request, socket, head);
      await this.#parts.finder.serve(id, { here, reach });
    } catch (error) {
      this.#parts.log.warn({ session: id, reason: reasonOf(error) }, 'no server accepted a WebSocket');
      rejectUpgrade(socket, error);
    }
  }

  /** Forwards a request to the owner of a session if that is another server. Returns true if it was answered. */
  async forward(id: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (this.isFromPeer(request.raw)) return false;
    let isAnswered = false;
    await this.#parts.finder.serve(id, {
      here: async () => undefined,
      reach: async (address) => (isAnswered = await this.#pass(address, request, reply)),
    });
    return isAnswered;
  }

  /**
   * Forwards a session request to another server if that has capacity and this one has none. Returns true if it was
   * answered.
   */
  async forwardToFreeServer(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (this.isFromPeer(request.raw)) return false;
    const address = await this.#parts.room.elsewhere();
    return address !== undefined && this.#pass(address, request, reply);
  }

  /**
   * Returns how a request gets a place: another server has reserved one here, or the request is forwarded to a server
   * with a free place.
   */
  placing(request: FastifyRequest, reply: FastifyReply): Pick<CreateRequest, 'place' | 'passOn'> {
    if (!this.isFromPeer(request.raw))
      return { passOn: (address, place) => this.#passToPlace({ address, place }, request, reply) };
    const place = request.headers[PLACE_HEADER];
    return typeof place === 'string' ? { place } : {};
  }

  /** Reachability of the other servers. */
  get states(): readonly PartState[] {
    return this.#parts.states.all;
  }

  /** Number of sessions that this server could take now. */
  get room(): number {
    return this.#parts.room.free;
  }

  /** Closes forwarded WebSockets. Their clients reconnect through another server. */
  close(): void {
    this.#parts.states[Symbol.dispose]();
    for (const socket of this.#joined) socket.destroy();
  }

  /** True if another server sent the request. */
  isFromPeer({ method, url, headers }: IncomingMessage): boolean {
    return this.#parts.tokens.isValid({ method, url }, headers[PEER_HEADER]);
  }

  async #join(address: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
    const upstream = await this.#open(address, request, request.headers);
    if (!upstream) return false;
    const { promise: reached, resolve } = Promise.withResolvers<boolean>();
    const guard = {
      name: 'peers',
      log: this.#parts.log,
      end: () => {
        socket.destroy();
        upstream.destroy();
        resolve(true);
      },
    };
    const join = (answer: IncomingMessage, peer: Duplex, peerHead: Buffer): void => {
      joinSockets(socket, peer);
      socket.write(answerHead(answer));
      if (peerHead.length > 0) socket.write(peerHead);
      if (head.length > 0) peer.write(head);
      this.#joined.add(socket);
      socket.on('close', () => this.#joined.delete(socket));
      resolve(true);
    };
    const refuse = (answer: IncomingMessage): void => {
      // It no longer owns the session. Another server may.
      if (answer.statusCode === UNAVAILABLE) return resolve(false);
      socket.write(answerHead(answer));
      answer.pipe(socket);
      answer.once('close', () => destroySoon(socket));
      resolve(true);
    };
    upstream.on('upgrade', guardHandler(guard, join));
    upstream.on('response', guardHandler(guard, refuse));
    upstream.on('error', () => resolve(false));
    upstream.on('close', () => resolve(false));
    upstream.end();
    const unwatch = watchPeer(address, () => resolve(false));
    const isReached = await reached;
    unwatch();
    if (isReached) socket.on('close', () => upstream.destroy());
    else upstream.destroy();
    return isReached;
  }

  async #pass(address: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const upstream = await this.#open(address, request.raw, passedHeaders(request));
    if (!upstream) return false;
    request.raw.pipe(upstream);
    try {
      await replyWith(reply, await this.#answer(upstream, address, reply));
      return true;
    } catch (error) {
      throw new PlatformError('unavailable', 'The connection to the server of this session was lost.', {
        retryAfter: 1,
        cause: error,
      });
    }
  }

  /** The body has been read, so the parsed body is sent. */
  async #passToPlace(
    { address, place }: { readonly address: string; readonly place: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): ReturnType<PassOn> {
    const body = JSON.stringify(request.body);
    const length = String(Buffer.byteLength(body));
    const headers = { ...passedHeaders(request), 'content-length': length, [PLACE_HEADER]: place };
    const upstream = await this.#open(address, request.raw, headers);
    if (!upstream) return 'unavailable';
    upstream.end(body);
    try {
      const answer = await this.#answer(upstream, address, reply);
      if (answer.statusCode === UNAVAILABLE) {
        upstream.destroy();
        return 'unavailable';
      }
      await replyWith(reply, answer);
      return answer.statusCode === CREATED ? 'begun' : 'answered';
    } catch (error) {
      this.#parts.log.warn({ address, reason: reasonOf(error) }, 'lost a server that was starting a session');
      return 'unavailable';
    }
  }

  /** Returns the answer of a server. Rejects if the server stops answering or the client disconnects. */
  async #answer(upstream: ClientRequest, address: string, reply: FastifyReply): Promise<IncomingMessage> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    upstream.on('response', resolve);
    upstream.on('error', reject);
    const forget = onAnswerEnd(reply, () => void upstream.destroy());
    // An answer that switches to another protocol emits nothing but this.
    upstream.on('close', () => {
      forget();
      reject(new TypeError('the server sent no response'));
    });
    const unwatch = watchPeer(address, () => upstream.destroy(new TypeError('the server stopped responding')));
    return answered.finally(unwatch);
  }

  async #open(
    address: string,
    { method, url }: IncomingMessage,
    headers: IncomingMessage['headers'],
  ): Promise<ClientRequest | undefined> {
    if (address === '') return undefined;
    const signed = { ...headers, [PEER_HEADER]: this.#parts.tokens.sign({ method, url }) };
    try {
      return await openPeerRequest(address, { method, url, headers: signed });
    } catch (error) {
      this.#parts.states.of(address).missed(error);
      return undefined;
    }
  }
}

function passedHeaders({ headers }: FastifyRequest): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));
}

async function replyWith(reply: FastifyReply, answer: IncomingMessage): Promise<void> {
  reply.code(answer.statusCode ?? 502);
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !OWN_HEADERS.includes(name)) reply.header(name, value);
  await reply.send(answer);
}
