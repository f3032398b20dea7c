import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { guardHandler } from '../guard-handler.ts';
import { PlatformError, reasonOf } from '../errors.ts';
import { destroySoon, rejectUpgrade } from '../gateway/reject-upgrade.ts';
import { onAnswerEnd } from '../http/answer-end.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { CreateRequest } from '../sessions/session-manager.ts';
import type { ForwardRequest } from '../sessions/slots.ts';
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

const SESSION_PATH = /^\/v1\/sessions\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//;
/** HTTP status of a server that cannot serve a session now. */
const UNAVAILABLE = 503;
const CREATED = 201;
/** Id of the slot that the sending server reserved on the receiving one. */
const SLOT_HEADER = 'x-chauffeur-place';
/** Hop-by-hop headers and the slot header, which are not forwarded. */
const OWN_HEADERS = ['connection', 'keep-alive', 'expect', 'transfer-encoding', SLOT_HEADER];

/** Forwards requests and WebSockets to the servers that own their sessions. */
export class Peers {
  readonly #parts: PeersParts;
  readonly #joined = new Set<Duplex>();

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** Number of open WebSockets that are forwarded to other servers. */
  get joined(): number {
    return this.#joined.size;
  }

  /** Handles an upgrade request with `handleLocally`, or forwards it to the server that owns the session. */
  async upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    handleLocally: () => Promise<void>,
  ): Promise<void> {
    socket.on('error', () => socket.destroy());
    const [, id] = SESSION_PATH.exec(request.url ?? '') ?? [];
    if (id === undefined || this.isFromPeer(request)) return handleLocally();
    try {
      const reach = (address: string): Promise<boolean> => this.#join(address, request, socket, head);
      await this.#parts.finder.serve(id, { handleLocally, reach });
    } catch (error) {
      this.#parts.log.warn({ session: id, reason: reasonOf(error) }, 'no server accepted a WebSocket');
      rejectUpgrade(socket, error);
    }
  }

  /** Forwards a request if another server owns the session. Returns true if that server has responded. */
  async forward(id: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (this.isFromPeer(request.raw)) return false;
    let isAnswered = false;
    await this.#parts.finder.serve(id, {
      handleLocally: async () => undefined,
      reach: async (address) => (isAnswered = await this.#pass(address, request, reply)),
    });
    return isAnswered;
  }

  /**
   * Forwards a request to create a session if only another server has capacity. Returns true if that server has
   * responded.
   */
  async forwardToFreeServer(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (this.isFromPeer(request.raw)) return false;
    const address = await this.#parts.room.elsewhere();
    return address !== undefined && this.#pass(address, request, reply);
  }

  /**
   * Returns the slot that the sending server reserved here. For requests from clients, returns a callback that forwards
   * the request to a server with a free slot.
   */
  placing(request: FastifyRequest, reply: FastifyReply): Pick<CreateRequest, 'place' | 'forwardRequest'> {
    if (!this.isFromPeer(request.raw))
      return { forwardRequest: (address, slotId) => this.#passToPlace({ address, slotId }, request, reply) };
    const slotId = request.headers[SLOT_HEADER];
    return typeof slotId === 'string' ? { place: slotId } : {};
  }

  get states(): readonly PartState[] {
    return this.#parts.states.all;
  }

  /** Number of sessions that this server could start now. */
  get room(): number {
    return this.#parts.room.free;
  }

  /** Closes forwarded WebSockets. Their clients reconnect through another server. */
  close(): void {
    this.#parts.states[Symbol.dispose]();
    for (const socket of this.#joined) socket.destroy();
  }

  /** True if another server of this platform signed the request. */
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
      // That server may no longer own the session, so `serve` looks for the current owner.
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
      throw new PlatformError('unavailable', 'The server that runs this session did not respond. Try again.', {
        retryAfter: 1,
        cause: error,
      });
    }
  }

  /** Sends the parsed body: Fastify has already read the raw one. */
  async #passToPlace(
    { address, slotId }: { readonly address: string; readonly slotId: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): ReturnType<ForwardRequest> {
    const body = JSON.stringify(request.body);
    const length = String(Buffer.byteLength(body));
    const headers = { ...passedHeaders(request), 'content-length': length, [SLOT_HEADER]: slotId };
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

  /** Returns the response of another server. Rejects if that server stops responding or the client disconnects. */
  async #answer(upstream: ClientRequest, address: string, reply: FastifyReply): Promise<IncomingMessage> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    upstream.on('response', resolve);
    upstream.on('error', reject);
    const forget = onAnswerEnd(reply, () => void upstream.destroy());
    // For a response that switches protocols, Node.js emits only `close`.
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
