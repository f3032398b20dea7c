import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { PeerTokens } from '../../src/servers/peer-tokens.ts';
import { Peers } from '../../src/servers/peers.ts';
import { silentLog } from '../support/silent-log.ts';

it('leaves no listener or connection when another server cannot create a session', async () => {
  const server = createServer((_request, response) => response.writeHead(503).end('{}')).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parts = { tokens: new PeerTokens('secret'), log: silentLog };
  const peers = new Peers(parts as ConstructorParameters<typeof Peers>[0]);
  const request = { raw: { method: 'POST', url: '/v1/sessions', headers: {} }, headers: {}, body: {} };
  const reply = { raw: new EventEmitter() };
  const { forwardRequest: passOn } = peers.placing(request as FastifyRequest, reply as FastifyReply);
  for (let tries = 0; tries < 3; tries += 1) expect(await passOn?.(address, 'place')).toBe('unavailable');
  const connections = promisify(server.getConnections.bind(server));
  await expect.poll(() => connections()).toBe(0);
  await expect.poll(() => reply.raw.listenerCount('close')).toBe(0);
});
