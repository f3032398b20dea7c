import type { Socket } from 'node:net';
import { Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import { onAnswerEnd } from './answer-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory that the request uses until its response is sent. */
    memory: RequestMemory | undefined;
  }
}

const MIB = 1024 * 1024;
/** Limit for all request bodies and unsent responses together. */
const MAX_HELD_BYTES = 64 * MIB;
/** Minimum size to count for a streamed response, which also uses file descriptors. Allows 512 of them at a time. */
const STREAM_BYTES = MIB / 8;
/** Closes a connection whose client reads no part of a response for this long. Detection may take twice as long. */
const UNREAD_MS = 30_000;
/** Open requests per connection. Common clients send one at a time. */
const MAX_PIPELINED = 20;

/** Limits the memory of all bodies and responses, and how long a response may stay unread. */
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
    if (typeof answer === 'string' || Buffer.isBuffer(answer)) request.memory?.hold(Buffer.byteLength(answer));
    else if (answer instanceof Readable) request.memory?.hold(STREAM_BYTES);
    return answer;
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Memory of one request: first the body, then the response until the client has read it. */
class RequestMemory {
  bytes = 0;
  isReleased = false;
  readonly #pool: MemoryPool;
  readonly #request: FastifyRequest;
  /** Stops reading the body and responds with the error. */
  #refuseBody: ((reason: PlatformError) => void) | undefined;

  constructor(pool: MemoryPool, request: FastifyRequest) {
    this.#pool = pool;
    this.#request = request;
  }

  /** Empty for requests without a key. */
  get project(): string {
    return this.#request.key?.project ?? '';
  }

  /** Reserves this many bytes in total. If memory runs out, the pool ends this or another request. */
  hold(bytes: number): void {
    this.#pool.raise(this, bytes);
  }

  /** Returns the same body as a stream that counts its bytes. */
  count(body: Readable): Readable {
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.hold(this.bytes + chunk.length);
        if (!counter.destroyed) done(null, chunk);
      },
    });
    // From now on, the reader of the body handles errors.
    counter.once('resume', () => {
      this.#refuseBody = (reason) => {
        // Discards the rest of the body, so that the client reads the response.
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

  /** Ends the request with an error, or closes its connection if the body was already read. */
  end(): void {
    const text = 'The server has no memory left for this request. Send fewer large requests in parallel.';
    if (this.#refuseBody) this.#refuseBody(new PlatformError('unavailable', text, { retryAfter: 1 }));
    else this.#request.raw.socket.destroy();
  }
}

/** Memory of all requests. When full, ends the largest request of the project that uses the most memory. */
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
