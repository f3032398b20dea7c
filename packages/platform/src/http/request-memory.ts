import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request takes of this process's memory until its answer is sent. */
    memory: RequestMemory | undefined;
  }
}

const MIB = 1024 * 1024;
/** What all bodies that were read and all answers that are not sent yet may take in this process. */
const MAX_HELD_BYTES = 64 * MIB;
/** An answer of which the other side takes nothing for so long, or twice as long, is given up. */
const UNREAD_MS = 30_000;
/** Requests on one connection that wait for their turn. No client that is in use sends the next one before it has the answer. */
const MAX_PIPELINED = 20;

/** Bounds the memory that bodies and answers of all requests take together, and the time for which an answer may stay unread. */
export function boundRequestMemory(app: FastifyInstance): void {
  const pool = new MemoryPool();
  const openBySocket = new WeakMap<Socket, Set<RequestMemory>>();
  app.decorateRequest('memory', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    const open = openBySocket.get(socket) ?? openOn(socket, pool);
    openBySocket.set(socket, open);
    const memory = new RequestMemory(pool, request);
    open.add(memory);
    reply.raw.once('close', () => {
      open.delete(memory);
      pool.release(memory);
    });
    if (open.size > MAX_PIPELINED) {
      socket.destroy();
      return reply.hijack();
    }
    request.memory = memory;
    return undefined;
  });
  app.addHook('preParsing', async (request, _reply, body) => (hasBody(request) && request.memory?.count(body)) || body);
  app.addHook('onSend', async (request, reply, answer) => {
    reply.raw.setTimeout(UNREAD_MS);
    if (typeof answer === 'string' || Buffer.isBuffer(answer)) request.memory?.hold(answer.length);
    return answer;
  });
}

/** The open requests of a connection. Node.js 22 emits no `close` for an answer that waits behind another when the connection ends. */
function openOn(socket: Socket, pool: MemoryPool): Set<RequestMemory> {
  const open = new Set<RequestMemory>();
  socket.once('close', () => {
    for (const memory of open) pool.release(memory);
    open.clear();
  });
  return open;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** What one request takes: its body while that is read and used, then its answer until the other side has it. */
class RequestMemory {
  bytes = 0;
  isReleased = false;
  readonly #pool: MemoryPool;
  readonly #request: FastifyRequest;
  /** Ends the reading of the body with an error, which is answered. */
  #refuseBody: ((reason: PlatformError) => void) | undefined;

  constructor(pool: MemoryPool, request: FastifyRequest) {
    this.#pool = pool;
    this.#request = request;
  }

  /** Empty for requests without a key. */
  get project(): string {
    return this.#request.key?.project ?? '';
  }

  /** Says that the request takes so many bytes now. The pool may end it, or another one, to have room for them. */
  hold(bytes: number): void {
    this.#pool.raise(this, bytes);
  }

  /** A body that is counted as it is read. */
  count(body: Readable): Readable {
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.hold(this.bytes + chunk.length);
        if (!counter.destroyed) done(null, chunk);
      },
    });
    // From when on somebody reads it, and is told of errors.
    counter.once('resume', () => {
      this.#refuseBody = (reason) => {
        // What still comes is read and forgotten, so that the other side sees the answer.
        body.unpipe(counter).resume();
        counter.destroy(reason);
      };
    });
    counter.once('end', () => (this.#refuseBody = undefined));
    // Nobody is told any more once the body was refused for its length.
    counter.on('error', () => undefined);
    body.once('error', (error) => counter.destroy(error));
    return body.pipe(counter);
  }

  /** Ends the request. */
  end(): void {
    const text = 'The server has no memory left for this request. Send fewer large ones at once.';
    if (this.#refuseBody) this.#refuseBody(new PlatformError('unavailable', text, { retryAfter: 1 }));
    else this.#request.raw.socket.destroy();
  }
}

/** The memory for all requests. When it is used up, the largest request of the project that takes most of it is ended. */
class MemoryPool {
  readonly #users = new Set<RequestMemory>();
  #taken = 0;

  raise(user: RequestMemory, bytes: number): void {
    if (user.isReleased || bytes <= user.bytes) return;
    this.#users.add(user);
    this.#taken += bytes - user.bytes;
    user.bytes = bytes;
    while (this.#taken > MAX_HELD_BYTES) this.#endLargest();
  }

  release(user: RequestMemory): void {
    user.isReleased = true;
    if (this.#users.delete(user)) this.#taken -= user.bytes;
  }

  #endLargest(): void {
    const byProject = [...Map.groupBy(this.#users, ({ project }) => project).values()];
    const most = byProject.reduce((one, other) => (sumOf(other) > sumOf(one) ? other : one));
    const largest = most.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    this.release(largest);
    largest.end();
  }
}

function sumOf(users: readonly RequestMemory[]): number {
  return users.reduce((sum, { bytes }) => sum + bytes, 0);
}
