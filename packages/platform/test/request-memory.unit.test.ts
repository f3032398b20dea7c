import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { boundRequestMemory } from '../src/http/request-memory.ts';

it('releases the memory of pipelined requests when their connection ends', async () => {
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
