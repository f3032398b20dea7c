import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { onAnswerEnd } from '../src/http/answer-end.ts';
import { disconnectSignal } from '../src/http/disconnect-signal.ts';
import { replyWithError } from '../src/http/error-reply.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
let app: FastifyInstance;

beforeEach(() => {
  app = fastify();
  return () => app.close();
});

/** Sends requests on one connection without waiting for answers. */
async function pipelined(count: number): Promise<ReturnType<typeof connect>> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(REQUEST.repeat(count));
  return socket;
}

it('aborts all pipelined requests when their connection closes', async () => {
  const signals: AbortSignal[] = [];
  app.get('/', async (_request, reply) => {
    signals.push(disconnectSignal(reply));
    await Promise.withResolvers<void>().promise;
  });
  const socket = await pipelined(3);
  await expect.poll(() => signals).toHaveLength(3);
  socket.destroy();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

it('sets status 499 and logs no error when a client disconnects before the response', async () => {
  const statuses: number[] = [];
  const failures: unknown[] = [];
  const leaving = Promise.withResolvers<void>();
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    vi.spyOn(request.log, 'error').mockImplementation((...given: unknown[]) => failures.push(given));
    replyWithError(error, request, reply);
    statuses.push(reply.statusCode);
  });
  app.get('/', async (_request, reply) => {
    const signal = disconnectSignal(reply);
    leaving.resolve();
    const aborted = Promise.withResolvers<Event>();
    signal.addEventListener('abort', aborted.resolve);
    await aborted.promise;
    signal.throwIfAborted();
  });
  const socket = await pipelined(1);
  await leaving.promise;
  socket.destroy();
  await expect.poll(() => statuses).toEqual([499]);
  expect(failures).toEqual([]);
});

it('calls back once per response, but not after a cancellation', async () => {
  const ended: number[] = [];
  let count = 0;
  app.get('/', async (_request, reply) => {
    const number = (count += 1);
    const forget = onAnswerEnd(reply, () => ended.push(number));
    if (number === 2) forget();
    // The last answer is never sent.
    if (number === 3) await Promise.withResolvers<void>().promise;
    return '';
  });
  const socket = await pipelined(3);
  await expect.poll(() => [count, ...ended]).toEqual([3, 1]);
  socket.destroy();
  await expect.poll(() => ended).toEqual([1, 3]);
});
