import type { Socket } from 'node:net';
import { Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import { onAnswerEnd } from './answer-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory that the request holds until its answer is sent. */
    memory: RequestMemory | undefined;
  }
}

const MIB = 1024 * 1024;
/** Maximum memory of all request bodies and unsent answers. */
const MAX_HELD_BYTES = 64 * MIB;
/**
 * Minimum size that counts for an answer from a file or another server. It holds descriptors as well as buffers, so at most 512 wait for
 * their clients.
 */
const STREAM_BYTES = MIB / 8;
/** A connection is closed if its client reads nothing of an answer for this long. Detection may take twice as long. */
const UNREAD_MS = 30_000;
/** Maximum number of open requests per connection. Common clients do not pipeline. */
const MAX_PIPELINED = 20;

/** Limits the memory of all bodies and answers, and the time an answer may stay unread. */
export function boundRequestMemory(app: FastifyInstance): void {
  const pool = new MemoryPool();
  const openBySocket = new WeakMap<Socket, Set<RequestMemory>>();
  app.decorateRequest('memory', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    const open = openBySocket.get(socket) ?? new Set<RequestMemory>();
    openBySocket.set(socket, open);
    const memory = new RequestMemory(pool, request);
    open.add(memory);
    onAnswerEnd(reply, () => {
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
    else if (answer instanceof Readable) request.memory?.hold(STREAM_BYTES);
    return answer;
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Memory of one request: its body, then its answer until the client has read it. */
class RequestMemory {
  bytes = 0;
  isReleased = false;
  readonly #pool: MemoryPool;
  readonly #request: FastifyRequest;
  /** Stops reading the body and answers with the error. */
  #refuseBody: ((reason: PlatformError) => void) | undefined;

  constructor(pool: MemoryPool, request: FastifyRequest) {
    this.#pool = pool;
    this.#request = request;
  }

  /** Empty for requests without a key. */
  get project(): string {
    return this.#request.key?.project ?? '';
  }

  /** Reserves this many bytes. The pool may end this or another request to make room. */
  hold(bytes: number): void {
    this.#pool.raise(this, bytes);
  }

  /** Counts the bytes of a body while it is read. */
  count(body: Readable): Readable {
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.hold(this.bytes + chunk.length);
        if (!counter.destroyed) done(null, chunk);
      },
    });
    // From here on, the reader of the body handles errors.
    counter.once('resume', () => {
      this.#refuseBody = (reason) => {
        // Reads and drops the rest, so that the client sees the answer.
        body.unpipe(counter).resume();
        counter.destroy(reason);
      };
    });
    counter.once('end', () => (this.#refuseBody = undefined));
    // Fastify removes its listener when it refuses a body for its length.
    counter.on('error', () => undefined);
    body.once('error', (error) => counter.destroy(error));
    return body.pipe(counter);
  }

  /** Ends the request. */
  end(): void {
    const text = 'The server has no memory left for this request. Send fewer large requests at once.';
    if (this.#refuseBody) this.#refuseBody(new PlatformError('unavailable', text, { retryAfter: 1 }));
    else this.#request.raw.socket.destroy();
  }
}

/** The memory of all requests. If it is full, the largest request of the project that holds most of it ends. */
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
