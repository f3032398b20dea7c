import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { boundRequestMemory } from '../src/http/request-memory.ts';

it('releases the memory of pipelined requests when their connection closes', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  boundRequestMemory(app);
  const memories: FastifyRequest['memory'][] = [];
  app.post('/', async ({ memory }) => {
    memories.push(memory);
    await Promise.withResolvers<void>().promise;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  socket.write(request.repeat(3));
  await expect.poll(() => memories.map((memory) => memory?.bytes)).toEqual([2, 2, 2]);
  socket.destroy();
  await expect.poll(() => memories.map((memory) => memory?.isReleased)).toEqual([true, true, true]);
});

it('counts the bytes of a text response, not its characters', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  boundRequestMemory(app);
  const memories: FastifyRequest['memory'][] = [];
  app.get('/', async ({ memory }) => {
    memories.push(memory);
    return 'ü€'.repeat(100);
  });
  await fetch(await app.listen({ host: '127.0.0.1', port: 0 })).then((response) => response.text());
  expect(memories.map((memory) => memory?.bytes)).toEqual([500]);
});

it('ends an older streamed response when a project has 513 unread ones', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  boundRequestMemory(app);
  const streams: Readable[] = [];
  app.get('/', async (_request, reply) => {
    const stream = new Readable({ read: () => undefined });
    stream.push('beginning');
    streams.push(stream);
    return reply.send(stream);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const asked = async (): Promise<Socket> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };
  const open = (): number => streams.filter((stream) => !stream.destroyed).length;
  await Promise.all(Array.from({ length: 512 }, () => asked()));
  expect(open()).toBe(512);
  const latest = await asked();
  await expect.poll(open).toBe(512);
  expect(streams.at(-1)?.destroyed).toBe(false);
  latest.destroy();
  await expect.poll(open).toBe(511);
});
